import { META } from './messages.ts';

/** A text that is refused as a message, and how. */
export interface BadText {
  readonly what: string;
  readonly bytes: string | Uint8Array;
  readonly code: number;
  /** The id that can be read; undefined where none can. */
  readonly id?: unknown;
  readonly message?: RegExp;
}

const meta = JSON.stringify(META);
const good = `"method":"tools/call","params":{"name":"echo","arguments":{"text":"x"},"_meta":${meta}}`;

/** The text of a good request but for its id. */
const withId = (id: string): string => `{"jsonrpc":"2.0","id":${id},${good}}`;
/** A request whose arguments are this text. */
const withArguments = (args: string): string =>
  `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"echo","arguments":${args},"_meta":${meta}}}`;

const NO_JSON = -32700;
const NO_MESSAGE = -32600;

const NOT_JSON: readonly BadText[] = [
  '{',
  'hello',
  '{"jsonrpc":"2.0","id":1,"method":"tools/list",}',
  `{'jsonrpc':'2.0'}`,
  '{"jsonrpc":"2.0" "id":1}',
  '{"a":1}{"b":2}',
  '{"a":1} x',
  '{"a":NaN}',
  '{"a":01}',
  '{"a":"\\x"}',
  '{"a":"\t"}',
  '"unterminated',
  '\ufeff{}',
  '\0',
].map((bytes) => ({ what: `the text ${JSON.stringify(bytes)}`, bytes, code: NO_JSON, message: /^not JSON/ }));

const NOT_UTF8: readonly BadText[] = [
  ['a lone continuation byte', [0x80]],
  ['an overlong slash', [0xc0, 0xaf]],
  ['half a character', [0xe4, 0xb8]],
  ['a surrogate', [0xed, 0xa0, 0x80]],
  ['Latin-1', [0xe9]],
].map(([what, bytes]) => ({
  what: `${String(what)} in a text`,
  bytes: Buffer.concat([
    Buffer.from('{"jsonrpc":"2.0","method":"'),
    Buffer.from(bytes as number[]),
    Buffer.from('"}'),
  ]),
  code: NO_JSON,
  message: /UTF-8/,
}));

const NOT_MESSAGES: readonly BadText[] = [
  ...['[]', `[${withId('1')}]`, '[1]', `[${withId('1')},${withId('2')}]`].map((bytes) => ({
    what: `the batch ${bytes.slice(0, 30)}`,
    bytes,
    code: NO_MESSAGE,
    message: /batch/,
  })),
  ...['null', 'true', '5', '"x"', '{}', '{"jsonrpc":"2.0"}', '{"jsonrpc":"2.0","params":{}}'].map(
    (bytes) => ({
      what: `the value ${bytes}`,
      bytes,
      code: NO_MESSAGE,
    }),
  ),
  { what: 'an id without anything else', bytes: '{"jsonrpc":"2.0","id":7}', code: NO_MESSAGE, id: 7 },
  ...['null', '1.5', '-0.5', '9007199254740992', '1e400', 'true', '{}', '[1]'].map((id) => ({
    what: `the id ${id}`,
    bytes: withId(id),
    code: NO_MESSAGE,
    message: /^id must be a string or an integer/,
  })),
  {
    what: 'jsonrpc 1.0',
    bytes: withId('7').replace('2.0', '1.0'),
    code: NO_MESSAGE,
    id: 7,
    message: /jsonrpc/,
  },
  { what: 'no jsonrpc', bytes: withId('"a"').replace('"jsonrpc":"2.0",', ''), code: NO_MESSAGE, id: 'a' },
  { what: 'jsonrpc as a number', bytes: withId('7').replace('"2.0"', '2.0'), code: NO_MESSAGE, id: 7 },
  ...['5', 'null', '{}', '["tools/list"]'].map((method) => ({
    what: `the method ${method}`,
    bytes: `{"jsonrpc":"2.0","id":7,"method":${method}}`,
    code: NO_MESSAGE,
    id: 7,
    message: /^method must be a string/,
  })),
  ...['5', 'null', '"x"', '[]', '[{}]'].map((params) => ({
    what: `the params ${params}`,
    bytes: `{"jsonrpc":"2.0","id":7,"method":"tools/list","params":${params}}`,
    code: NO_MESSAGE,
    id: 7,
    message: /^params must be an object/,
  })),
  {
    what: 'a method and a result at once',
    bytes: `{"jsonrpc":"2.0","id":7,"method":"tools/list","result":{}}`,
    code: NO_MESSAGE,
    id: 7,
  },
];

const TOO_MUCH: readonly BadText[] = [
  ['nested arrays', withArguments(`{"text":${'['.repeat(100)}${']'.repeat(100)}}`), /nested deeper than 64/],
  ['nested objects', withArguments(`${'{"a":'.repeat(100)}1${'}'.repeat(100)}`), /nested deeper than 64/],
  ['a million open brackets', withArguments('['.repeat(1_000_000)), /nested deeper than 64/],
  ['too many values', withArguments(`{"text":[${'0,'.repeat(100_000)}0]}`), /more than 100000 values/],
  [
    'too many members',
    withArguments(`{${Array.from({ length: 100_001 }, (_, index) => `"${index}":0`).join(',')}}`),
    /more than 100000 values/,
  ],
].map(([what, bytes, message]) => ({
  what: String(what),
  bytes: String(bytes),
  code: NO_MESSAGE,
  id: 7,
  message: message as RegExp,
}));

const DUPLICATES: readonly BadText[] = [
  ['method', withId('7').replace('"method"', '"method":"x","method"'), 7],
  ['params', `{"jsonrpc":"2.0","id":7,"params":{},${good}}`, 7],
  ['name', withId('7').replace('"name"', '"name":"print","name"'), 7],
  ['_meta', withId('7').replace('"_meta"', '"_meta":{},"_meta"'), 7],
  ['a', withArguments('{"a":1,"b":2,"a":1}'), 7],
  ['text', withArguments('{"text":1,"te\\u0078t":2}'), 7],
  ['__proto__', withArguments('{"__proto__":1,"__proto__":2}'), 7],
  ['progressToken', withId('7').replace('"_meta":{', '"_meta":{"progressToken":1,"progressToken":2,'), 7],
  // Which of two ids would be the right one to answer?
  ['id', withId('7,"id":8'), undefined],
].map(([key, bytes, id]) => ({
  what: `the member ${String(key)} twice`,
  bytes: String(bytes),
  code: NO_MESSAGE,
  id,
  message: new RegExp(`^duplicate member "${String(key)}"`),
}));

/** Every way in which bytes are no message, with the exact error. */
export const BAD_TEXTS: readonly BadText[] = [
  ...NOT_JSON,
  ...NOT_UTF8,
  ...NOT_MESSAGES,
  ...TOO_MUCH,
  ...DUPLICATES,
];

/** Texts that look odd and are good: the text that the tool answers. */
export const ODD_TEXTS: readonly (readonly [string, string, string])[] = [
  ['white space everywhere', ` \t{ "jsonrpc" : "2.0" ,\r "id" : 7 , ${good} } \t`, 'x'],
  ['unknown members', `{"jsonrpc":"2.0","id":7,"extra":[{"a":1}],${good}}`, 'x'],
  ['members in another order', `{${good},"id":7,"jsonrpc":"2.0"}`, 'x'],
  ['U+2028 in a text', withArguments('{"text":"a\u2028b\u2029c\u0085d"}'), 'a\u2028b\u2029c\u0085d'],
  ['a NUL that is escaped', withArguments('{"text":"a\\u0000b"}'), 'a\0b'],
  ['half a surrogate pair that is escaped', withArguments('{"text":"\\ud83d"}'), '\ud83d'],
  [
    'a text that looks like JSON',
    withArguments('{"text":"{\\"id\\":1,\\"id\\":2}[[[["}'),
    '{"id":1,"id":2}[[[[',
  ],
  ['nesting within the bound', withArguments(`{"text":"x","deep":${'['.repeat(60)}${']'.repeat(60)}}`), 'x'],
  ['the same member in two objects', withArguments('{"text":"x","a":{"b":1},"c":{"b":1}}'), 'x'],
];
