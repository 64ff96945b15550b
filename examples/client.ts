import process from 'node:process';
import { connect } from 'mcpwire/node';

// Starts a server, finds out which revision it speaks, and calls one of its tools: node client.js <command> [argument…]
const [command = process.execPath, ...args] = process.argv.slice(2);
const client = await connect({ command, args });

for await (const tool of client.tools()) console.log(`${tool.name}: ${tool.description ?? ''}`);
const result = await client.call('roll', { count: 2, sides: 6 }, { timeoutMs: 10_000 });
console.log(result.structured, result.text);
await client.close();
