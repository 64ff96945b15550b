import { issueMessage, showTypes } from './issue-message.ts';
import { detail, listDetail } from './library-error.ts';
import type { LibraryError } from './library-error.ts';
import type { SchemaIssue } from './schema-issue.ts';

interface Cause extends LibraryError {
  readonly message: string;
}

/** Parents that only repeat what their children say. */
const REPEATS_CHILDREN: ReadonlySet<string> = new Set(['additionalProperties', 'unevaluatedProperties']);

/** More would bury the ones that matter. */
const MOST_ALTERNATIVES = 4;

/** Turns what the library reports into the leaf causes, each said once and at its path. */
export function toIssues(errors: readonly LibraryError[]): readonly SchemaIssue[] {
  let causes: Cause[] = [];
  for (const error of errors) {
    // The library reports children before parents, so a parent finds its children at the end of the list.
    const start = firstChild(causes, error);
    const children = causes.slice(start);
    causes = [...causes.slice(0, start), ...merge(error, children)];
  }
  const seen = new Set<string>();
  return causes
    .map(({ instancePath, message }) => ({ path: instancePath, message }))
    .filter(({ path, message }) => {
      const key = `${path} ${message}`;
      if (seen.has(key)) return false;
      seen.add(key);
      return true;
    });
}

function firstChild(causes: readonly Cause[], parent: LibraryError): number {
  const prefix = `${parent.schemaPath}/${parent.keyword}`;
  let start = causes.length;
  for (; start > 0; start -= 1) {
    const cause = causes[start - 1];
    if (cause === undefined || !isUnder(cause.schemaPath, prefix)) break;
    if (!isUnder(cause.instancePath, parent.instancePath)) break;
  }
  return start;
}

function isUnder(path: string, prefix: string): boolean {
  return path === prefix || path.startsWith(`${prefix}/`);
}

function merge(error: LibraryError, children: readonly Cause[]): readonly Cause[] {
  const own: Cause = { ...error, message: issueMessage(error) };
  if (error.keyword === 'anyOf' || error.keyword === 'oneOf') return mergeAlternatives(error, children);
  // What is wrong with a name would read as if it were wrong with the value.
  if (error.keyword === 'propertyNames') return [own];
  if (REPEATS_CHILDREN.has(error.keyword)) {
    const telling = children.filter((child) => child.keyword !== 'boolean' || child.instancePath === '');
    return telling.length > 0 ? telling : [own];
  }
  return [...children, own];
}

/** Shows the one alternative the value was meant for if that is plain, else what all of them ask for. */
function mergeAlternatives(error: LibraryError, children: readonly Cause[]): readonly Cause[] {
  const own = (message: string): Cause => ({ ...error, message });
  if (listDetail(error, 'passingSchemas').length > 1) {
    return [own('must match exactly one of the alternatives, but matches several')];
  }
  const branches = branchesOf(error, children);
  const meant = branches.filter((branch) => !branch.some((cause) => rulesOut(error, cause)));
  if (meant.length === 1 && meant[0] !== undefined) return meant[0];
  if (children.length > 0 && children.every((cause) => isTypeHere(error, cause))) {
    return [own(`must be ${showTypes(children.flatMap((cause) => [detail(cause, 'type')].flat()))}`)];
  }
  const firsts = branches.flatMap((branch) => branch.slice(0, 1));
  const asks = [...new Set(firsts.map((cause) => asked(error, cause)))];
  const shown = asks.slice(0, MOST_ALTERNATIVES).join('; or ');
  return [own(`must match one of the alternatives: ${shown}${asks.length > MOST_ALTERNATIVES ? '; …' : ''}`)];
}

function branchesOf(parent: LibraryError, children: readonly Cause[]): readonly (readonly Cause[])[] {
  const branches = new Map<string, Cause[]>();
  for (const child of children) {
    const rest = child.schemaPath.slice(`${parent.schemaPath}/${parent.keyword}/`.length);
    const name = rest.split('/', 1)[0] ?? '';
    branches.set(name, [...(branches.get(name) ?? []), child]);
  }
  return [...branches.values()];
}

function isTypeHere(parent: LibraryError, cause: Cause): boolean {
  return cause.keyword === 'type' && cause.instancePath === parent.instancePath;
}

/** True for causes that mean the value was never meant for this alternative: another type, another tag. */
function rulesOut(parent: LibraryError, cause: Cause): boolean {
  return isTypeHere(parent, cause) || cause.keyword === 'const';
}

function asked(parent: LibraryError, cause: Cause): string {
  const below = cause.instancePath.slice(parent.instancePath.length);
  return below === '' ? cause.message : `${below} ${cause.message}`;
}
