/** The calling code's own mistake: thrown at once, never sent to a peer. */
export class UsageError extends Error {
  override readonly name: string = 'UsageError';
}
