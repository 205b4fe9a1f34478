// What the benchmark asks of an engine, and one flow played on it from its start to its result.
import { Agent, request } from 'undici';
import type { ShipmentReport } from '../../../contract/flows/flow-messages.ts';
import type { Program } from '../programs.ts';
import { machineNow } from '../reached.ts';
import { bookedStep, type LoanRequest, reportStep, reportsOf } from './full-circle.ts';

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
  /** Bytes that the engine keeps of all flows so far, without its queues. */
  storedBytes(): Promise<number>;
}

export interface PlayedFlow {
  /** Milliseconds from the start to the flow having its booking. */
  readonly bookedAfter: number;
  /** Milliseconds of each report, from its being given to the engine to the flow having it. */
  readonly waits: readonly number[];
}

/** A report comes once the flow has seen the one before: people walk to a locker between two of them. */
export async function play(engine: Engine, flowId: string): Promise<PlayedFlow> {
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

// As many flows at once, each with a result that is waited for and a report.
const dispatcher = new Agent({ connections: 128, headersTimeout: 0, bodyTimeout: 0 });

/** To an engine whose public entry is HTTP. Gives the JSON of the answer; throws unless it is 2xx. */
export async function post(url: string, body: unknown): Promise<unknown> {
  const { statusCode, body: answer } = await request(url, {
    dispatcher,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const said = await answer.text();
  if (statusCode < 200 || statusCode > 299) throw new Error(`POST ${url}: ${statusCode} ${said}`);
  return said === '' ? null : JSON.parse(said);
}
