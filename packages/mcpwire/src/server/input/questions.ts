import type { SchemaLike } from '../../json-schema/schema.ts';
import type { CreateMessageRequestParams, InputRequest } from '../../protocol/input.ts';
import { isJsonObject } from '../../protocol/json.ts';
import { UsageError } from '../../protocol/usage-error.ts';
import { isSamplingContent, checkOf } from '../input-question.ts';
import type { ElicitForm, ElicitUrl } from './ask-types.ts';
import { toFormSchema } from './form-schema.ts';
import { jsonCopy, notJson } from './json-data.ts';
import type { EntryKind } from './record.ts';

/** An answer as a handler gets it and as the record keeps it, or why it is none. */
type Checked =
  | { readonly ok: true; readonly value: unknown; readonly keep: unknown }
  | { readonly ok: false; readonly reason: string };

/** One question, ready to be asked: what goes out, what identifies it, and what makes an answer good. */
export interface Asked {
  readonly kind: EntryKind;
  /** What goes to the client; `reason`: why the answer before was no good. */
  request(reason: string | undefined): InputRequest;
  /** The parts of the question that must be the same in every run. */
  readonly parts: { readonly [part: string]: unknown };
  check(answer: unknown): Checked | Promise<Checked>;
  /** The answer as the handler got it when it came, made from what the record kept. */
  recall(kept: unknown): unknown;
}

const ACTIONS: ReadonlySet<unknown> = new Set(['accept', 'decline', 'cancel']);

export function formQuestion(key: string, form: ElicitForm<SchemaLike>): Asked {
  const { requested, schema, ...checks } = toFormSchema(key, form.schema);
  return {
    kind: 'elicit',
    parts: { message: form.message, schema: requested },
    request: (reason) => ({
      method: 'elicitation/create',
      params: { mode: 'form', message: withReason(form.message, reason), requestedSchema: requested },
    }),
    async check(answer) {
      if (!isJsonObject(answer) || !ACTIONS.has(answer['action'])) {
        return bad('it has no action of accept, decline or cancel');
      }
      if (answer['action'] !== 'accept') return good({ action: answer['action'] });
      const raw = answer['content'] ?? {};
      const checked = await schema.validate(raw);
      if (checked.ok) {
        const problems = checks.formatProblems(raw, checked.value);
        return problems.length === 0 ? accepted(checked.value, raw) : bad(problems.join('; '));
      }
      return bad(
        checked.issues
          .map((issue) => `${issue.path === '' ? 'the form' : issue.path.slice(1)}: ${issue.message}`)
          .join('; '),
      );
    },
    async recall(kept) {
      if (!isJsonObject(kept) || kept['action'] !== 'accept' || !('raw' in kept)) return jsonCopy(kept);
      const checked = await schema.validate(kept['raw']);
      if (checked.ok) return { action: 'accept', content: checked.value };
      throw new UsageError(
        `the answer to ${JSON.stringify(key)} was good when it came and is not any more: ` +
          'a schema must not depend on anything that changes',
      );
    },
  };
}

/**
 * The content as the schema made it. Where that is no JSON (a date, say) it can't travel: what came is kept then, and the
 * schema makes the same of it in every run.
 */
function accepted(content: unknown, raw: unknown): Checked {
  if (notJson(content) !== undefined) {
    return { ok: true, value: { action: 'accept', content }, keep: { action: 'accept', raw } };
  }
  return good({ action: 'accept', content: jsonCopy(content) });
}

export function urlQuestion(page: ElicitUrl): Asked {
  return {
    kind: 'elicitUrl',
    parts: { message: page.message, url: page.url },
    request: (reason) => ({
      method: 'elicitation/create',
      params: { mode: 'url', message: withReason(page.message, reason), url: page.url },
    }),
    check: (answer) =>
      isJsonObject(answer) && ACTIONS.has(answer['action'])
        ? good({ action: answer['action'] })
        : bad('it has no action of accept, decline or cancel'),
    recall: jsonCopy,
  };
}

export function samplingQuestion(params: CreateMessageRequestParams): Asked {
  return {
    kind: 'sample',
    parts: { params },
    request: () => ({ method: 'sampling/createMessage', params }),
    check(answer) {
      if (!isJsonObject(answer)) return bad('it is no message');
      const { role, content, model, stopReason } = answer;
      if (role !== 'user' && role !== 'assistant') return bad('its role is neither user nor assistant');
      if (!isSamplingContent(content)) return bad('its content is no content of a message');
      if (stopReason !== undefined && typeof stopReason !== 'string') {
        return bad('its stopReason is no string');
      }
      return typeof model === 'string' ? good(answer) : bad('it names no model');
    },
    recall: jsonCopy,
  };
}

export function rootsQuestion(): Asked {
  return {
    kind: 'roots',
    parts: {},
    request: () => ({ method: 'roots/list' }),
    check(answer) {
      const roots = isJsonObject(answer) ? answer['roots'] : undefined;
      if (!Array.isArray(roots)) return bad('it has no list of roots');
      return roots.every(isRoot) ? good(roots) : bad('a root has no valid uri, or a name that is no string');
    },
    recall: jsonCopy,
  };
}

function isRoot(root: unknown): boolean {
  if (!isJsonObject(root)) return false;
  const { uri, name } = root;
  return typeof uri === 'string' && URL.canParse(uri) && (name === undefined || typeof name === 'string');
}

/** Throws where the question can't be put like this, whoever the client is. */
export function assertAskable(key: string, request: InputRequest): void {
  const problem = checkOf(request.method)?.(isJsonObject(request.params) ? request.params : {});
  if (problem !== undefined) throw new UsageError(`${JSON.stringify(key)} can't be asked: params${problem}`);
}

function withReason(message: string, reason: string | undefined): string {
  return reason === undefined ? message : `${message}\n\n(The answer before could not be used: ${reason})`;
}

/** The handler may change what it gets; the record must not change with it. */
function good(keep: unknown): Checked {
  return { ok: true, value: jsonCopy(keep), keep };
}

function bad(reason: string): Checked {
  return { ok: false, reason };
}
