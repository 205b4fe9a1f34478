// Loaded into a server's process before the server itself: tells the peak of its memory, and its longest silence since it was
// asked last.
import { monitorEventLoopDelay } from 'node:perf_hooks';

const RESOLUTION_MS = 5;
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
delay.enable();

process.on('message', () => {
  const peakMegabytes = Math.round(process.resourceUsage().maxRSS / 1_024);
  process.send?.({ peakMegabytes, silentMs: Math.round(delay.max / 1e6) });
  delay.reset();
});
// The channel alone must not keep the process from ending.
process.channel?.unref();
