import { encodeError } from '../../protocol/encode-message.ts';
import { invalidRequest } from '../../protocol/protocol-error.ts';
import type { RequestId } from '../../protocol/request-id.ts';
import { corsHeaders } from '../../transport/http/cors.ts';
import type { HttpHead, Refusal } from '../../transport/http/head.ts';
import { JSON_TYPE } from '../../transport/http/http-call.ts';
import type { HttpSettings } from '../../transport/http/options.ts';
import type { HttpReply } from '../../transport/http/reply.ts';
import { toErrorObject } from '../../transport/report.ts';

/** The two ends of one HTTP request. */
export interface HttpWire {
  readonly head: HttpHead;
  readonly reply: HttpReply;
}

/** Turns a request away. As JSON-RPC, because legacy clients show what stands in an error. */
export function sendRefusal(
  refusal: Refusal,
  { head, reply }: HttpWire,
  http: HttpSettings,
  id?: RequestId,
): void {
  const text = encodeError(id, invalidRequest(refusal.message).toWire());
  reply.send(refusal.status, JSON_TYPE, text, [...(refusal.headers ?? []), ...corsHeaders(head, http)]);
}

/** Answers with an error. */
export function sendError(
  id: RequestId | undefined,
  error: unknown,
  status: number,
  { head, reply }: HttpWire,
  http: HttpSettings,
): void {
  const text = encodeError(id, toErrorObject(error, 'initialize', http.report));
  reply.send(status, JSON_TYPE, text, corsHeaders(head, http));
}
