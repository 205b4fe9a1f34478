// Gives a report to every running process that owns its shipment by the search attribute LockerShipmentUids: behind callbacks that
// are kept, because visibility lags and answers few queries a second.
import type { Client } from '@temporalio/client';
import type { ShipmentReport } from '../../contract/flows/flow-messages.ts';
import { type OwnerLookup, ownerLookup } from './owner-lookup.ts';
import { type Owner, workflowIdsOf } from './owners.ts';
import { Pace } from './pace.ts';
import type { Routed } from './route-report.ts';
import { hasNoNeedOf, RunningProcesses, signalReport } from './running-processes.ts';

export class OwnerSearch {
  readonly #client: Client;
  readonly #owners: OwnerLookup;
  readonly #processes: RunningProcesses;

  /** @param questionsPerSecond the limit of a namespace's visibility store is shared by all of its clients */
  constructor(client: Client, questionsPerSecond: number) {
    this.#client = client;
    this.#owners = ownerLookup(client, new Pace(questionsPerSecond));
    this.#processes = new RunningProcesses(client);
  }

  /** It looks once. Throws if Temporal does not answer. */
  async deliver(report: ShipmentReport): Promise<Routed> {
    const owners = await this.#owners(report.shipmentUid);
    const running = owners.filter(({ isRunning }) => isRunning);
    const taken = await Promise.all(
      workflowIdsOf(running).map(async (workflowId) => {
        const runs = running.filter((run) => run.workflowId === workflowId);
        return (await this.#toRuns(report, workflowId, runs)) ? [workflowId] : [];
      }),
    );
    const workflowIds = taken.flat();
    if (workflowIds.length > 0) return { to: 'flows', workflowIds };
    const closed = workflowIdsOf(owners.filter((owner) => hasNoNeedOf(owner, report)));
    return closed.length > 0 ? { to: 'closedFlow', workflowIds: closed } : { to: 'noFlow' };
  }

  /**
   * To the very run that was found: a foreign workflow that has the key by now would swallow the signal. A run that has ended may
   * continue as another one, which visibility may not show yet either.
   */
  async #toRuns(report: ShipmentReport, workflowId: string, runs: readonly Owner[]): Promise<boolean> {
    for (const { runId } of runs)
      if (await signalReport(this.#client, report, workflowId, runId)) return true;
    for (;;) {
      const process = await this.#processes.find(workflowId);
      if (!process?.isRunning || !process.shipmentUids.includes(report.shipmentUid)) return false;
      if (await signalReport(this.#client, report, workflowId, process.runId)) return true;
    }
  }
}
