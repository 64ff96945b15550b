import { isJsonObject } from '../../protocol/json.ts';
import type { JsonObject } from '../../protocol/json.ts';
import { isUri } from '../uri.ts';

/** How a format is checked: `good` by its standard, `passable` where a schema library has its own idea of it. */
interface Format {
  readonly words: string;
  good(text: string): boolean;
  passable(text: string): boolean;
}

// No expression here can backtrack: what may follow a repetition never begins like what is repeated.
const LABEL = '[A-Za-z0-9][A-Za-z0-9-]{0,62}';
const ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
const EMAIL = new RegExp(`^${ATOM}(?:\\.${ATOM})*@${LABEL}(?:\\.${LABEL})*$`);
const DATE = /^(\d{4})-(\d\d)-(\d\d)$/;
const TIME = /^(\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?(?:[Zz]|([+-])(\d\d):(\d\d))?$/;
/** A T, seconds and an offset from UTC: RFC 3339 wants all three, some libraries take times without them. */
const WHOLE_TIME = /[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/;

/** The formats that clients know in a form (client/elicitation, "Requested Schema"). */
const FORMATS: ReadonlyMap<unknown, Format> = new Map<unknown, Format>([
  [
    'email',
    {
      words: 'must be an e-mail address',
      good: (text) => EMAIL.test(text) && !text.includes('-.') && !text.endsWith('-'),
      passable: (text) => /^[^@]+@[^\s@]+$/.test(text),
    },
  ],
  [
    'uri',
    {
      words: 'must be a URI with its scheme',
      good: (text) => isUri(text) && URL.canParse(text),
      passable: (text) => URL.canParse(text),
    },
  ],
  ['date', { words: 'must be a date such as 2026-07-28', good: isDate, passable: isDate }],
  [
    'date-time',
    {
      words: 'must be a date and a time such as 2026-07-28T12:00:00Z',
      good: (text) => isDateTime(text) && WHOLE_TIME.test(text),
      passable: isDateTime,
    },
  ],
]);

export function isFormFormat(format: unknown): boolean {
  return FORMATS.has(format);
}

/**
 * The fields of an answer that are not of their format, with the reason: JSON Schema itself only describes with
 * `format`. Where a library made something else of a field (it trims, say), either may be of the format.
 */
export function formatProblems(
  requested: JsonObject,
  raw: unknown,
  value: unknown,
  isLibrary: boolean,
): readonly string[] {
  const { properties } = requested;
  if (!isJsonObject(properties)) return [];
  return Object.entries(properties).flatMap(([name, field]) => {
    const format = FORMATS.get(isJsonObject(field) ? field['format'] : undefined);
    if (format === undefined) return [];
    const texts = [member(raw, name), member(value, name)].filter((text) => typeof text === 'string');
    const isGood = (text: string): boolean => (isLibrary ? format.passable(text) : format.good(text));
    return texts.length === 0 || texts.some(isGood) ? [] : [`${name}: ${format.words}`];
  });
}

function member(of: unknown, name: string): unknown {
  return isJsonObject(of) && Object.hasOwn(of, name) ? of[name] : undefined;
}

function isDate(text: string): boolean {
  const [, year, month, day] = (DATE.exec(text) ?? []).map(Number);
  if (year === undefined || month === undefined || day === undefined) return false;
  return month >= 1 && month <= 12 && day >= 1 && day <= daysOf(year, month);
}

function daysOf(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

function isDateTime(text: string): boolean {
  if (!isDate(text.slice(0, 10)) || !/^[Tt ]$/.test(text.charAt(10))) return false;
  const parts = TIME.exec(text.slice(11));
  if (parts === null) return false;
  const [hour, minute, second, offsetHour, offsetMinute] = [1, 2, 3, 5, 6].map((at) =>
    Number(parts[at] ?? 0),
  );
  if (hour === undefined || minute === undefined || second === undefined) return false;
  if (offsetHour === undefined || offsetMinute === undefined) return false;
  if (hour > 23 || minute > 59 || second > 60 || offsetHour > 23 || offsetMinute > 59) return false;
  // A leap second is the last of a day in UTC.
  const offset = (parts[4] === '-' ? -1 : 1) * (offsetHour * 60 + offsetMinute);
  return second < 60 || (hour * 60 + minute - offset + 2880) % 1440 === 1439;
}
