import type { ClientCapabilities } from './capabilities.ts';
import type { Implementation, ProgressToken } from './common-types.ts';
import type { RequestMeta } from './handler.ts';
import { MetaKey } from './meta-keys.ts';

/**
 * The `_meta` of a request that differs from its sender's others in its progress token alone. It knows its JSON text but for
 * that, so that it is not written anew each time: that would cost as much as the rest of a request. A copy is an ordinary
 * object and has no text.
 */
export class CallMeta implements RequestMeta {
  declare readonly [MetaKey.protocolVersion]: string;
  declare readonly [MetaKey.clientInfo]: Implementation;
  declare readonly [MetaKey.clientCapabilities]: ClientCapabilities;
  readonly progressToken: ProgressToken;
  readonly [key: string]: unknown;
  readonly #beginning: string;

  constructor(sender: CallMetaSender, progressToken: number) {
    this[MetaKey.protocolVersion] = sender.protocolVersion;
    this[MetaKey.clientInfo] = sender.clientInfo;
    this[MetaKey.clientCapabilities] = sender.clientCapabilities;
    this.progressToken = progressToken;
    this.#beginning = sender.beginning;
  }

  /** The JSON text, undefined for any other object. */
  static textOf(meta: object): string | undefined {
    return #beginning in meta ? `${meta.#beginning}${String(meta.progressToken)}}` : undefined;
  }
}

/** What all requests of a sender have in common. */
export class CallMetaSender {
  readonly protocolVersion: string;
  readonly clientInfo: Implementation;
  readonly clientCapabilities: ClientCapabilities;
  /** The text of a `_meta`, up to its progress token. */
  readonly beginning: string;

  constructor(protocolVersion: string, clientInfo: Implementation, clientCapabilities: ClientCapabilities) {
    this.protocolVersion = protocolVersion;
    this.clientInfo = clientInfo;
    this.clientCapabilities = clientCapabilities;
    const fixed = {
      [MetaKey.protocolVersion]: protocolVersion,
      [MetaKey.clientInfo]: clientInfo,
      [MetaKey.clientCapabilities]: clientCapabilities,
    };
    this.beginning = `${JSON.stringify(fixed).slice(0, -1)},"progressToken":`;
  }
}
