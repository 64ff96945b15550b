import { REVISION_2024_11_05 } from './2024-11-05/revision.ts';
import { REVISION_2025_03_26 } from './2025-03-26/revision.ts';
import { REVISION_2025_06_18 } from './2025-06-18/revision.ts';
import { REVISION_2025_11_25 } from './2025-11-25/revision.ts';
import { REVISION_2026_07_28 } from './2026-07-28/revision.ts';
import type { Revision } from './revision.ts';

/** Every revision served here, newest first. The only list of revisions in the code. */
const REVISIONS: readonly Revision[] = [
  REVISION_2026_07_28,
  REVISION_2025_11_25,
  REVISION_2025_06_18,
  REVISION_2025_03_26,
  REVISION_2024_11_05,
];

/** Versions of the modern era, newest first. */
export const MODERN_VERSIONS: readonly string[] = versionsOf('modern');

/** Versions of the legacy era, newest first. */
export const LEGACY_VERSIONS: readonly string[] = versionsOf('legacy');

/** The newest revision: the language of the inside. */
export const LATEST_VERSION = '2026-07-28';

function versionsOf(era: Revision['era']): readonly string[] {
  return REVISIONS.filter((revision) => revision.era === era).map((revision) => revision.version);
}
