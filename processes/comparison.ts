// Compares what flows know of their shipments with what the locker service has. Changes nothing. What is under way looks like
// a disagreement for a moment: so all is looked at again, some seconds later, and only what has stayed is told.
import { setTimeout as pause } from 'node:timers/promises';
import type { Client, WorkflowExecutionInfo } from '@temporalio/client';
import pLimit from 'p-limit';
import { queried } from '../client/queried.ts';
import type { BookingProgress } from '../contract/flows/booking-progress.ts';
import type { ProcessProgress } from '../contract/flows/flow-answers.ts';
import type { Role } from '../contract/flows/flow-input.ts';
import type { FlowResult, LegResult } from '../contract/flows/flow-result.ts';
import { flowRules, flowRulesOf } from '../contract/flows/flow-rules.ts';
import type { Request } from '../contract/operations/operations.ts';
import type { ServiceProfile } from '../contract/wire/service-profile.ts';
import { hasEnded } from '../contract/wire/states.ts';
import type { LockerApi } from '../shared/locker-api/index.ts';
import {
  findShipment,
  type ListedShipment,
  listShipments,
  type ShipmentReader,
} from '../shared/locker-api/list-shipments.ts';
import { listed, listedOwners, literal, uidsOf } from '../shared/routing/owners.ts';
import { Pace } from '../shared/routing/pace.ts';
import { onTaskQueue } from './views/flow-query.ts';

interface ComparedStores {
  readonly client: Client;
  readonly api: LockerApi;
  readonly serviceProfile: Pick<ServiceProfile, 'normalize'>;
  /** Only its flows: those of another one may book for another tenant. */
  readonly taskQueue: string;
  /** Flows that ended before are not compared. */
  readonly endedSince: Date;
  readonly signal: AbortSignal;
}

/** A flow, and what it knows of its shipments. */
export interface ComparedFlow {
  readonly workflowId: string;
  /** Temporal's, like RUNNING or TERMINATED. */
  readonly status: string;
  /** Whether it knows its shipments: one that still books may find more. */
  readonly isFollowing: boolean;
  /** A person has ended it, and knows what it left. */
  readonly isGivenUp: boolean;
  readonly legs: readonly FlowLeg[];
}

export interface FlowLeg extends LegResult {
  readonly role: Role | null;
  /** The flow waits for nothing more of it. */
  readonly isDone: boolean;
  readonly isItemIn: boolean;
}

type Owner = Pick<ComparedFlow, 'workflowId' | 'status'>;

export interface Disagreement {
  readonly kind: 'lateCallback' | 'serviceBehind' | 'noShipment' | 'noFlow';
  readonly shipmentUid: string;
  /** The business key of the flow; null where there is none. */
  readonly workflowId: string | null;
  /** Temporal's status of that flow, like RUNNING or TERMINATED. */
  readonly flowStatus: string | null;
  readonly role: Role | null;
  readonly flowState: string | null;
  readonly serviceState: string | null;
  readonly pupUid: string | null;
  readonly lockerName: string | null;
  readonly lockerUid: string | null;
  /** Whether the flow says that the item lies in that locker. */
  readonly isItemIn: boolean;
}

export interface Comparison {
  readonly flows: number;
  readonly shipments: number;
  /** False: the service has more active shipments than one comparison reads. */
  readonly isComplete: boolean;
  /** The keys of flows that did not answer. */
  readonly unanswered: readonly string[];
  readonly disagreements: readonly Disagreement[];
}

/** To the service, and to flows, in a second. */
const QUESTIONS_PER_SECOND = 20;
// Visibility takes few questions a second from all clients of a namespace together.
const SEARCHES_PER_SECOND = 2;
const ANSWER_WITHIN_MS = 10_000;
const FLOWS_AT_A_TIME = 8;
const SETTLE_MS = 2_000;

type Paces = Readonly<Record<'questions' | 'searches', Pace>>;

export async function compare(stores: ComparedStores): Promise<Comparison> {
  const pace: Paces = { questions: new Pace(QUESTIONS_PER_SECOND), searches: new Pace(SEARCHES_PER_SECOND) };
  const first = await look(stores, pace);
  if (first.disagreements.length === 0) return first;
  await pause(SETTLE_MS, undefined, { signal: stores.signal });
  const second = await look(stores, pace);
  const before = new Set(first.disagreements.map(identityOf));
  return { ...second, disagreements: second.disagreements.filter((each) => before.has(identityOf(each))) };
}

/** What no longer shows, or shows otherwise, was under way. */
const identityOf = ({ kind, shipmentUid, workflowId, flowState, serviceState }: Disagreement): string =>
  JSON.stringify([kind, shipmentUid, workflowId, flowState, serviceState]);

async function look(stores: ComparedStores, pace: Paces): Promise<Comparison> {
  const { api, serviceProfile, signal } = stores;
  const call = async <Name extends 'GetShipments' | 'GetPickUpPoints'>(
    name: Name,
    request: Request<Name>,
  ) => {
    await pace.questions.turn(signal);
    return await api.call(name, request, { signal });
  };
  const reader: ShipmentReader = { serviceProfile, read: (request) => call('GetShipments', request) };
  const lockerOf = async ({ pupUid, lockerName }: FlowLeg) => {
    if (pupUid === null) return undefined;
    const request = { pageNo: 1, pageSize: 1, pupUid, includeDetails: true };
    const { items } = await call('GetPickUpPoints', request);
    const lockers = items.find((each) => each.pupUid === pupUid)?.lockers ?? [];
    return lockers.find((each) => each.lockerName === lockerName);
  };
  // The service first: a flow is told later than its service knows.
  const { shipments, isComplete } = await listShipments(reader, {
    activeShipments: true,
    sortBy: 'CreatedAsc',
  });
  const active = new Map<string, ListedShipment>();
  for (const each of shipments) if (!hasEnded(each.stateCode)) active.set(each.shipmentUid, each);
  const { flows, unanswered } = await knownFlows(stores, pace);
  const disagreements: Disagreement[] = [];
  for (const { flow, leg } of flows.flatMap((each) => each.legs.map((leg) => ({ flow: each, leg })))) {
    const uid = leg.shipmentUid;
    if (!active.has(uid) && !mustBeThere(flow, leg)) continue;
    const shipment = active.get(uid) ?? (await findShipment(reader, uid));
    const locker = shipment === null && leg.isItemIn ? await lockerOf(leg) : undefined;
    const kind = disagreementKind(flow, leg, shipment, locker?.free === false);
    const lockerUid = locker?.lockerUid ?? null;
    if (kind) disagreements.push({ ...disagreement(kind, flow, leg, shipment), lockerUid });
  }
  disagreements.push(...(await bookingsWithoutFlow(stores, pace, flows, active)));
  return { flows: flows.length, shipments: active.size, isComplete, unanswered, disagreements };
}

async function bookingsWithoutFlow(
  { client, signal }: ComparedStores,
  { searches }: Paces,
  flows: readonly ComparedFlow[],
  active: ReadonlyMap<string, ListedShipment>,
): Promise<Disagreement[]> {
  const owners = new Map<string, Owner[]>();
  const add = (uid: string, owner: Owner) => owners.set(uid, [...(owners.get(uid) ?? []), owner]);
  for (const flow of flows) for (const { shipmentUid } of flow.legs) add(shipmentUid, flow);
  // What ended before is still a flow that had it.
  const notHeld = [...active.keys()].filter((uid) => !owners.has(uid));
  for await (const found of listedOwners(client, notHeld, { pace: searches, signal }))
    for (const uid of uidsOf(found)) add(uid, { workflowId: found.workflowId, status: found.status.name });
  return [...active.values()].flatMap((shipment) => {
    const all = owners.get(shipment.shipmentUid) ?? [];
    if (all.some(({ status }) => !undidNothing.has(status))) return [];
    const byCase = flows.find(
      ({ workflowId, status }) => status === 'RUNNING' && workflowId === shipment.referenceCaseNo,
    );
    return [disagreement('noFlow', all[0] ?? byCase, undefined, shipment)];
  });
}

function disagreement(
  kind: Disagreement['kind'],
  flow: Owner | undefined,
  leg: FlowLeg | undefined,
  shipment: ListedShipment | null,
): Disagreement {
  const { shipmentUid = '', pupUid = null, lockerName = null } = leg ?? shipment ?? {};
  return {
    kind,
    shipmentUid,
    workflowId: flow?.workflowId ?? null,
    flowStatus: flow?.status ?? null,
    role: leg?.role ?? null,
    flowState: leg?.stateCode ?? null,
    serviceState: shipment?.stateCode ?? null,
    pupUid,
    lockerName,
    lockerUid: null,
    isItemIn: leg?.isItemIn ?? false,
  };
}

type Execution = Pick<WorkflowExecutionInfo, 'workflowId' | 'runId' | 'status' | 'type'>;

async function knownFlows(
  { client, taskQueue, endedSince, signal }: ComparedStores,
  { questions, searches }: Paces,
) {
  const types = Object.keys(flowRules).map(literal).join(', ');
  const when = `ExecutionStatus = 'Running' OR CloseTime >= '${endedSince.toISOString()}'`;
  const query = `(WorkflowType IN (${types}) OR LockerShipmentUids IS NOT NULL) AND ${onTaskQueue(taskQueue)} AND (${when})`;
  const flows: ComparedFlow[] = [];
  const unanswered: string[] = [];
  const ask = async (execution: Execution) => {
    await questions.turn(signal);
    signal.throwIfAborted();
    const known = await knownBy(client, execution).catch(() => null);
    if (known) flows.push(flowOf(execution.workflowId, known));
    else unanswered.push(execution.workflowId);
  };
  await searches.turn(signal);
  const found: Execution[] = [];
  for await (const execution of listed(client, query, searches))
    if (execution.status.name !== 'CONTINUED_AS_NEW') found.push(execution);
  await pLimit(FLOWS_AT_A_TIME).map(found, ask);
  return { flows, unanswered };
}

async function knownBy(client: Client, { workflowId, runId, type }: Execution) {
  const handle = client.workflow.getHandle(workflowId, runId);
  return await client.withDeadline(Date.now() + ANSWER_WITHIN_MS, async () => {
    // It may have ended since it was listed.
    const { name: status } = (await handle.describe()).status;
    // The result of a shipment flow needs no worker, and nothing of it is awaited.
    if (status === 'COMPLETED' && flowRulesOf(type))
      return { status, bookings: [ended((await handle.result()) as FlowResult)] };
    return {
      status,
      bookings: (await queried(handle, () => handle.query<ProcessProgress>('progress'))).bookings,
    };
  });
}

type KnownBooking = Pick<
  BookingProgress,
  'activity' | 'shipments' | 'unassigned' | 'itemsLeft' | 'resolutions'
>;

const ended = ({ shipments, unassigned, itemsLeft }: FlowResult): KnownBooking => ({
  activity: 'Ended',
  shipments: Object.fromEntries(
    Object.entries(shipments).map(([role, leg]) => [role, { ...leg, done: true }]),
  ),
  unassigned,
  itemsLeft,
  resolutions: [],
});

function flowOf(
  workflowId: string,
  { status, bookings }: { readonly status: string; readonly bookings: readonly KnownBooking[] },
): ComparedFlow {
  return {
    workflowId,
    status,
    isFollowing: bookings.every(({ activity }) => activity === 'Following'),
    isGivenUp: bookings.some(({ resolutions }) => resolutions.some(({ action }) => action === 'giveUp')),
    legs: bookings.flatMap(legsOf),
  };
}

function legsOf({ activity, shipments, unassigned, itemsLeft }: KnownBooking): FlowLeg[] {
  const left = new Set(itemsLeft.map(({ shipmentUid }) => shipmentUid));
  const legOf = (role: Role | null, leg: LegResult, isDone: boolean): FlowLeg => ({
    ...leg,
    role,
    isDone,
    isItemIn: left.has(leg.shipmentUid) || itemStates.has(leg.stateCode),
  });
  return [
    ...Object.entries(shipments).map(([role, { done, ...leg }]) => legOf(role as Role, leg, done)),
    ...unassigned.map((leg) => legOf(null, leg, activity === 'Ended')),
  ];
}

const itemStates: ReadonlySet<string | null> = new Set(['WaitForReceiver', 'ReadyForPickup']);
/** Temporal ended them from outside, or they failed: they have undone nothing. */
const undidNothing: ReadonlySet<string> = new Set(['TERMINATED', 'TIMED_OUT', 'FAILED']);

const isAwaited = ({ status }: Owner, { isDone }: FlowLeg): boolean => status === 'RUNNING' && !isDone;

/** What is active is listed, and what ended with its flow is no matter. */
const mustBeThere = (flow: ComparedFlow, leg: FlowLeg): boolean =>
  leg.isItemIn || (isAwaited(flow, leg) && !hasEnded(leg.stateCode));

/** Null: they agree. */
export function disagreementKind(
  flow: ComparedFlow,
  leg: FlowLeg,
  shipment: Pick<ListedShipment, 'stateCode' | 'stateStart'> | null,
  isLockerTaken: boolean,
): Disagreement['kind'] | null {
  if (shipment === null) {
    // What a person has given up is a reminder as long as the locker is not emptied: then others may book it.
    const isSettled = flow.isGivenUp && flow.status !== 'RUNNING' && !isLockerTaken;
    return isAwaited(flow, leg) || (leg.isItemIn && !isSettled) ? 'noShipment' : null;
  }
  // An active one of a flow that has undone nothing is a shipment without a flow.
  if (undidNothing.has(flow.status) && !hasEnded(shipment.stateCode)) return null;
  if (leg.stateCode === null || shipment.stateCode === null || shipment.stateCode === leg.stateCode)
    return null;
  if (isBehind(shipment, leg)) return 'serviceBehind';
  return flow.isFollowing && isAwaited(flow, leg) ? 'lateCallback' : null;
}

/** By the service's own clock, which both have; else by the order of the states. */
function isBehind(shipment: Pick<ListedShipment, 'stateCode' | 'stateStart'>, leg: FlowLeg): boolean {
  const [theirs, ours] = [Date.parse(shipment.stateStart ?? ''), Date.parse(leg.stateStart ?? '')];
  if (!Number.isNaN(theirs) && !Number.isNaN(ours) && theirs !== ours) return theirs < ours;
  return rankOf(shipment.stateCode) < rankOf(leg.stateCode);
}

const ranks = ['Registered', 'ReadyForDropoff', 'WaitForReceiver', 'ReadyForPickup'];
function rankOf(stateCode: string | null): number {
  const rank = ranks.indexOf(stateCode ?? '');
  return rank === -1 ? ranks.length : rank;
}
