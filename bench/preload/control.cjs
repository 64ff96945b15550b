// Loaded into stdio peers, whose stdout belongs to the protocol: answers the harness over the IPC channel.
process.on('message', (request) => {
  if (request === 'gc') {
    // Twice: what the first pass frees can release more, finalizers among it.
    globalThis.gc();
    globalThis.gc();
  }
  process.send({ cpu: process.cpuUsage(), memory: process.memoryUsage() });
});
// The channel must not keep a peer alive that has nothing left to do.
process.channel.unref();
