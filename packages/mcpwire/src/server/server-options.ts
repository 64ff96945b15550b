import { isJsonObject, jsonType } from '../protocol/json.ts';
import { isExtensionIdentifier } from '../protocol/meta-keys.ts';
import { UsageError } from '../protocol/usage-error.ts';
import { DefinitionError } from './definition-error.ts';
import { INFO, wrongMember } from './entry-shape.ts';
import { notJson } from './input/json-data.ts';
import { assertInputOptions } from './input/scope.ts';
import type { InputOptions } from './input/scope.ts';
import { outOfRange, TIMEOUT } from './integer-range.ts';
import type { IntegerRange } from './integer-range.ts';

const NUMBERS: { readonly [option: string]: IntegerRange } = {
  pageSize: { least: 1 },
  timeoutMs: TIMEOUT,
  maxWatchedResources: { least: 0 },
};
const SCHEMA_BOUNDS = ['depth', 'subschemas', 'refHops', 'unrolled'];

/** Throws where what a server says of itself can't be sent: it stands in every result. */
export function assertInfo(info: unknown): void {
  if (!isJsonObject(info)) {
    throw new UsageError(
      `createServer takes the server's name and version first, as { name: 'example', version: '1.0.0' }, got ${jsonType(info)}`,
    );
  }
  for (const member of ['name', 'version']) {
    if (typeof info[member] !== 'string' || info[member] === '') {
      throw new DefinitionError('server', `/${member}`, 'must be a non-empty string');
    }
  }
  const wrong = wrongMember(INFO, info);
  if (wrong !== undefined) throw new DefinitionError('server', wrong.path, wrong.message);
  const problem = notJson(info);
  if (problem !== undefined) throw new DefinitionError('server', '', `must be JSON: ${problem}`);
}

/** Throws where an option can't be meant, when the server is made and not when somebody calls. */
export function assertServerOptions(options: unknown): void {
  if (!isJsonObject(options)) {
    throw new UsageError(`the options of createServer must be an object, got ${jsonType(options)}`);
  }
  for (const [name, range] of Object.entries(NUMBERS)) assertInteger(name, options[name], range);
  const { schemaBounds, report, bus, serverInfo, input, instructions } = options;
  assertObject('schemaBounds', schemaBounds);
  if (isJsonObject(schemaBounds)) {
    for (const name of SCHEMA_BOUNDS) assertInteger(`schemaBounds.${name}`, schemaBounds[name], { least: 1 });
  }
  if (report !== undefined && typeof report !== 'function') {
    throw new UsageError(`report must be a function, got ${jsonType(report)}`);
  }
  if (serverInfo !== undefined && typeof serverInfo !== 'boolean') {
    throw new UsageError(`serverInfo must be true or false, got ${jsonType(serverInfo)}`);
  }
  assertBus(bus);
  assertObject('input', input);
  if (input !== undefined) assertInputOptions(input as InputOptions);
  if (instructions !== undefined && typeof instructions !== 'string') {
    throw new DefinitionError('server', '/instructions', `must be a string, got ${jsonType(instructions)}`);
  }
  assertSettings('extensions', options['extensions']);
  assertSettings('experimental', options['experimental']);
}

function assertInteger(name: string, value: unknown, range: IntegerRange): void {
  const problem = value === undefined ? undefined : outOfRange(value, range);
  if (problem !== undefined) throw new UsageError(`${name} ${problem}`);
}

function assertObject(name: string, value: unknown): void {
  if (value === undefined || isJsonObject(value)) return;
  throw new UsageError(`${name} must be an object, got ${jsonType(value)}`);
}

function assertBus(bus: unknown): void {
  if (bus === undefined) return;
  for (const member of ['publish', 'subscribe']) {
    if (typeof bus !== 'object' || bus === null || typeof Reflect.get(bus, member) !== 'function') {
      throw new UsageError(`bus must have a function ${member}: see ChangeBus`);
    }
  }
}

/** Capabilities stand in every discovery: what JSON can't hold would make the server undiscoverable. */
function assertSettings(option: 'extensions' | 'experimental', settings: unknown): void {
  if (settings === undefined) return;
  if (!isJsonObject(settings)) {
    throw new DefinitionError('server', `/${option}`, `must be an object, got ${jsonType(settings)}`);
  }
  for (const [name, value] of Object.entries(settings)) {
    const path = `/${option}/${name}`;
    if (option === 'extensions' && !isExtensionIdentifier(name)) {
      throw new DefinitionError(
        'server',
        path,
        'an extension is named with a prefix, such as com.example/name',
      );
    }
    if (!isJsonObject(value)) {
      throw new DefinitionError('server', path, `must be an object of settings, got ${jsonType(value)}`);
    }
    const problem = notJson(value);
    if (problem !== undefined) throw new DefinitionError('server', path, `must be JSON: ${problem}`);
  }
}
