// Turns tracing on for a process, where OpenTelemetry's own variables ask for it, and metrics, where a setting gives them an
// address. The SDK is loaded only then.
import { extname } from 'node:path';
import type { Telemetry } from './spans.ts';

type Variables = Readonly<Record<string, string | undefined>>;

const off: Telemetry = { stop: async () => undefined };
let isOn = false;

/** For what costs a query: spans need no question. */
export const isTracing = (): boolean => isOn;

/** Whether a collector is named, and nothing says that there shall be no traces. */
export const tracingRequested = (variables: Variables): boolean =>
  Boolean(variables.OTEL_EXPORTER_OTLP_ENDPOINT || variables.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT) &&
  variables.OTEL_SDK_DISABLED?.toLowerCase() !== 'true' &&
  variables.OTEL_TRACES_EXPORTER !== 'none';

/** `part` names the process in its traces, unless OTEL_SERVICE_NAME does. */
export async function startTelemetry(part: string, variables: Variables): Promise<Telemetry> {
  if (!tracingRequested(variables)) return off;
  const { startSdk } = await sdkOf<{ startSdk(part: string): Telemetry }>(
    'sdk',
    'OTEL_EXPORTER_OTLP_ENDPOINT is set',
  );
  isOn = true;
  return startSdk(part);
}

/** @param address host and port where Prometheus asks; undefined: nothing is measured, and no port is opened */
export async function startMetrics(setting: string, address: string | undefined): Promise<Telemetry> {
  if (address === undefined) return off;
  const { startMetricsSdk } = await sdkOf<{
    startMetricsSdk(address: string, setting: string): Promise<Telemetry>;
  }>('metrics-sdk', `${setting} is set`);
  return await startMetricsSdk(address, setting);
}

/** Not a part of the published package: who installs that registers an SDK of their own choice, with node --import. */
async function sdkOf<Sdk>(file: string, given: string): Promise<Sdk> {
  const path = `./${file}${extname(import.meta.url)}`;
  return (await import(path).catch((cause: Error) => {
    if (!('code' in cause && cause.code === 'ERR_MODULE_NOT_FOUND')) throw cause;
    throw new Error(
      `${given}, but this installation has no OpenTelemetry SDK (${cause.message}); unset that variable, or register an SDK with node --import (docs/telemetry.md)`,
      { cause },
    );
  })) as Sdk;
}
