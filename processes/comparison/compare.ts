// Compares what flows know of their shipments with what the locker service has. Changes nothing. What is under way looks like
// a disagreement for a moment: so each is looked at again, some seconds later, and only what has stayed is told.
import { setTimeout as pause } from 'node:timers/promises';
import type { Client, WorkflowExecutionInfo } from '@temporalio/client';
import type { FlowResult, LegResult, Progress } from '../../contract/flows/flow-answers.ts';
import type { Role } from '../../contract/flows/flow-input.ts';
import { flowRules } from '../../contract/flows/flow-rules.ts';
import type { Request, Response } from '../../contract/operations/operations.ts';
import type { Peer } from '../../contract/wire/peer.ts';
import { findShipment, listShipments, type ShipmentReader } from '../../shared/locker-api/list-shipments.ts';
import { listed, listedHolders, literal, Pace, uidsOf } from '../../shared/routing/owners.ts';
import { onTaskQueue } from '../views/flow-query.ts';
import {
  type BothStores,
  type ComparedFlow,
  type Disagreement,
  disagreements,
  type FlowLeg,
  type Holder,
  isActive,
  isToBeFound,
  placeOf,
  type ServiceLocker,
  type ServiceShipment,
} from './disagreements.ts';

/** The locker service, as the comparison asks it. */
interface ComparedService {
  readonly call: <Name extends 'GetShipments' | 'GetPickUpPoints'>(
    operation: Name,
    request: Request<Name>,
  ) => Promise<Response<Name>>;
  readonly peer: Pick<Peer, 'inOurWords'>;
}

interface CompareOptions {
  /** Only its flows: those of another one may book for another tenant. */
  readonly taskQueue: string;
  /** Flows that ended before are not compared. */
  readonly endedSince: Date;
  readonly signal: AbortSignal;
}

/** To the service, and to flows, in a second. */
const QUESTIONS_PER_SECOND = 20;
/** Until a disagreement is looked at again. */
const SETTLE_MS = 2_000;

export interface Comparison {
  readonly comparedAt: string;
  readonly endedSince: string;
  readonly flows: number;
  readonly shipments: number;
  /** False: the service has more active shipments than one comparison reads. */
  readonly isComplete: boolean;
  /** The keys of flows that did not answer. */
  readonly unanswered: readonly string[];
  readonly disagreements: readonly Disagreement[];
}

export async function compare(
  client: Client,
  service: ComparedService,
  { taskQueue, endedSince, signal }: CompareOptions,
): Promise<Comparison> {
  const reading: Reading = {
    client,
    service,
    questions: new Pace(QUESTIONS_PER_SECOND),
    searches: new Pace(SEARCHES_PER_SECOND),
    unanswered: new Set(),
    signal,
  };
  const comparedAt = new Date().toISOString();
  // The service first: a flow is told later than its service knows.
  const { shipments, isComplete } = await activeShipments(service);
  const found = await executions(reading, taskQueue, endedSince);
  const flows = await comparedFlows(reading, found);
  const active = new Map(shipments.map((each) => [each.shipmentUid, each]));
  const first = disagreements(await bothStores(reading, flows, active));
  const stayed = first.length === 0 ? [] : await lookedAtAgain(reading, first, found);
  return {
    comparedAt,
    endedSince: endedSince.toISOString(),
    flows: flows.length,
    shipments: shipments.length,
    isComplete,
    unanswered: [...reading.unanswered],
    disagreements: stayed,
  };
}

const readerOf = ({ call, peer }: ComparedService): ShipmentReader => ({
  peer,
  read: (request) => call('GetShipments', request),
});

const activeShipments = (service: ComparedService) =>
  listShipments(readerOf(service), { activeShipments: true, sortBy: 'CreatedAsc' });

interface Reading {
  readonly client: Client;
  readonly service: ComparedService;
  readonly questions: Pace;
  readonly searches: Pace;
  /** Gets the keys of flows that do not answer. */
  readonly unanswered: Set<string>;
  readonly signal: AbortSignal;
}

async function executions(
  { client, searches }: Reading,
  taskQueue: string,
  endedSince: Date,
): Promise<Execution[]> {
  const types = Object.keys(flowRules).map(literal);
  const when = `ExecutionStatus = 'Running' OR CloseTime >= '${endedSince.toISOString()}'`;
  const which = `WorkflowType IN (${types.join(', ')}) AND ${onTaskQueue(taskQueue)}`;
  const found: Execution[] = [];
  await searches.turn();
  for await (const execution of listed(client, `${which} AND (${when})`, searches))
    if (execution.status.name !== 'CONTINUED_AS_NEW') found.push(execution);
  return found;
}

async function bothStores(
  reading: Reading,
  flows: readonly ComparedFlow[],
  active: ReadonlyMap<string, ServiceShipment>,
): Promise<BothStores> {
  const shipments = new Map<string, ServiceShipment | null>(active);
  const toFind = flows.flatMap((flow) => flow.legs.filter((leg) => isToBeFound(flow, leg)));
  for (const { shipmentUid } of toFind)
    if (!shipments.has(shipmentUid)) shipments.set(shipmentUid, await asked(reading, shipmentUid));
  const held = new Set(flows.flatMap(({ legs }) => legs.map(({ shipmentUid }) => shipmentUid)));
  const notHeld = [...shipments].flatMap(([uid, each]) => (isActive(each) && !held.has(uid) ? [uid] : []));
  const earlierHolders = await holdersOf(reading, notHeld);
  const lost = toFind.filter(({ shipmentUid }) => shipments.get(shipmentUid) === null);
  return { flows, shipments, earlierHolders, lockers: await lockersOf(reading, lost) };
}

async function asked({ service, questions, signal }: Reading, uid: string): Promise<ServiceShipment | null> {
  signal.throwIfAborted();
  await questions.turn();
  return await findShipment(readerOf(service), uid);
}

async function holdersOf({ client, searches, signal }: Reading, uids: readonly string[]) {
  const holders = new Map<string, Holder[]>();
  const found = listedHolders(client, uids, { pace: searches, signal });
  for await (const execution of found)
    for (const uid of uidsOf(execution)) {
      const holder = { workflowId: execution.workflowId, status: execution.status.name };
      holders.set(uid, [...(holders.get(uid) ?? []), holder]);
    }
  return holders;
}

async function lockersOf({ service, questions }: Reading, legs: readonly FlowLeg[]) {
  const lockers = new Map<string, ServiceLocker>();
  for (const pupUid of new Set(legs.map((leg) => leg.pupUid))) {
    if (pupUid === null) continue;
    await questions.turn();
    const request = { pageNo: 1, pageSize: 1, pupUid, includeDetails: true };
    const { items } = await service.call('GetPickUpPoints', request);
    const [pickUpPoint] = items.filter((each) => each.pupUid === pupUid);
    for (const { lockerUid, lockerName, free } of pickUpPoint?.lockers ?? [])
      lockers.set(placeOf(pupUid, lockerName ?? ''), { lockerUid, isFree: free === true });
  }
  return lockers;
}

/** What no longer shows, or shows otherwise, was under way. */
async function lookedAtAgain(
  reading: Reading,
  first: readonly Disagreement[],
  found: readonly Execution[],
): Promise<Disagreement[]> {
  await pause(SETTLE_MS, undefined, { signal: reading.signal });
  const before = new Set(first.map(identityOf));
  const uids = new Set(first.map(({ shipmentUid }) => shipmentUid));
  const keys = new Set(first.flatMap(({ workflowId }) => workflowId ?? []));
  const { shipments } = await activeShipments(reading.service);
  const active = shipments.filter(({ shipmentUid }) => uids.has(shipmentUid));
  const involved = found.filter(
    (each) => keys.has(each.workflowId) || uidsOf(each).some((uid) => uids.has(uid)),
  );
  const flows = await comparedFlows(reading, involved);
  const again = disagreements(
    await bothStores(reading, flows, new Map(active.map((each) => [each.shipmentUid, each]))),
  );
  return again.filter((each) => before.has(identityOf(each)));
}

/** What two looks at the same disagreement have in common. */
const identityOf = ({ kind, shipmentUid, workflowId, flowState, serviceState }: Disagreement): string =>
  JSON.stringify([kind, shipmentUid, workflowId, flowState, serviceState]);

export type Execution = Pick<WorkflowExecutionInfo, 'workflowId' | 'runId' | 'searchAttributes'> & {
  readonly status: Pick<WorkflowExecutionInfo['status'], 'name'>;
};

// Visibility takes few questions a second from all clients of a namespace together.
const SEARCHES_PER_SECOND = 2;
const ANSWER_WITHIN_MS = 10_000;
const FLOWS_AT_A_TIME = 8;

export async function comparedFlows(reading: Reading, found: readonly Execution[]): Promise<ComparedFlow[]> {
  const flows: ComparedFlow[] = [];
  for (let from = 0; from < found.length; from += FLOWS_AT_A_TIME) {
    reading.signal.throwIfAborted();
    const some = found.slice(from, from + FLOWS_AT_A_TIME);
    for (const flow of await Promise.all(some.map((each) => comparedFlow(reading, each))))
      if (flow) flows.push(flow);
  }
  return flows;
}

/** Null: it did not answer. */
async function comparedFlow(reading: Reading, execution: Execution): Promise<ComparedFlow | null> {
  const { client, questions, unanswered } = reading;
  const { workflowId, runId } = execution;
  await questions.turn();
  try {
    const handle = client.workflow.getHandle(workflowId, runId);
    return await client.withDeadline(Date.now() + ANSWER_WITHIN_MS, async () => {
      // It may have ended since it was listed.
      const status =
        execution.status.name === 'RUNNING' ? (await handle.describe()).status.name : execution.status.name;
      // Its result needs no worker, and nothing of it is awaited.
      const result = status === 'COMPLETED' ? ((await handle.result()) as FlowResult) : undefined;
      return flowOf(workflowId, status, result ?? (await handle.query<Progress>('progress')));
    });
  } catch {
    unanswered.add(workflowId);
    return null;
  }
}

function flowOf(workflowId: string, status: string, known: FlowResult | Progress): ComparedFlow {
  const { shipments, itemsLeft, unassigned } = known;
  const isOpen = 'activity' in known;
  const legOf = (role: Role | null, leg: LegResult, isDone: boolean): FlowLeg => {
    const isItemLeft = itemsLeft.some((item) => item.shipmentUid === leg.shipmentUid);
    return { ...leg, role, isDone, isItemLeft };
  };
  return {
    workflowId,
    status,
    isFollowing: isOpen && known.activity === 'Following',
    isGivenUp: isOpen && known.resolutions.some(({ action }) => action === 'giveUp'),
    legs: [
      ...Object.entries(shipments).map(([role, leg]) =>
        legOf(role as Role, leg, 'done' in leg ? leg.done === true : true),
      ),
      ...unassigned.map((leg) => legOf(null, leg, !isOpen)),
    ],
  };
}
