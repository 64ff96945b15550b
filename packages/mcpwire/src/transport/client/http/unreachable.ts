import { UnreachableError } from '../errors.ts';

const WHY: { readonly [code: string]: string } = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'its host name is not known',
  EAI_AGAIN: 'its host name could not be looked up',
  ECONNRESET: 'the connection was reset: whether the request was read is not known',
  ETIMEDOUT: 'no connection in time',
  UND_ERR_CONNECT_TIMEOUT: 'no connection in time',
  UND_ERR_SOCKET: 'the connection ended before the answer: whether the request was read is not known',
  EHOSTUNREACH: 'its host can not be reached',
  ENETUNREACH: 'its network can not be reached',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is signed by itself',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is signed by an unknown authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is signed by an unknown authority',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
  EPROTO: 'it does not speak TLS here',
};

/** The connection was there, and ended. */
const CUT = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'];

/** The error for a request that got no answer, from whatever the runtime says. */
export function unreachable(url: string, cause: unknown): UnreachableError {
  const codes = codesOf(cause);
  const code = codes.find((each) => WHY[each] !== undefined) ?? codes[0];
  const why = (code === undefined ? undefined : WHY[code]) ?? messageOf(cause);
  const mayHaveArrived = code !== undefined && CUT.includes(code);
  return new UnreachableError(
    `no answer from ${url}: ${why}${code === undefined ? '' : ` (${code})`}`,
    url,
    mayHaveArrived,
    cause,
  );
}

/** The codes of an error and of what it was caused by, outermost last. */
function codesOf(error: unknown, depth = 0): readonly string[] {
  if (!(error instanceof Error) || depth > 4) return [];
  const inner =
    error instanceof AggregateError ? error.errors.flatMap((each) => codesOf(each, depth + 1)) : [];
  const code: unknown = 'code' in error ? error.code : undefined;
  return [...inner, ...codesOf(error.cause, depth + 1), ...(typeof code === 'string' ? [code] : [])];
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
