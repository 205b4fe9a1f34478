// Memory, processor time and the event loop of this process, by the names that Prometheus' own clients use.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { metrics } from '@opentelemetry/api';
import { gauges } from './metrics.ts';

const NANOSECONDS = 1e9;
/** A shorter delay than this, in ms, is not seen. */
const RESOLUTION_MS = 20;

export function measureProcess(): () => void {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  gauges(
    {
      process_resident_memory_bytes: 'Memory of the process.',
      nodejs_heap_size_used_bytes: 'Memory that JavaScript uses.',
      process_start_time_seconds: 'When the process started, in seconds since 1970.',
      nodejs_eventloop_lag_p99_seconds:
        'How late the event loop was since the last scrape: 99 % of times less.',
      nodejs_eventloop_lag_max_seconds: 'How late the event loop was since the last scrape, at most.',
    },
    (report) => {
      const { rss, heapUsed } = process.memoryUsage();
      report('process_resident_memory_bytes', rss);
      report('nodejs_heap_size_used_bytes', heapUsed);
      report('process_start_time_seconds', performance.timeOrigin / 1_000);
      report('nodejs_eventloop_lag_p99_seconds', late(delay.percentile(99)));
      report('nodejs_eventloop_lag_max_seconds', late(delay.max));
      delay.reset();
    },
  );
  metrics
    .getMeter('lockerflow')
    .createObservableCounter('process_cpu_seconds_total', { description: 'Processor time of the process.' })
    .addCallback((result) => {
      const { user, system } = process.cpuUsage();
      result.observe((user + system) / 1e6);
    });
  return () => delay.disable();
}

/** The monitor tells its own interval with the delay. */
const late = (nanoseconds: number): number =>
  Math.max(0, (nanoseconds || 0) / NANOSECONDS - RESOLUTION_MS / 1_000);
