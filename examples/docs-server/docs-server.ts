import type { Server } from 'mcpwire/server';
import { createServer } from 'mcpwire/server';
import { completePath } from './complete-path.ts';
import { explain, explainArguments } from './explain.ts';
import type { Folder } from './folder.ts';
import { search, searchOptions } from './search.ts';
import { DOCUMENT, documentUri } from './uri.ts';

/** One definition for every transport: a tool, the documents as resources, and a prompt. */
export function docsServer(folder: Folder): Server {
  const path = completePath(folder);
  return createServer(
    { name: 'docs-server', version: '1.0.0', title: 'Documentation' },
    { instructions: 'Search first, then read the documents that the search names.' },
  )
    .tool('search', searchOptions, (args, context) => search(folder, args, context))
    .resourceTemplate(
      DOCUMENT,
      {
        name: 'document',
        title: 'A document',
        mimeType: 'text/markdown',
        complete: { path },
        list: async () =>
          (await folder.list()).map((file) => ({
            uri: documentUri(file),
            name: file,
            mimeType: 'text/markdown',
          })),
      },
      (variables) => folder.read(variables.path),
    )
    .prompt(
      'explain',
      {
        title: 'Explain a document',
        description: 'Asks for an explanation of one file.',
        args: explainArguments,
        complete: { file: path },
      },
      (args) => explain(folder, args),
    );
}
