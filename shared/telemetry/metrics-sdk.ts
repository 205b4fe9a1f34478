// OpenTelemetry's SDK for the metrics of one of our processes, at an address where Prometheus asks for them.
import { metrics } from '@opentelemetry/api';
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus';
import { MeterProvider } from '@opentelemetry/sdk-metrics';
import { addressOf, notListeningAt } from '../terminal/listening.ts';
import { noteMeasuring } from './metrics.ts';
import { measureProcess } from './process-metrics.ts';
import type { Telemetry } from './spans.ts';

/** @param address host and port @param setting where it stands */
export async function startMetricsSdk(address: string, setting: string): Promise<Telemetry> {
  const exporter = new PrometheusExporter({
    ...addressOf(address),
    preventServerStart: true,
    // Prometheus knows which process it has asked.
    withoutScopeInfo: true,
    withoutTargetInfo: true,
  });
  await exporter.startServer().catch((cause: Error) => {
    throw notListeningAt(address, setting, cause);
  });
  const provider = new MeterProvider({ readers: [exporter] });
  metrics.setGlobalMeterProvider(provider);
  noteMeasuring(true);
  const end = measureProcess();
  return {
    async stop() {
      end();
      await provider.shutdown();
    },
  };
}
