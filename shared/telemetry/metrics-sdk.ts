// OpenTelemetry's SDK for the metrics of one of our processes, at an address where Prometheus asks for them.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { metrics } from '@opentelemetry/api';
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus';
import { MeterProvider } from '@opentelemetry/sdk-metrics';
import { boundConnections } from '../http/bound-connections.ts';
import { addressOf, notListeningAt } from '../terminal/listening.ts';
import { noteMeasuring } from './metrics.ts';
import { measureProcess } from './process-metrics.ts';
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
      // What begins afterwards in this process is not measured.
      metrics.disable();
      noteMeasuring(false);
      server.close();
      server.closeAllConnections();
      await provider.shutdown();
    },
  };
}
