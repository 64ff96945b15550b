import type { TestContext } from 'node:test';
import type { ServeHttpOptions } from 'mcpwire/node';
import { legacyServer } from '../fixtures/legacy-server.ts';
import { serve } from './http-peer.ts';
import type { LegacyWire } from './legacy-wire.ts';
import { HttpSession, StdioWire } from './legacy-wire.ts';
import type { Json } from './messages.ts';
import { startStdio } from './stdio-peer.ts';

type Bounds = ServeHttpOptions['legacy'];

type Start = (
  t: TestContext,
  version: string,
  capabilities?: Json,
  legacy?: Exclude<Bounds, false>,
) => Promise<LegacyWire>;

/** The fixture behind each transport, after a handshake: what holds for a session holds on both. */
export const LEGACY_WIRES: { readonly [name: string]: Start } = {
  stdio: (t, version, capabilities, legacy = {}) =>
    StdioWire.start(startStdio(t, { stdio: { legacy } }, 'run-legacy-stdio.js'), version, capabilities),
  http: async (t, version, capabilities, legacy = {}) =>
    HttpSession.start(await serve(t, legacyServer(), { legacy }), version, capabilities),
};
