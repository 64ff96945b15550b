import type { PromptMessage } from 'mcpwire';
import { ProtocolError } from 'mcpwire/server';
import * as z from 'zod';
import type { Folder } from './folder.ts';
import { documentUri } from './uri.ts';

export const explainArguments = z.object({
  file: z.string().describe('Path of the file to explain'),
  audience: z.string().optional().describe('Who it is for, such as "a newcomer"'),
});

const INVALID_PARAMS = -32602;

/** The question, and the document itself, so that the model needs no further call. */
export async function explain(
  folder: Folder,
  { file, audience = 'a developer who is new to the project' }: z.output<typeof explainArguments>,
): Promise<PromptMessage[]> {
  const text = await folder.read(file);
  if (text === undefined) throw new ProtocolError(INVALID_PARAMS, `There is no file ${file}`);
  return [
    {
      role: 'user',
      content: { type: 'text', text: `Explain ${file} to ${audience}. Keep to what it says.` },
    },
    {
      role: 'user',
      content: {
        type: 'resource',
        resource: { uri: documentUri(file), mimeType: 'text/markdown', text },
      },
    },
  ];
}
