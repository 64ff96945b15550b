import type { ClientCapabilities } from '../../protocol/capabilities.ts';
import type { Implementation } from '../../protocol/common-types.ts';
import type { RequestMeta } from '../../protocol/handler.ts';
import type { JsonObject } from '../../protocol/json.ts';
import { MetaKey } from '../../protocol/meta-keys.ts';
import { LATEST_VERSION } from '../../protocol/revisions/index.ts';
import type { Question } from '../../protocol/revisions/step.ts';
import type { Reporter } from '../../transport/report.ts';

/** What the two sides tell each other when they meet, and how long each wait of it may take. */
export interface EraSettings {
  readonly clientInfo: Implementation;
  readonly capabilities: ClientCapabilities;
  /** Answers questions that a legacy server asks outside of any call. */
  readonly answer: (question: Question, signal: AbortSignal) => Promise<JsonObject>;
  readonly report: Reporter;
  /** `auto` finds out; the others don't ask. */
  readonly era: 'auto' | 'modern' | 'legacy';
  /** Milliseconds of silence after which a stdio server is offered `initialize` as well. */
  readonly probeMs: number;
  /** Milliseconds that connecting may take in all. */
  readonly connectMs: number;
}

/** The `_meta` of the requests that find out the era. */
export function probeMeta(settings: EraSettings): RequestMeta {
  return {
    [MetaKey.protocolVersion]: LATEST_VERSION,
    [MetaKey.clientCapabilities]: settings.capabilities,
    [MetaKey.clientInfo]: settings.clientInfo,
  };
}
