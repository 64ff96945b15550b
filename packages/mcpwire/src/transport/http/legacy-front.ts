import { isJsonObject } from '../../protocol/json.ts';
import { MetaKey } from '../../protocol/meta-keys.ts';
import { MODERN_VERSIONS } from '../../protocol/revisions/index.ts';
import type { HttpHead } from './head.ts';
import type { OpenStreams } from './open-streams.ts';
import type { HttpSettings } from './options.ts';
import type { HttpReply } from './reply.ts';

/** Something that wants to know when its client is gone. */
export interface Disconnectable {
  disconnected(): void;
}

/** What serves the legacy era behind the same endpoint. */
export interface LegacyFront {
  /** Answers a POST of the legacy era: one message, or a batch of them. */
  post(value: unknown, head: HttpHead, reply: HttpReply): Disconnectable | undefined;
  get(head: HttpHead, reply: HttpReply): Disconnectable | undefined;
  delete(head: HttpHead, reply: HttpReply): void;
  /** Ends what is open, resolves when running requests are answered. */
  close(): Promise<void>;
  /** Cancels what still runs: in this era a lost connection does not. */
  abort(): void;
}

/** Brings the legacy era in, when its first message comes. */
export type LoadLegacyFront = (settings: HttpSettings, streams: OpenStreams) => Promise<LegacyFront>;

/**
 * The era of a POST, decided by what it carries (versioning, "Backward Compatibility"): a modern version in the header,
 * or the envelope in `_meta`, even a broken one, is modern. Of the rest, a request is legacy, and so is everything that
 * names a session.
 */
export function isModern(value: unknown, head: HttpHead): boolean {
  if (namesModernVersion(head)) return true;
  if (!isJsonObject(value)) return false;
  const { id, method, params } = value;
  const meta = isJsonObject(params) ? params['_meta'] : undefined;
  if (isJsonObject(meta) && (MetaKey.protocolVersion in meta || MetaKey.clientCapabilities in meta)) {
    return true;
  }
  const isRequest = id !== undefined && method !== undefined;
  return !isRequest && head.header('mcp-session-id') === undefined;
}

export function namesModernVersion(head: HttpHead): boolean {
  const version = head.header('mcp-protocol-version');
  return version !== undefined && MODERN_VERSIONS.includes(version.trim());
}
