/** The `_meta` keys that the specification reserves (basic/index, "Reserved keys"). */
export const MetaKey = {
  protocolVersion: 'io.modelcontextprotocol/protocolVersion',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  logLevel: 'io.modelcontextprotocol/logLevel',
  subscriptionId: 'io.modelcontextprotocol/subscriptionId',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
  progressToken: 'progressToken',
  traceparent: 'traceparent',
  tracestate: 'tracestate',
  baggage: 'baggage',
} as const;

const LABEL = '[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?';
const PREFIX = new RegExp(`^${LABEL}(?:\\.${LABEL})*$`);
const NAME = /^(?:[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)?$/;

/** Whether a `_meta` key follows the grammar: optional prefix of labels and a slash, then a name (BASE-45…49). */
export function isMetaKey(key: string): boolean {
  const slash = key.indexOf('/');
  if (slash === -1) return NAME.test(key);
  return PREFIX.test(key.slice(0, slash)) && NAME.test(key.slice(slash + 1));
}

/** Whether the key's prefix is reserved for MCP: its second label is `modelcontextprotocol` or `mcp` (BASE-48). */
export function isReservedMetaKey(key: string): boolean {
  const slash = key.indexOf('/');
  if (slash === -1) return false;
  const second = key.slice(0, slash).split('.')[1];
  return second === 'modelcontextprotocol' || second === 'mcp';
}

/** Whether the string may name an extension: a `_meta` key that has a prefix (VER-06). */
export function isExtensionIdentifier(identifier: string): boolean {
  return identifier.includes('/') && isMetaKey(identifier);
}

/** What is wrong with the keys of a `_meta` that somebody defines for others to read, or undefined (BASE-45…49). */
export function checkMetaKeys(meta: object): string | undefined {
  for (const key of Object.keys(meta)) {
    if (!isMetaKey(key)) return `${JSON.stringify(key)} is no key of _meta: a name such as com.example/note`;
    if (isReservedMetaKey(key)) return `${JSON.stringify(key)} is reserved for the protocol`;
  }
  return undefined;
}

/**
 * The same for the `_meta` of a result, which may have been made of another server's: keys that the specification
 * itself puts there are no mistake.
 */
export function checkResultMetaKeys(meta: object): string | undefined {
  const defined: readonly string[] = Object.values(MetaKey);
  const own = Object.keys(meta).filter((key) => !defined.includes(key));
  return checkMetaKeys(Object.fromEntries(own.map((key) => [key, undefined])));
}
