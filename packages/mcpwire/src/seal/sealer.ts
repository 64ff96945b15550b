import { decodeBase64, encodeBase64 } from '../protocol/base64.ts';
import { isJsonObject } from '../protocol/json.ts';
import type { JsonObject } from '../protocol/json.ts';
import { UsageError } from '../protocol/usage-error.ts';
import { assertSecrets } from './secrets.ts';

/** Format of sealed values: a byte for the format, four that name the key, twelve of nonce, then AES-256-GCM. */
const FORMAT = 1;
const KEY_ID_BYTES = 4;
const NONCE_BYTES = 12;
const HEAD_BYTES = 1 + KEY_ID_BYTES + NONCE_BYTES;

/** What a sealed value is bound to: it opens only where all of it is the same. */
export interface SealContext {
  /** What the value is for, such as `session`. Each purpose has keys of its own. */
  readonly purpose: string;
  /** Whom and what it belongs to: principal, method, digest of arguments. */
  readonly bound: readonly string[];
}

interface Secret {
  readonly id: Uint8Array<ArrayBuffer>;
  readonly material: CryptoKey;
  readonly keys: Map<string, Promise<CryptoKey>>;
}

/**
 * Protects values that travel through a client and come back (DESIGN "Sealed values"): nobody else can read, change or
 * reuse them. With secrets of your own, the first seals and all of them open, so that keys can be rotated and shared by
 * a fleet; without, a random one lives as long as this object.
 */
export class Sealer {
  readonly #secrets: Promise<readonly Secret[]>;
  readonly #now: () => number;

  constructor(secrets?: readonly string[], now: () => number = Date.now) {
    if (secrets !== undefined) assertSecrets(secrets);
    const raw = secrets?.map((secret) => new TextEncoder().encode(secret)) ?? [
      crypto.getRandomValues(new Uint8Array(32)),
    ];
    this.#secrets = Promise.all(raw.map(importSecret));
    this.#now = now;
  }

  /** Seals a value for `ttlMs` milliseconds. The text is safe in headers and URLs. */
  async seal(value: JsonObject, context: SealContext, ttlMs: number): Promise<string> {
    const [secret] = await this.#secrets;
    if (secret === undefined) throw new UsageError('no secret to seal with');
    const key = await keyFor(secret, context.purpose);
    const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
    const plain = new TextEncoder().encode(JSON.stringify({ value, expires: this.#now() + ttlMs }));
    const sealed = await crypto.subtle.encrypt(
      { name: 'AES-GCM', iv: nonce, additionalData: bind(context) },
      key,
      plain,
    );
    const bytes = new Uint8Array(HEAD_BYTES + sealed.byteLength);
    bytes.set([FORMAT]);
    bytes.set(secret.id, 1);
    bytes.set(nonce, 1 + KEY_ID_BYTES);
    bytes.set(new Uint8Array(sealed), HEAD_BYTES);
    return toUrlBase64(bytes);
  }

  /** The value, or undefined where it was changed, has expired, belongs elsewhere, or was never sealed here. */
  async open(text: string, context: SealContext): Promise<JsonObject | undefined> {
    const opened = await this.inspect(text, context);
    return opened.ok ? opened.value : undefined;
  }

  /** Like `open`, with the reason of a refusal: for logs, never for whoever sent the value. */
  async inspect(text: string, context: SealContext): Promise<Opened> {
    const bytes = fromUrlBase64(text);
    if (bytes === undefined || bytes.length <= HEAD_BYTES || bytes[0] !== FORMAT) {
      return refused('it is no sealed value');
    }
    const id = bytes.subarray(1, 1 + KEY_ID_BYTES);
    const secret = (await this.#secrets).find((known) => known.id.every((byte, at) => byte === id[at]));
    if (secret === undefined) return refused('no secret of ours sealed it');
    const key = await keyFor(secret, context.purpose);
    const iv = bytes.slice(1 + KEY_ID_BYTES, HEAD_BYTES);
    const plain = await crypto.subtle
      .decrypt({ name: 'AES-GCM', iv, additionalData: bind(context) }, key, bytes.slice(HEAD_BYTES))
      .catch(() => undefined); // the platform's only word for "not authentic"
    if (plain === undefined) {
      return refused(`it was changed, or belongs to other than ${context.bound.join(', ')}`);
    }
    const content: unknown = JSON.parse(new TextDecoder().decode(plain));
    if (!isJsonObject(content) || !isJsonObject(content['value'])) return refused('it holds no value');
    return Number(content['expires']) > this.#now()
      ? { ok: true, value: content['value'] }
      : refused('it has expired');
  }
}

/** A sealed value that was opened, or why it wasn't. */
export type Opened =
  | { readonly ok: true; readonly value: JsonObject }
  | { readonly ok: false; readonly reason: string };

function refused(reason: string): Opened {
  return { ok: false, reason };
}

async function importSecret(raw: Uint8Array<ArrayBuffer>): Promise<Secret> {
  const digest = await crypto.subtle.digest('SHA-256', raw);
  const material = await crypto.subtle.importKey('raw', raw, 'HKDF', false, ['deriveKey']);
  return { id: new Uint8Array(digest.slice(0, KEY_ID_BYTES)), material, keys: new Map() };
}

function keyFor(secret: Secret, purpose: string): Promise<CryptoKey> {
  let key = secret.keys.get(purpose);
  if (key === undefined) {
    const info = new TextEncoder().encode(`mcpwire ${purpose}`);
    const derivation = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(0), info };
    const usages: readonly ['encrypt', 'decrypt'] = ['encrypt', 'decrypt'];
    key = crypto.subtle.deriveKey(
      derivation,
      secret.material,
      { name: 'AES-GCM', length: 256 },
      false,
      usages,
    );
    secret.keys.set(purpose, key);
  }
  return key;
}

/** Lengths stand before the parts, so that no two contexts read the same. */
function bind(context: SealContext): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(
    [context.purpose, ...context.bound].map((part) => `${part.length}:${part}`).join(''),
  );
}

function toUrlBase64(bytes: Uint8Array): string {
  return encodeBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

function fromUrlBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[A-Za-z0-9_-]*$/.test(text)) return undefined;
  const padding = '='.repeat((4 - (text.length % 4)) % 4);
  const bytes = decodeBase64(text.replaceAll('-', '+').replaceAll('_', '/') + padding);
  return bytes === undefined ? undefined : new Uint8Array(bytes);
}
