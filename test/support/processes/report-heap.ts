// Loaded into the service's process before the service itself: tells how much its heap holds when asked.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

process.on('message', () => {
  // Not as a flag of the process: what Node has compiled is kept for each set of flags, and no other process has this one.
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  process.send?.(process.memoryUsage().heapUsed);
});
// The channel alone must not keep the process from ending.
process.channel?.unref();
