import type { JsonObject } from '../../json.ts';
import { mapArray, mapContent, mapEntries, mapMessage } from '../map-parts.ts';
import { omit } from '../omit.ts';
import type { Step } from '../step.ts';

/** 2025-03-26 in the words of 2024-11-05: no audio, no tool annotations, no texts with progress. */
export const STEP_2025_03_26: Step = {
  result(method, result) {
    const listed =
      method === 'tools/list' ? mapEntries(method, result, (tool) => omit(tool, 'annotations')) : result;
    return mapContent(method, listed, (block) => oldBlock(block));
  },
  notification: (method, params) => (method === 'notifications/progress' ? omit(params, 'message') : params),
  question(question) {
    const { messages } = question.params;
    if (messages === undefined) return question;
    return {
      ...question,
      params: {
        ...question.params,
        messages: mapArray(messages, (message) => mapMessage(message, (block) => oldBlock(block))),
      },
    };
  },
  answer: (method, result) =>
    method === 'sampling/createMessage' ? mapMessage(result, (block) => oldBlock(block, 'server')) : result,
  serverCapabilities: (capabilities) => omit(capabilities, 'completions'),
};

function oldBlock(block: JsonObject, peer = 'client'): JsonObject {
  if (block['type'] !== 'audio') return block;
  return {
    type: 'text',
    text: `[Audio of type ${String(block['mimeType'])}: this ${peer}'s protocol revision has no audio content]`,
  };
}
