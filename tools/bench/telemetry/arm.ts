// Service, receiver and worker with telemetry absent, off or on, and flows that run through them.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { WorkflowClientInterceptor } from '@temporalio/client';
import { freePort } from '../../../local/ports.ts';
import { withTrace } from '../../../runtime/telemetry/temporal/headers.ts';
import { newDatabase } from '../loaded-service.ts';
import { processorMs } from '../local-process.ts';
import { playIssue } from '../whole-flows/play.ts';
import { type PartName, startFlowProcesses } from '../whole-flows/processes.ts';

export const telemetry = ['absent', 'off', 'on'] as const;
export type Telemetry = (typeof telemetry)[number];

export interface Arm extends AsyncDisposable {
  readonly telemetry: Telemetry;
  /** One flow, from its start to its end. */
  play(): Promise<void>;
  /** Milliseconds of processor that the three processes have used so far. */
  busy(): Promise<number>;
  /** What each process tells Prometheus. */
  scrape(): Promise<string[]>;
}

export interface Surroundings {
  readonly postgresUrl: string;
  readonly temporalAddress: string;
  readonly collectorUrl: string;
  /** Paths: with our interceptors, and without. */
  readonly bundles: Readonly<Record<'traced' | 'plain', string>>;
}

/** @param taskQueue one for each arm */
export async function startArm(name: Telemetry, around: Surroundings, taskQueue: string): Promise<Arm> {
  const { postgresUrl, temporalAddress, collectorUrl, bundles } = around;
  // Where telemetry is absent it is asked for, and nothing is there to read that.
  const traces = { OTEL_EXPORTER_OTLP_ENDPOINT: name === 'off' ? '' : collectorUrl };
  const addresses: string[] = [];
  const variablesOf = async (setting: string) => {
    if (name !== 'on') return traces;
    const address = `127.0.0.1:${await freePort()}`;
    addresses.push(address);
    return { ...traces, [setting]: address };
  };
  const variables = {
    service: await variablesOf('SERVICE_METRICS_ADDRESS'),
    receiver: await variablesOf('CALLBACK_METRICS_ADDRESS'),
    worker: await variablesOf('WORKER_METRICS_ADDRESS'),
  } satisfies Record<PartName, object>;
  const running = await startFlowProcesses({
    databaseUrl: await newDatabase(postgresUrl),
    ...{ temporalAddress, taskQueue, variables },
    bundle: bundles[name === 'absent' ? 'plain' : 'traced'],
    ...(name === 'absent' && { loadedFirst: join(import.meta.dirname, 'leave-out.ts') }),
    interceptors: name === 'on' ? [startedInATrace] : [],
  });
  const ids = Object.values(running.processes).map(({ processId }) => processId);
  return {
    telemetry: name,
    async play() {
      await playIssue(running, 'pup-central');
    },
    async busy() {
      const each = await Promise.all(ids.map(processorMs));
      return each.reduce((sum, milliseconds) => sum + milliseconds, 0);
    },
    scrape: () =>
      Promise.all(addresses.map(async (address) => (await fetch(`http://${address}/metrics`)).text())),
    [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
  };
}

/** A caller that traces: without a trace at its start a flow has none. */
const startedInATrace: WorkflowClientInterceptor = {
  startWithDetails(input, next) {
    const traceparent = `00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-01`;
    return next({ ...input, headers: withTrace(input.headers, { traceparent }) });
  },
};
