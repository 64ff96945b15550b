import type { SchemaLike } from '../../json-schema/schema.ts';
import type { CreateMessageRequestParams, InputRequest } from '../../protocol/input.ts';
import { isJsonObject } from '../../protocol/json.ts';
import { UsageError } from '../../protocol/usage-error.ts';
import { checkOf } from '../input-question.ts';
import type { ElicitForm, ElicitUrl } from './ask-types.ts';
import { toFormSchema } from './form-schema.ts';
import type { EntryKind } from './record.ts';

/** An answer as a handler gets it, or why it is none. */
type Checked =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly reason: string };

/** One question, ready to be asked: what goes out, what identifies it, and what makes an answer good. */
export interface Asked {
  readonly kind: EntryKind;
  /** What goes to the client; `reason`: why the answer before was no good. */
  request(reason: string | undefined): InputRequest;
  /** The parts of the question that must be the same in every run. */
  readonly parts: { readonly [part: string]: unknown };
  check(answer: unknown): Checked | Promise<Checked>;
}

const ACTIONS: ReadonlySet<unknown> = new Set(['accept', 'decline', 'cancel']);

export function formQuestion(key: string, form: ElicitForm<SchemaLike>): Asked {
  const { requested, schema } = toFormSchema(key, form.schema);
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
      const checked = await schema.validate(answer['content'] ?? {});
      if (checked.ok) return good({ action: 'accept', content: checked.value });
      return bad(
        checked.issues
          .map((issue) => `${issue.path === '' ? 'the form' : issue.path.slice(1)}: ${issue.message}`)
          .join('; '),
      );
    },
  };
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
  };
}

export function samplingQuestion(params: CreateMessageRequestParams): Asked {
  return {
    kind: 'sample',
    parts: { params },
    request: () => ({ method: 'sampling/createMessage', params }),
    check(answer) {
      if (!isJsonObject(answer)) return bad('it is no message');
      const { role, content, model } = answer;
      if (role !== 'user' && role !== 'assistant') return bad('its role is neither user nor assistant');
      if (!isJsonObject(content) && !Array.isArray(content)) return bad('it has no content');
      return typeof model === 'string' ? good(answer) : bad('it names no model');
    },
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
      return roots.every((root) => isJsonObject(root) && typeof root['uri'] === 'string')
        ? good(roots)
        : bad('a root has no uri');
    },
  };
}

/** Throws where the question can't be put like this, whoever the client is. */
export function assertAskable(key: string, request: InputRequest): void {
  const problem = checkOf(request.method)?.(isJsonObject(request.params) ? request.params : {});
  if (problem !== undefined) throw new UsageError(`${JSON.stringify(key)} can't be asked: params${problem}`);
}

function withReason(message: string, reason: string | undefined): string {
  return reason === undefined ? message : `${message}\n\n(The answer before could not be used: ${reason})`;
}

function good(value: unknown): Checked {
  return { ok: true, value };
}

function bad(reason: string): Checked {
  return { ok: false, reason };
}
