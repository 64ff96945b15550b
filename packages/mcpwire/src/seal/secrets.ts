import { UsageError } from '../protocol/usage-error.ts';

const MIN_LENGTH = 32;

/** Throws where secrets can't be meant. Apart from what seals, so that it can be asked before that is loaded. */
export function assertSecrets(secrets: readonly string[]): void {
  if (secrets.length === 0) throw new UsageError('name at least one secret, or leave the option out');
  for (const secret of secrets) {
    if (typeof secret !== 'string' || secret.length < MIN_LENGTH) {
      throw new UsageError(`a secret has at least ${MIN_LENGTH} characters: make it random`);
    }
  }
}
