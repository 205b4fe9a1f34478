// Which open flows have not heard of what the service says of their shipments: one look at some shipments. A change that
// is under way shows too: the caller waits, and looks again.
import type { Client } from '@temporalio/client';
import { listedHolders, uidsOf } from '../owners.ts';
import { Pace } from '../pace.ts';
import { comparedFlows, type Execution, onTaskQueue, SEARCHES_PER_SECOND } from './compared-flow.ts';
import type { Disagreement } from './disagreement.ts';
import { disagreements, type ServiceShipment } from './judge.ts';

export interface BehindOptions {
  /** Only its flows: those of another one may be another tenant's. */
  readonly taskQueue: string;
  /** Questions to flows in a second. */
  readonly perSecond: number;
}

export interface Behind {
  readonly behind: readonly Disagreement[];
  /** No open flow was found for these, or it did not answer: nothing is known. */
  readonly unknown: ReadonlySet<string>;
}

export async function behindService(
  client: Client,
  shipments: readonly ServiceShipment[],
  { taskQueue, perSecond }: BehindOptions,
): Promise<Behind> {
  const found = await openHolders(client, shipments, taskQueue);
  const unanswered = new Set<string>();
  const asking = { client, questions: new Pace(perSecond), unanswered, signal: undefined };
  const flows = await comparedFlows(asking, found);
  const stores = {
    flows,
    shipments: new Map(shipments.map((each) => [each.shipmentUid, each])),
    earlierHolders: new Map(),
    lockers: new Map(),
  };
  const known = new Set(flows.flatMap(({ legs }) => legs.map(({ shipmentUid }) => shipmentUid)));
  const silent = new Set(found.filter(({ workflowId }) => unanswered.has(workflowId)).flatMap(uidsOf));
  const uids = shipments.map(({ shipmentUid }) => shipmentUid);
  return {
    behind: disagreements(stores).filter(({ kind }) => kind === 'lateCallback'),
    unknown: new Set(uids.filter((uid) => !known.has(uid) || silent.has(uid))),
  };
}

async function openHolders(
  client: Client,
  shipments: readonly ServiceShipment[],
  taskQueue: string,
): Promise<Execution[]> {
  const uids = shipments.map(({ shipmentUid }) => shipmentUid);
  const which = `ExecutionStatus = 'Running' AND ${onTaskQueue(taskQueue)}`;
  const found = new Map<string, Execution>();
  for await (const each of listedHolders(client, uids, { pace: new Pace(SEARCHES_PER_SECOND), which }))
    found.set(each.workflowId, each);
  return [...found.values()];
}
