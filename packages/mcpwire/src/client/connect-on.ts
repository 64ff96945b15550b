import { asError } from '../async/as-error.ts';
import { onAbort } from '../async/on-abort.ts';
import { TimeoutError } from '../async/with-timeout.ts';
import type { Implementation } from '../protocol/common-types.ts';
import { reportToConsole, safeReporter } from '../transport/report.ts';
import { assertClientOptions } from './assert-options.ts';
import { pausableClient } from './client.ts';
import type { Client } from './client.ts';
import type { WebConnectOptions } from './connect-options.ts';
import type { EraSettings } from './era/era-options.ts';
import type { Established } from './era/established.ts';
import { DEFAULT_VERDICT_MS, isFresh, Verdicts } from './era/verdict.ts';
import type { EraVerdict } from './era/verdict.ts';
import { answererOf } from './input/answer.ts';
import { capabilitiesOf } from './input/capabilities-of.ts';
import { Lifeline } from './lifeline.ts';
import { DEFAULT_CLIENT_INFO } from './requester.ts';

/** How long the end of a connect may take: processes are ended, and the error then says more. */
const GRACE_MS = 5000;

const VERDICTS = new Verdicts();

/** Finds out what a server speaks and greets it, as its transport wants it. */
export type Establish = (
  settings: EraSettings,
  known: EraVerdict | undefined,
  signal: AbortSignal,
) => Promise<Established>;

/** Connects over a transport, and puts a client around it. `key` names the server among those of this process. */
export async function connectOver<Tools>(
  key: string,
  establish: Establish,
  options: WebConnectOptions,
): Promise<Client<Tools>> {
  assertClientOptions(options);
  let server: Implementation | undefined;
  const answer = answererOf(options, () => server);
  const made: { pause?: () => () => void } = {};
  const report = safeReporter(options.report ?? reportToConsole);
  const settings: EraSettings = {
    clientInfo: options.clientInfo ?? DEFAULT_CLIENT_INFO,
    capabilities: capabilitiesOf(options),
    async answer(question, signal) {
      const resume = made.pause?.();
      try {
        return await answer(question, signal);
      } finally {
        resume?.();
      }
    },
    report,
    era: options.era ?? 'auto',
    probeMs: options.probeMs ?? 3000,
    connectMs: options.connectTimeoutMs ?? 120_000,
  };
  const open = async (ending: AbortSignal | undefined): Promise<Established> => {
    const known = VERDICTS.get(key) ?? options.verdict;
    const fresh = known !== undefined && isFresh(known, options.maxVerdictMs ?? DEFAULT_VERDICT_MS);
    const established = await withinTime(settings.connectMs, ending, (signal) =>
      establish(settings, fresh ? known : undefined, signal),
    );
    const { verdict, facts } = established;
    server = facts.serverInfo;
    if (verdict !== undefined && !(fresh && isSame(known, verdict))) {
      VERDICTS.set(key, verdict);
      try {
        options.onVerdict?.(verdict);
      } catch (error) {
        report({ kind: 'callback-failed', message: 'onVerdict threw', error });
      }
    }
    return established;
  };
  const { client, pause } = pausableClient<Tools>(
    new Lifeline(await open(options.signal), open, report, options),
    options,
  );
  made.pause = pause;
  return client;
}

function isSame(known: EraVerdict, found: EraVerdict): boolean {
  return known.era === found.era && known.version === found.version && known.transport === found.transport;
}

async function withinTime(
  ms: number,
  ending: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<Established>,
): Promise<Established> {
  const controller = new AbortController();
  const timer = setTimeout(
    () =>
      controller.abort(new TimeoutError(`the server did not get ready within ${ms} ms (connectTimeoutMs)`)),
    ms,
  );
  ending?.throwIfAborted();
  const ignore = ending === undefined ? undefined : onAbort(ending, () => controller.abort(ending.reason));
  const working = work(controller.signal);
  try {
    // What doesn't listen to the signal can't hold it; what it still brings is let go.
    return await Promise.race([working, aborted(controller.signal)]);
  } catch (error) {
    if (controller.signal.aborted) working.then((late) => late.close()).catch(() => {});
    throw error;
  } finally {
    ignore?.();
    clearTimeout(timer);
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    onAbort(signal, () => setTimeout(() => reject(asError(signal.reason)), GRACE_MS));
  });
}
