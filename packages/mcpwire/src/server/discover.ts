import type { ServerCapabilities } from '../protocol/capabilities.ts';
import type { MetaObject } from '../protocol/common-types.ts';
import { withEncoding } from '../protocol/encoded.ts';
import type { DiscoverResult } from '../protocol/results.ts';
import { MODERN_VERSIONS } from '../protocol/revisions/index.ts';
import type { Definition } from './definition.ts';
import type { ServerOptions, ServerSettings } from './settings.ts';

/** What a definition offers, as capabilities: nothing is declared that it doesn't have (DISC-03). */
export function deriveCapabilities(definition: Definition, options: ServerOptions): ServerCapabilities {
  const { tools, resources, templates, prompts, methods } = definition;
  const completes = [...prompts.values(), ...templates.values()].some(
    (entry) => Object.keys(entry.complete).length > 0,
  );
  const hasHandlers = tools.size + resources.size + templates.size + prompts.size + methods.size > 0;
  return {
    ...(tools.size > 0 ? { tools: { listChanged: true } } : {}),
    ...(resources.size + templates.size > 0 ? { resources: { listChanged: true, subscribe: true } } : {}),
    ...(prompts.size > 0 ? { prompts: { listChanged: true } } : {}),
    ...(completes ? { completions: {} } : {}),
    ...(hasHandlers ? { logging: {} } : {}),
    ...(options.extensions === undefined ? {} : { extensions: options.extensions }),
    ...(options.experimental === undefined ? {} : { experimental: options.experimental }),
  };
}

/** The answer to `server/discover` (server/discover), encoded once. */
export function discoverResult(
  capabilities: ServerCapabilities,
  options: ServerOptions,
  settings: ServerSettings,
  meta: MetaObject,
): DiscoverResult {
  return withEncoding({
    resultType: 'complete',
    supportedVersions: MODERN_VERSIONS,
    capabilities,
    ...(options.instructions === undefined ? {} : { instructions: options.instructions }),
    ttlMs: settings.cache.ttlMs,
    cacheScope: settings.cache.scope,
    _meta: meta,
  });
}
