import { jsonType } from '../protocol/json.ts';

/** The integers that an option takes. */
export interface IntegerRange {
  readonly least: number;
  readonly most?: number;
  /** What the least one means, where that is not obvious. */
  readonly note?: string;
}

/** Timers of every runtime count milliseconds in 31 bits: a longer wait would end at once. */
export const TIMEOUT: IntegerRange = { least: 0, most: 2 ** 31 - 1, note: '0 turns it off' };

/** What is wrong with the value of an option, or undefined. */
export function outOfRange(value: unknown, range: IntegerRange): string | undefined {
  const { least, most = Number.MAX_SAFE_INTEGER, note } = range;
  if (Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most) return undefined;
  const bounds = range.most === undefined ? `≥ ${least}` : `from ${least} to ${most}`;
  return `must be an integer ${bounds}${note === undefined ? '' : ` (${note})`}, got ${shown(value)}`;
}

function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
  return typeof value === 'number' || typeof value === 'bigint' ? String(value) : jsonType(value);
}
