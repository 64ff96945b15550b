import type { Context } from 'mcpwire/server';
import * as z from 'zod';
import type { Folder } from './folder.ts';

export const searchOptions = {
  title: 'Search the documentation',
  description: 'Finds the lines that contain a text, whatever its case.',
  input: z.object({
    query: z.string().min(1).describe('Text to look for'),
    limit: z.int().min(1).max(200).default(20).describe('Most lines to return'),
  }),
  output: z.object({
    matches: z.array(
      z.object({
        file: z.string().describe('Path of the file, below the folder'),
        line: z.int().describe('Number of the line, from 1'),
        text: z.string(),
      }),
    ),
    complete: z.boolean().describe('False where there are more lines than the limit'),
  }),
  annotations: { readOnlyHint: true, openWorldHint: false },
};

/** Reads one file after the other, tells after each how far it is, and stops when the caller gives up. */
export async function search(
  folder: Folder,
  { query, limit }: z.output<typeof searchOptions.input>,
  context: Context,
): Promise<z.input<typeof searchOptions.output>> {
  const files = await folder.list();
  const wanted = query.toLowerCase();
  const matches: { file: string; line: number; text: string }[] = [];
  for (const [index, file] of files.entries()) {
    const text = (await folder.read(file, context.signal)) ?? '';
    for (const [at, line] of text.split(/\r?\n/).entries()) {
      if (!line.toLowerCase().includes(wanted)) continue;
      if (matches.length === limit) return { matches, complete: false };
      matches.push({ file, line: at + 1, text: line.trim() });
    }
    await context.progress(index + 1, files.length, file);
  }
  return { matches, complete: true };
}
