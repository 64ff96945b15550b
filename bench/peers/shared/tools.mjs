// The tools that every peer serves. TOOLS=100 in the environment asks for a hundred of them.
import { fillerTools } from './filler.mjs';

export const serverInfo = { name: 'bench', version: '1' };

const add = {
  name: 'add',
  description: 'Add two numbers',
  input: {
    type: 'object',
    properties: {
      a: { type: 'number', description: 'First number' },
      b: { type: 'number', description: 'Second number' },
    },
    required: ['a', 'b'],
  },
  output: { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] },
  run: ({ a, b }) => ({ sum: a + b }),
};

const echo = {
  name: 'echo',
  description: 'Return the text unchanged',
  input: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  run: ({ text }) => text,
};

export const tools = [add, echo, ...fillerTools(Number(process.env.TOOLS ?? 2) - 2)];
