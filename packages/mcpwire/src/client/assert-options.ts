import { assertBounds } from '../protocol/bounds.ts';
import { isLoggingLevel } from '../protocol/common-types.ts';
import { isJsonObject, jsonType } from '../protocol/json.ts';
import { UsageError } from '../protocol/usage-error.ts';

const FUNCTIONS = ['onElicit', 'onSample', 'onLog', 'onStderr', 'onVerdict', 'report', 'fetch'];
const ERAS: readonly unknown[] = ['auto', 'modern', 'legacy'];
const MODES: readonly unknown[] = ['form', 'url'];

type Options = { readonly [name: string]: unknown };

/** Throws a `UsageError` where an option of a client can't be meant. */
export function assertClientOptions(options: object): void {
  assertBounds(options);
  const given = options as Options;
  if (isJsonObject(given['cache'])) assertBounds(given['cache'], 'cache.');
  for (const name of FUNCTIONS) {
    if (given[name] !== undefined && typeof given[name] !== 'function') {
      wrong(name, 'a function', given[name]);
    }
  }
  assertChoices(given);
  assertObjects(given);
}

function assertChoices({ era, logLevel, elicitModes }: Options): void {
  if (era !== undefined && !ERAS.includes(era)) wrong('era', 'auto, modern or legacy', era);
  if (logLevel !== undefined && !isLoggingLevel(logLevel)) wrong('logLevel', 'a level of RFC 5424', logLevel);
  if (
    elicitModes !== undefined &&
    !(Array.isArray(elicitModes) && elicitModes.every((mode) => MODES.includes(mode)))
  ) {
    wrong('elicitModes', 'a list of form and url', elicitModes);
  }
}

function assertObjects({ meta, clientInfo, verdict }: Options): void {
  if (meta !== undefined && !isJsonObject(meta)) wrong('meta', 'an object', meta);
  if (clientInfo !== undefined && !hasTexts(clientInfo, 'name', 'version')) {
    wrong('clientInfo', 'an object with a name and a version', clientInfo);
  }
  if (verdict !== undefined && !hasTexts(verdict, 'era', 'version', 'at')) {
    wrong('verdict', 'what onVerdict told', verdict);
  }
}

function hasTexts(value: unknown, ...names: readonly string[]): boolean {
  return isJsonObject(value) && names.every((name) => typeof value[name] === 'string');
}

function wrong(name: string, expected: string, value: unknown): never {
  const got = typeof value === 'object' ? jsonType(value) : JSON.stringify(value);
  throw new UsageError(`${name} must be ${expected}, got ${got}`);
}
