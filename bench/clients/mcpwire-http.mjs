import { connect } from 'mcpwire/node';
import { measure, target } from './shared.mjs';

const client = await connect(target);
await measure(async (a) => (await client.call('add', { a, b: 2 })).structured.sum);
await client.close();
