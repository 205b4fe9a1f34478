// Loaded into the service's process before the service itself: tells how much its heap holds when asked.

process.on('message', () => {
  globalThis.gc?.();
  process.send?.(process.memoryUsage().heapUsed);
});
// The channel alone must not keep the process from ending.
process.channel?.unref();
