import { UsageError } from './usage-error.ts';

/** What a timer can wait: more would fire at once. */
const LONGEST_MS = 2 ** 31 - 1;

/**
 * Throws where a bound among the options can't be meant: numbers (`max…`) are integers or `Infinity`, times (`…Ms`)
 * integers that a timer can wait. `where` stands before the name, as in `legacy.`.
 */
export function assertBounds(options: object, where = ''): void {
  for (const [name, value] of Object.entries(options) as [string, unknown][]) {
    const isTime = name.endsWith('Ms');
    if (value === undefined || !(isTime || name.startsWith('max'))) continue;
    const most = isTime && name !== 'maxAgeMs' ? LONGEST_MS : Infinity;
    const isBound = typeof value === 'number' && value >= 0 && value <= most;
    if (isBound && (Number.isSafeInteger(value) || value === Infinity)) continue;
    const range = most === Infinity ? 'an integer from 0 on, or Infinity' : `an integer from 0 to ${most}`;
    throw new UsageError(
      `${where}${name} must be ${range}, got ${typeof value === 'number' ? value : JSON.stringify(value)}`,
    );
  }
}

/** The defaults with what was given; an option that is undefined was not given. */
export function withDefaults<T extends object>(defaults: T, given: object): T {
  const present = Object.entries(given).filter(([name, value]) => name in defaults && value !== undefined);
  return { ...defaults, ...Object.fromEntries(present) };
}
