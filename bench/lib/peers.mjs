// Who is compared, and where their programs are.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** In the order in which they run within a round. */
const peerNames = ['limit', 'official', 'mcpwire'];

export function availablePeers() {
  return peerNames.filter((name) => name !== 'mcpwire' || mcpwireIsBuilt());
}

export function peerFile(name, transport) {
  return `peers/${name}-${transport}.mjs`;
}

function mcpwireIsBuilt() {
  return existsSync(fileURLToPath(import.meta.resolve('mcpwire/node')));
}
