// OpenTelemetry's SDK for the metrics of one of our processes, at an address where Prometheus asks for them.
import { metrics } from '@opentelemetry/api';
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus';
import { MeterProvider } from '@opentelemetry/sdk-metrics';
import { isPortInUse, portInUse } from '../terminal/port-in-use.ts';
import { noteMeasuring } from './metrics.ts';
import { measureProcess } from './process-metrics.ts';
import type { Telemetry } from './spans.ts';

/** @param address host and port @param setting where it stands */
export async function startMetricsSdk(address: string, setting: string): Promise<Telemetry> {
  const colon = address.lastIndexOf(':');
  const port = Number(address.slice(colon + 1));
  const exporter = new PrometheusExporter({
    host: address.slice(0, colon).replaceAll(/[[\]]/g, ''),
    port,
    preventServerStart: true,
    // Prometheus knows which process it has asked.
    withoutScopeInfo: true,
    withoutTargetInfo: true,
  });
  await exporter.startServer().catch((cause: Error) => {
    if (isPortInUse(cause)) throw new Error(portInUse(port, setting), { cause });
    throw new Error(
      `${setting}: this process cannot serve its metrics at ${address} (${cause.message}); choose an address of this machine`,
      { cause },
    );
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
