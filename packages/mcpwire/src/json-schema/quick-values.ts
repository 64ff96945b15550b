import { hasLength } from './quick-strings.ts';
import type { JsonSchema } from './json-schema.ts';
import { compilePattern } from './pattern.ts';

/** Says true only if a value surely conforms; false leaves it to the library. */
export type QuickCheck = (value: unknown) => boolean;

/** Accepts nothing, for all that the quick check does not understand. */
export const LEAVE_TO_LIBRARY: QuickCheck = () => false;

/** Accepts every value that JSON can carry. */
export const anyJson: QuickCheck = (value) => {
  const type = typeof value;
  return type === 'string' || type === 'number' || type === 'object' || type === 'boolean';
};

/** A keyword that holds a number; the fallback where it is absent. */
export function limit(schema: JsonSchema, keyword: string, fallback: number): number {
  const value = schema[keyword];
  return typeof value === 'number' ? value : fallback;
}

/** Strings: `minLength`, `maxLength`, `pattern`. */
export function quickString(schema: JsonSchema): QuickCheck {
  const least = limit(schema, 'minLength', 0);
  const most = limit(schema, 'maxLength', Infinity);
  const pattern = typeof schema['pattern'] === 'string' ? compilePattern(schema['pattern']) : undefined;
  const anyLength = least === 0 && most === Infinity;
  if (pattern === undefined && anyLength) return (value) => typeof value === 'string';
  if (pattern === undefined) return (value) => typeof value === 'string' && hasLength(value, least, most);
  return (value) => typeof value === 'string' && hasLength(value, least, most) && pattern.test(value);
}

/** Numbers: the limits, `multipleOf` for whole numbers, and the type `integer`. */
export function quickNumber(schema: JsonSchema, onlyIntegers: boolean): QuickCheck {
  const least = limit(schema, 'minimum', -Infinity);
  const most = limit(schema, 'maximum', Infinity);
  const above = limit(schema, 'exclusiveMinimum', -Infinity);
  const below = limit(schema, 'exclusiveMaximum', Infinity);
  const step = limit(schema, 'multipleOf', 0);
  const isNumber = onlyIntegers ? Number.isInteger : Number.isFinite;
  if (step !== 0) {
    // Remainders of fractions are a matter of rounding, which the library decides.
    if (!Number.isInteger(step)) return LEAVE_TO_LIBRARY;
    return (value) =>
      typeof value === 'number' &&
      Number.isSafeInteger(value) &&
      value % step === 0 &&
      value >= least &&
      value <= most &&
      value > above &&
      value < below;
  }
  return (value) =>
    typeof value === 'number' &&
    isNumber(value) &&
    value >= least &&
    value <= most &&
    value > above &&
    value < below;
}

/** `enum` and `const`: by identity, so objects and arrays among the choices are left to the library. */
export function quickChoice(choices: readonly unknown[]): QuickCheck {
  const simple = new Set(choices.filter((choice) => typeof choice !== 'object' || choice === null));
  return (value) => simple.has(value);
}
