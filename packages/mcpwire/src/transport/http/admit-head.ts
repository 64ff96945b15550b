import type { HttpHead, Refusal } from './head.ts';
import { checkHostAndOrigin } from './host-origin.ts';
import type { HttpSettings } from './options.ts';

type Check = (head: HttpHead, settings: HttpSettings) => Refusal | undefined;

/** The checks that need no body, in the order in which they are answered. */
const CHECKS: readonly Check[] = [
  checkHostAndOrigin,
  checkMethod,
  checkContentType,
  checkAccept,
  checkLength,
];

/** The first reason to turn the request away, or undefined. */
export function admitHead(head: HttpHead, settings: HttpSettings): Refusal | undefined {
  for (const check of CHECKS) {
    const refusal = check(head, settings);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

function checkMethod(head: HttpHead): Refusal | undefined {
  if (head.method === 'POST') return undefined;
  return {
    status: 405,
    message: `${head.method} is not served: send messages with POST`,
    headers: ['Allow', 'POST'],
  };
}

const JSON_TYPE = /^application\/json[ \t]*(?:;[ \t]*charset[ \t]*=[ \t]*"?utf-8"?[ \t]*)?$/i;

function checkContentType(head: HttpHead): Refusal | undefined {
  const type = head.header('content-type');
  if (type !== 'application/json' && (type === undefined || !JSON_TYPE.test(type))) {
    return { status: 415, message: `Content-Type must be application/json, got ${type ?? 'nothing'}` };
  }
  const encoding = head.header('content-encoding');
  if (encoding === undefined || encoding.toLowerCase() === 'identity') return undefined;
  return { status: 415, message: `Content-Encoding ${encoding} is not supported: send the body as it is` };
}

const USUAL_ACCEPT = 'application/json, text/event-stream';
const NEEDED = [
  ['application/json', 'application/*', '*/*'],
  ['text/event-stream', 'text/*', '*/*'],
] as const;

/** An answer may be JSON or an event stream, so the client must accept both (HTTP-08). No header accepts anything. */
function checkAccept(head: HttpHead): Refusal | undefined {
  const accept = head.header('accept');
  if (accept === undefined || accept === USUAL_ACCEPT) return undefined;
  const ranges = accept
    .toLowerCase()
    .split(',')
    .filter((range) => !/;[ \t]*q=0(?:\.0*)?[ \t]*(?:;|$)/.test(range))
    .map((range) => range.split(';', 1)[0]?.trim() ?? '');
  const missing = NEEDED.filter((types) => !types.some((type) => ranges.includes(type)));
  if (missing.length === 0) return undefined;
  return { status: 406, message: `Accept must list ${missing.map((types) => types[0]).join(' and ')}` };
}

function checkLength(head: HttpHead, settings: HttpSettings): Refusal | undefined {
  const length = head.header('content-length');
  if (length === undefined || Number(length) <= settings.maxBodyBytes) return undefined;
  return tooLarge(settings);
}

export function tooLarge(settings: HttpSettings): Refusal {
  return { status: 413, message: `a request body holds at most ${settings.maxBodyBytes} bytes` };
}
