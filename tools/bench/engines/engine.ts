// What the benchmark asks of an engine, and one flow played on it from its start to its result.
import type { ShipmentReport } from '../../../contract/flows/flow-messages.ts';
import { type LoanRequest, reportsOf } from './full-circle.ts';
import { bookedStep, machineNow, reportStep } from './reached.ts';
import type { WorkerProcess } from './worker-process.ts';

export interface Engine extends AsyncDisposable {
  readonly name: string;
  readonly worker: WorkerProcess;
  /** The folder of its server and database: their processes have it among their arguments, or are in it. */
  readonly folder: string;
  /** By the engine's public entry, as the two below. Resolves when the engine has it on its disk. */
  begin(flowId: string, request: LoanRequest): Promise<void>;
  report(flowId: string, report: ShipmentReport): Promise<void>;
  /** Waits for the end of the flow. */
  result(flowId: string): Promise<unknown>;
  /** Bytes that the engine keeps of all flows so far, without its queues. */
  storedBytes(): Promise<number>;
}

export interface PlayedFlow {
  /** Milliseconds from the start to the flow having its booking. */
  readonly bookedAfter: number;
  /** Milliseconds of each report, from its being given to the engine to the flow having it. */
  readonly waits: readonly number[];
}

export const requestOf = (flowId: string): LoanRequest => ({
  priorShipmentUid: `stock-${flowId}`,
  toUserUid: 'user-anna',
});

/** Gives the milliseconds until the flow had its booking. */
export async function begun({ worker, begin }: Engine, flowId: string): Promise<number> {
  const request = requestOf(flowId);
  const booked = worker.reached(bookedStep(request.priorShipmentUid));
  const begunAt = machineNow();
  await begin(flowId, request);
  return (await booked) - begunAt;
}

/** Gives the milliseconds until the flow had it. */
export async function reported(
  { worker, report }: Engine,
  flowId: string,
  what: ShipmentReport,
): Promise<number> {
  const seen = worker.reached(reportStep(what));
  const givenAt = machineNow();
  await report(flowId, what);
  return (await seen) - givenAt;
}

/** A report comes once the flow has seen the one before: people walk to a locker between two of them. */
export async function play(engine: Engine, flowId: string): Promise<PlayedFlow> {
  const bookedAfter = await begun(engine, flowId);
  const waits: number[] = [];
  for (const each of reportsOf(requestOf(flowId).priorShipmentUid))
    waits.push(await reported(engine, flowId, each));
  const result = Object(await engine.result(flowId));
  if (result.outcome !== 'Done') throw new Error(`${engine.name}: ${flowId} ended as ${result.outcome}`);
  return { bookedAfter, waits };
}
