import type { EraVerdict } from './era/verdict.ts';
import type { LifelineOptions } from './lifeline.ts';
import type { ClientOptions } from './options.ts';

/** How a server is connected to, whatever it is. */
export interface WebConnectOptions extends ClientOptions, LifelineOptions {
  /** Ends the connecting; later it means nothing. */
  readonly signal?: AbortSignal;
  /** `auto` finds out what the server speaks. The others insist. */
  readonly era?: 'auto' | 'modern' | 'legacy';
  /** What was found out before, as `onVerdict` told it: saves the probe. A verdict that proves wrong is corrected. */
  readonly verdict?: EraVerdict;
  /** Hears what was found out, to be kept with the configuration of the server. */
  readonly onVerdict?: (verdict: EraVerdict) => void;
  /** Milliseconds after which a verdict is found out anew. Default one day. */
  readonly maxVerdictMs?: number;
  /** Milliseconds of silence after which a stdio server is offered the handshake of older revisions too. Default 3,000. */
  readonly probeMs?: number;
  /** Milliseconds that connecting may take, downloads of `npx` included. Default 120,000. */
  readonly connectTimeoutMs?: number;
}
