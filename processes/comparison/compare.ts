// Compares what flows know of their shipments with what the locker service has. Changes nothing. What is under way looks like
// a disagreement for a moment: so all is looked at again, some seconds later, and only what has stayed is told.
import { setTimeout as pause } from 'node:timers/promises';
import type { Request } from '../../contract/operations/operations.ts';
import type { ServiceProfile } from '../../contract/wire/service-profile.ts';
import { hasEnded } from '../../contract/wire/states.ts';
import type { LockerApi } from '../../shared/locker-api/index.ts';
import {
  findShipment,
  type ListedShipment,
  listShipments,
  type ShipmentReader,
} from '../../shared/locker-api/list-shipments.ts';
import { listedOwners, uidsOf } from '../../shared/routing/owners.ts';
import { Pace } from '../../shared/routing/pace.ts';
import {
  type ComparedFlow,
  type FlowLeg,
  type FlowStores,
  knownFlows,
  type Paces,
} from './compared-flows.ts';
import {
  type Disagreement,
  disagreement,
  disagreementKind,
  hasUndoneNothing,
  mustBeThere,
  type Owner,
} from './disagreements.ts';

interface ComparedStores extends FlowStores {
  readonly api: LockerApi;
  readonly serviceProfile: Pick<ServiceProfile, 'normalize'>;
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
const SETTLE_MS = 2_000;

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
    if (all.some(({ status }) => !hasUndoneNothing(status))) return [];
    const byCase = flows.find(
      ({ workflowId, status }) => status === 'RUNNING' && workflowId === shipment.referenceCaseNo,
    );
    return [disagreement('noFlow', all[0] ?? byCase, undefined, shipment)];
  });
}
