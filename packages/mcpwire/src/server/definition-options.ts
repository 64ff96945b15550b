import { isJsonObject, jsonType } from '../protocol/json.ts';
import { DefinitionError } from './definition-error.ts';
import { copyMembers, wrongMember } from './entry-shape.ts';
import { outOfRange, TIMEOUT } from './integer-range.ts';

/** Throws where the arguments of a definition are not what every kind of definition takes. */
export function assertOptions(subject: string, options: unknown, run: unknown, runIs = 'handler'): void {
  if (!isJsonObject(options)) {
    throw new DefinitionError(
      subject,
      '',
      `the options (second argument) must be an object, got ${jsonType(options)}; give {} for none`,
    );
  }
  if (typeof run !== 'function') {
    throw new DefinitionError(
      subject,
      '',
      `the ${runIs} must be a function (third argument), got ${jsonType(run)}`,
    );
  }
  const { visible, timeoutMs, complete, list } = options;
  assertFunction(subject, '/visible', visible);
  assertFunction(subject, '/list', list);
  const problem = timeoutMs === undefined ? undefined : outOfRange(timeoutMs, TIMEOUT);
  if (problem !== undefined) throw new DefinitionError(subject, '/timeoutMs', problem);
  if (complete === undefined) return;
  if (!isJsonObject(complete)) {
    throw new DefinitionError(subject, '/complete', `must be an object, got ${jsonType(complete)}`);
  }
  for (const name of Object.keys(complete)) assertFunction(subject, `/complete/${name}`, complete[name]);
}

/** What of the options stands in a list, checked and copied. One entry that can't be sent would take its list down. */
export function listedMembers<O extends object, K extends keyof O>(
  subject: string,
  members: Parameters<typeof wrongMember>[0] & { readonly [member in K]: unknown },
  options: O,
): Pick<O, K> {
  const wrong = wrongMember(members, options as { readonly [member: string]: unknown });
  if (wrong !== undefined) throw new DefinitionError(subject, wrong.path, wrong.message);
  return copyMembers<O, K>(members, options);
}

function assertFunction(subject: string, path: string, value: unknown): void {
  if (value === undefined || typeof value === 'function') return;
  throw new DefinitionError(subject, path, `must be a function, got ${jsonType(value)}`);
}
