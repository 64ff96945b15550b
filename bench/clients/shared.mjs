// What every client of the comparison does: warm up, then make calls with a fixed number in flight, and tell what they
// cost. The CPU is that of this process alone: the server is another.
const [target, count, window] = process.argv.slice(2);

/** call: (a) → the sum a + 2, as the server gave it. Prints {calls, ms, cpuUs}. */
export async function measure(call) {
  await load(call, Number(count) / 2);
  const cpu = process.cpuUsage();
  const start = performance.now();
  await load(call, Number(count));
  const ms = performance.now() - start;
  const { user, system } = process.cpuUsage(cpu);
  console.log(JSON.stringify({ calls: Number(count), ms, cpuUs: user + system }));
}

export { target };

async function load(call, calls) {
  let next = 0;
  const worker = async () => {
    while (next < calls) {
      const a = next++;
      const sum = await call(a);
      if (sum !== a + 2) throw new Error(`${a} + 2 is not ${sum}`);
    }
  };
  await Promise.all(Array.from({ length: Number(window) }, worker));
}

export const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
