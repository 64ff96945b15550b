import { encodeBase64 } from '../protocol/base64.ts';
import type { MetaObject } from '../protocol/common-types.ts';
import type { ResourceContents } from '../protocol/content.ts';
import type { Exchange, Params } from '../protocol/handler.ts';
import { isJsonObject, jsonType } from '../protocol/json.ts';
import { invalidParams } from '../protocol/protocol-error.ts';
import type { ProtocolError } from '../protocol/protocol-error.ts';
import type { Result } from '../protocol/results.ts';
import { CallContext } from './call-context.ts';
import { checkResourceContents } from './content-check.ts';
import type { Definition } from './definition.ts';
import type { Askable } from './input/call-input.ts';
import { checkRetry, toQuestion, isInputRequired } from './input-shape.ts';
import type { CompiledResource, CompiledTemplate, Contents, ResourceContext } from './resource.ts';
import { andThen, runHandler } from './run-handler.ts';
import type { MaybePromise } from './run-handler.ts';
import type { ServerSettings } from './settings.ts';
import { ResultError, resultMeta } from './tool-result.ts';
import { isUri, normalizeUri } from './uri.ts';
import { isVisible } from './visibility.ts';

/** Answers `resources/read` (server/resources, "Reading Resources"): a resource of that URI, else a template that fits. */
export function readResource(
  definition: Definition,
  params: Params,
  exchange: Exchange,
  settings: ServerSettings,
  meta: MetaObject,
): MaybePromise<Result> {
  const { uri } = params;
  if (typeof uri !== 'string') throw invalidParams(`params.uri must be a string, got ${jsonType(uri)}`);
  if (!isUri(uri)) throw invalidParams('params.uri must be a URI', { uri });
  checkRetry(params);
  const context = new ReadContext(params, exchange, {
    machinery: settings.input,
    method: 'resources/read',
    target: uri,
  });
  const resource = definition.resources.get(uri) ?? definition.resourcesByNormalUri.get(normalizeUri(uri));
  if (resource !== undefined && isVisible(resource, exchange.caller)) {
    return finish(
      resource,
      runHandler(() => resource.read(context), context, resource.timeoutMs),
      context,
      meta,
    );
  }
  for (const template of definition.templates.values()) {
    if (!isVisible(template, exchange.caller)) continue;
    const variables = template.template.match(uri);
    if (variables === undefined) continue;
    return finish(
      template,
      runHandler(() => template.read(variables, context), context, template.timeoutMs),
      context,
      meta,
    );
  }
  throw notFound(uri);
}

class ReadContext extends CallContext implements ResourceContext {
  readonly uri: string;

  constructor(params: Params, exchange: Exchange, askable: Askable) {
    super(params, exchange, askable);
    this.uri = askable.target;
  }
}

function finish(
  from: CompiledResource | CompiledTemplate,
  pending: MaybePromise<unknown>,
  context: ReadContext,
  meta: MetaObject,
): MaybePromise<Result> {
  return andThen(pending, (value): MaybePromise<Result> => {
    if (isInputRequired(value)) return toQuestion(value, context.clientCapabilities, meta);
    const contents = toContents(value, context.uri, from.mimeType);
    if (contents === undefined) throw notFound(context.uri);
    const isFull = isJsonObject(value) && Array.isArray(value['contents']);
    return {
      resultType: 'complete',
      contents,
      ttlMs: from.cache.ttlMs,
      cacheScope: from.cache.scope,
      _meta: isFull ? resultMeta(value['_meta'], meta) : meta,
    };
  });
}

/** -32602 with the URI (RES-08). An empty `contents` would say that it exists (RES-11). */
function notFound(uri: string): ProtocolError {
  return invalidParams('Resource not found', { uri });
}

function toContents(
  value: unknown,
  uri: string,
  mimeType: string | undefined,
): readonly ResourceContents[] | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'string') return [one({ text: value }, uri, mimeType)];
  if (value instanceof Uint8Array) return [one({ blob: value }, uri, mimeType)];
  const list: readonly unknown[] = Array.isArray(value)
    ? value
    : isJsonObject(value) && Array.isArray(value['contents'])
      ? value['contents']
      : [value];
  return list.map((contents, index) => {
    if (!isJsonObject(contents)) {
      throw new ResultError(`contents[${index}] must be an object, got ${jsonType(contents)}`);
    }
    const complete = one(contents, uri, mimeType);
    const problem = checkResourceContents(complete);
    if (problem !== undefined) throw new ResultError(`contents[${index}] ${problem}`);
    return complete;
  });
}

function one(contents: Contents, uri: string, mimeType: string | undefined): ResourceContents {
  const { blob } = contents;
  const type = contents.mimeType ?? mimeType;
  return {
    ...contents,
    uri: contents.uri ?? uri,
    ...(type === undefined ? {} : { mimeType: type }),
    ...(blob instanceof Uint8Array ? { blob: encodeBase64(blob) } : {}),
  } as ResourceContents;
}
