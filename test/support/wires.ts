import type { TestContext } from 'node:test';
import type { ServerOptions } from 'mcpwire/server';
import { rulesServer } from '../fixtures/rules-server.ts';
import { serve } from './http-peer.ts';
import { startStdio } from './stdio-peer.ts';

/** A client of the rules fixture, whatever the transport. */
interface Wire {
  /** Sends a request and gives everything up to and including its answer. */
  exchange(message: unknown): Promise<readonly unknown[]>;
  /** Sends a request and gives its answer. */
  ask(message: unknown): Promise<unknown>;
}

type Start = (
  t: TestContext,
  options?: Pick<ServerOptions, 'pageSize' | 'serverInfo' | 'cache'>,
  /** `false` leaves the legacy era out, where a rule is about a server that has none. */
  legacy?: false,
) => Promise<Wire>;

/** The rules fixture behind each transport: rules of messages hold on both. */
export const WIRES: { readonly [name: string]: Start } = {
  stdio: (t, server = {}, legacy) =>
    Promise.resolve(
      startStdio(t, { server: { ...server }, ...(legacy === undefined ? {} : { stdio: { legacy } }) }),
    ),
  async http(t, server, legacy) {
    const peer = await serve(t, rulesServer(server), legacy === undefined ? {} : { legacy });
    return {
      exchange: (message) => peer.exchange(message),
      ask: async (message) => (await peer.exchange(message)).at(-1),
    };
  },
};
