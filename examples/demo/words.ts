import type { Json } from './json.ts';
import { at } from './json.ts';

/** What requests ask for, in words. */
const REQUESTS: { readonly [method: string]: (name: string) => string } = {
  'server/discover': () => 'The client asks who is there, which revisions it speaks, and what it offers.',
  'tools/list': () => 'The client asks which tools there are: functions that a model may call.',
  'tools/call': (name) =>
    `The client calls the tool "${name}". A progress token asks to hear how far the work is.`,
  'resources/list': () => 'The client asks which documents it can read: resources, each with a URI.',
  'resources/read': (name) =>
    name.includes('%2e%2e')
      ? 'The client tries to get out of the folder: %2e%2e is ".." in disguise.'
      : 'The client reads a document.',
  'completion/complete': () => 'A person began to type a file name. The client asks how it could go on.',
  'prompts/get': (name) => `The client asks for the prompt "${name}": a message for a model, filled in.`,
};

/** What answers say, in words, by the method of their request. */
const ANSWERS: { readonly [method: string]: string } = {
  'server/discover': 'The server introduces itself.',
  'tools/list': 'One tool. The schemas tell a model which arguments it takes and what comes back.',
  'tools/call': 'The result: text for the model, and the same as structured content for programs.',
  'resources/list': 'The Markdown files of the folder, as they are at this moment.',
  'resources/read': 'The document.',
  'completion/complete': 'The files that fit.',
  'prompts/get': 'The messages. The document is inside, so that the model needs no further call.',
};

const REFUSAL = 'The server knows no such document, whatever lies there on the disk.';

export function requestWords(message: Json): string {
  const method = String(message['method']);
  const name = String(at(message, 'params', 'name') ?? at(message, 'params', 'uri'));
  return REQUESTS[method]?.(name) ?? `The client sends ${method}.`;
}

/** `method` is that of the request that is answered. */
export function answerWords(message: Json, method: unknown): string {
  if (message['method'] === 'notifications/progress') {
    const { params } = message;
    return `The server is at work: ${String(at(params, 'progress'))} of ${String(at(params, 'total'))} files are searched.`;
  }
  if (message['error'] !== undefined) return REFUSAL;
  return ANSWERS[String(method)] ?? 'The server answers.';
}
