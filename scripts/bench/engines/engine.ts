// What the benchmark asks of an engine, and one flow played on it from its start to its result. And two engines on a server of
// Temporal: the declared flows on our worker, and the flow by hand. Reports come as signals by Temporal's client.
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { LockerFlows } from '../../../client/locker-flows.ts';
import type { ShipmentReport } from '../../../contract/flows/flow-messages.ts';
import { nodeOptions } from '../../../worker/node-options.ts';
import { bundleWorkflows } from '../../../worker/workflow-bundle.ts';
import { type Program, startOwn } from '../programs.ts';
import { machineNow } from '../reached.ts';
import type { TemporalServer } from '../temporal-servers.ts';
import { bookedStep, FLOW, type LoanRequest, REPORTS, reportStep, reportsOf } from './full-circle.ts';

export interface Engine extends AsyncDisposable {
  readonly name: string;
  readonly worker: Program;
  /** The folder of its server and database: their processes have it among their arguments, or are in it. */
  readonly folder: string;
  /** By the engine's public entry, as the two below. Resolves when the engine has it on its disk. */
  begin(flowId: string, request: LoanRequest): Promise<unknown>;
  report(flowId: string, report: ShipmentReport): Promise<unknown>;
  /** Waits for the end of the flow. */
  result(flowId: string): Promise<unknown>;
}

/**
 * A report comes once the flow has seen the one before: people walk to a locker between two of them. Gives milliseconds: from the
 * start to the flow having its booking, and of each report, from its being given to the engine to the flow having it.
 */
export async function play(engine: Engine, flowId: string) {
  const request = { priorShipmentUid: `stock-${flowId}`, toUserUid: 'user-anna' };
  const after = async (step: string, act: () => Promise<unknown>) => {
    const seen = engine.worker.reached(step);
    const begunAt = machineNow();
    await act();
    return (await seen) - begunAt;
  };
  const bookedAfter = await after(bookedStep(request), () => engine.begin(flowId, request));
  const waits: number[] = [];
  for (const report of reportsOf(request.priorShipmentUid))
    waits.push(await after(reportStep(report), () => engine.report(flowId, report)));
  const { outcome } = Object(await engine.result(flowId));
  if (outcome !== 'Done') throw new Error(`${engine.name}: ${flowId} ended as ${outcome}`);
  return { bookedAfter, waits };
}

/** To an engine whose public entry is HTTP. Gives the JSON of the answer; throws unless it is 2xx. */
export async function post(url: string, body: unknown): Promise<unknown> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  const said = await answer.text();
  if (!answer.ok) throw new Error(`POST ${url}: ${answer.status} ${said}`);
  return said === '' ? null : JSON.parse(said);
}

/** The server is the caller's to stop. */
export async function startTemporalEngine(
  kind: 'declared' | 'by hand',
  { address, client, folder, words }: TemporalServer,
  lockerUrl: string,
): Promise<Engine> {
  const isDeclared = kind === 'declared';
  const flow = join(import.meta.dirname, 'temporal-flow.ts');
  const bundle = join(dirname(folder), `${kind}.js`); // Not in the folder by which the server's processes are known.
  const ofKind = isDeclared
    ? { workflowInterceptorModules: [flow] }
    : { workflowsPath: flow, preloadModules: [flow] };
  await writeFile(bundle, await bundleWorkflows(ofKind));
  const args = ['scripts/bench/temporal-worker.ts', kind, address, kind, bundle, lockerUrl];
  // As `npm run worker` has them.
  const worker = await startOwn(args, { nodeOptions: isDeclared ? nodeOptions : [] });
  const flows = new LockerFlows(client, { taskQueue: kind });
  return {
    name: `${kind}, ${words}`,
    worker,
    folder,
    begin: (workflowId, request) =>
      isDeclared
        ? flows.start(FLOW, workflowId, { request })
        : client.workflow.start('fullCircle', { workflowId, taskQueue: kind, args: [{ request }] }),
    report: (flowId, report) => client.workflow.getHandle(flowId).signal(REPORTS, report),
    result: (flowId) => client.workflow.getHandle(flowId).result(),
    [Symbol.asyncDispose]: () => worker[Symbol.asyncDispose](),
  };
}
