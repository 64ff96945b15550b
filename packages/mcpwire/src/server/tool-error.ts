/**
 * A tool's own failure, with a message that the model may read: becomes a result with `isError: true`
 * (server/tools, "Error Handling"). Any other exception stays in the server's log.
 */
export class ToolError extends Error {
  override readonly name: string = 'ToolError';
}
