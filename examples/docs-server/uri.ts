/** The template of every document's URI. `+` lets the path hold slashes. */
export const DOCUMENT = 'docs:///{+path}';

/** The URI of a document. */
export function documentUri(path: string): string {
  return `docs:///${path.split('/').map(encodeURIComponent).join('/')}`;
}
