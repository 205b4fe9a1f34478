// OpenTelemetry's SDK for the metrics of one of our processes, at an address where Prometheus asks for them.

import { once } from 'node:events';
import { createServer } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { metrics } from '@opentelemetry/api';
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus';
import { MeterProvider } from '@opentelemetry/sdk-metrics';
import { boundConnections } from '../http/bound-connections.ts';
import { addressOf, notListeningAt } from '../terminal/listening.ts';
import { gauges, noteMeasuring } from './metrics.ts';
import type { Telemetry } from './spans.ts';

const METRICS_PATH = '/metrics';

/** @param address host and port @param setting where it stands */
export async function startMetricsSdk(address: string, setting: string): Promise<Telemetry> {
  const exporter = new PrometheusExporter({
    // Its own server bounds nothing.
    preventServerStart: true,
    // Prometheus knows which process it has asked.
    withoutScopeInfo: true,
    withoutTargetInfo: true,
  });
  const server = createServer((request, response) => {
    if (request.url?.split('?')[0] === METRICS_PATH) exporter.getMetricsRequestHandler(request, response);
    else response.writeHead(404).end();
  }).unref();
  boundConnections(server, { onCut: () => undefined });
  await once(server.listen(addressOf(address)), 'listening').catch((cause: Error) => {
    throw notListeningAt(address, setting, cause);
  });
  const provider = new MeterProvider({ readers: [exporter] });
  metrics.setGlobalMeterProvider(provider);
  noteMeasuring(true);
  const end = measureProcess();
  return {
    async stop() {
      end();
      server.close();
      server.closeAllConnections();
      await provider.shutdown();
    },
  };
}

// Memory, processor time and the event loop of this process, by the names that Prometheus' own clients use.

const NANOSECONDS = 1e9;
/** A shorter delay than this, in ms, is not seen. */
const RESOLUTION_MS = 20;

function measureProcess(): () => void {
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
