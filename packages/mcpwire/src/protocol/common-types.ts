/** Small types that several parts of the specification share (schema, "Common Types"). */

export type Role = 'user' | 'assistant';

/** Any `_meta` object of a message part. Keys follow the grammar in `meta-keys.ts`. */
export type MetaObject = { readonly [key: string]: unknown };

/** An image that a user interface may show (basic/index, "icons"). */
export interface Icon {
  /** https: or data: URI. */
  readonly src: string;
  readonly mimeType?: string;
  /** Such as `48x48` or `any`. */
  readonly sizes?: readonly string[];
  readonly theme?: 'light' | 'dark';
}

/** Hints for how to use or show something (server/resources, "Annotations"). */
export interface Annotations {
  readonly audience?: readonly Role[];
  /** 0 (least) to 1 (most important). */
  readonly priority?: number;
  /** ISO 8601 time. */
  readonly lastModified?: string;
}

/** Name and version of a program, self-reported and never verified. */
export interface Implementation {
  readonly name: string;
  readonly version: string;
  readonly title?: string;
  readonly description?: string;
  readonly websiteUrl?: string;
  readonly icons?: readonly Icon[];
}

/** Severities of RFC 5424, least severe first (server/utilities/logging). */
export const LOGGING_LEVELS = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
] as const;

export type LoggingLevel = (typeof LOGGING_LEVELS)[number];

export function isLoggingLevel(value: unknown): value is LoggingLevel {
  return (LOGGING_LEVELS as readonly unknown[]).includes(value);
}

export type ProgressToken = string | number;
export type Cursor = string;
export type CacheScope = 'public' | 'private';
