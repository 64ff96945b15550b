/** Whether the text may name a tool or a prompt (server/tools, "Tool Names"). */
export function isPlainName(name: string): boolean {
  return typeof name === 'string' && /^[A-Za-z0-9_.-]{1,128}$/.test(name);
}
