import { REVISION_2026_07_28 } from './2026-07-28/revision.ts';
import type { Revision } from './revision.ts';

/** Every revision served here, newest first. The only list of revisions in the code. */
const REVISIONS: readonly Revision[] = [REVISION_2026_07_28];

/** Versions of the modern era, newest first. */
export const MODERN_VERSIONS: readonly string[] = REVISIONS.filter(
  (revision) => revision.era === 'modern',
).map((revision) => revision.version);

/** The newest revision: the language of the inside. */
export const LATEST_VERSION = '2026-07-28';
