// Loaded into programs whose whole life is measured: writes what it cost to descriptor 3. An IPC channel
// would cost start time of its own. CPU counts every thread, those that have ended too.
process.on('exit', () => {
  const report = { cpu: process.cpuUsage(), rss: process.memoryUsage.rss() };
  require('node:fs').writeSync(3, JSON.stringify(report));
});
