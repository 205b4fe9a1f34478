// Parcels of the desk: each is a process of the flow Issue, and its booking is told as soon as it is known; and what was booked
// today.
import { LRUCache } from 'lru-cache';
import { FlowFailed } from '../../client/flow-errors.ts';
import type { Response } from '../../contract/operations/operations.ts';
import { type AtTemporal, answered, askedTemporal } from '../../processes/at-temporal.ts';
import { flowQuery } from '../../processes/views/flow-query.ts';
import { formatFlowName } from '../../processes/views/format-names.ts';
import { foundPage } from '../../processes/views/found-flows.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { nameOfAccount } from '../people.ts';
import type { DeskToday, ParcelView } from './desk-view.ts';

type Shipment = Response<'GetShipments'>['items'][number];

/** Throws FlowNotFound. */
export async function parcelOf(parts: ConsoleParts, key: string): Promise<ParcelView> {
  const none = {
    key,
    shipmentUid: null,
    stateCode: null,
    pupUid: null,
    lockerName: null,
    referenceNo: null,
    to: null,
    pickUpUntil: null,
    refusal: null,
  };
  const handle = parts.flows.handle<'Issue'>(key);
  const { activity, shipments, phase, deadlines } = await answered(parts, () => handle.progress());
  const { issue } = shipments;
  if (issue?.shipmentUid) {
    const { shipmentUid, stateCode } = issue;
    // A process learns its locker from a listing, where its worker may ask for one; the desk asks itself.
    const page = { pageNo: 1, pageSize: 1, shipmentUid };
    const { items } = await parts.service.call('GetShipments', page);
    const found = items.find((each) => each.shipmentUid === shipmentUid);
    return {
      ...none,
      status: 'Booked',
      shipmentUid,
      stateCode,
      pupUid: found?.pupUid ?? issue.pupUid,
      lockerName: found?.lockerName ?? issue.lockerName,
      referenceNo: found?.referenceNo ?? null,
      to: found?.toUserUid ? await nameOfAccount(parts, found.toUserUid) : null,
      pickUpUntil: deadlines.find(({ stage }) => stage === 'pickUp')?.until ?? null,
    };
  }
  if (phase === 'NeedsPerson') return { ...none, status: 'NeedsPerson' };
  return activity === 'Ended'
    ? { ...none, status: 'Refused', refusal: await refusalOf(parts, key) }
    : { ...none, status: 'Booking' };
}

async function refusalOf({ flows }: AtTemporal, key: string): Promise<ParcelView['refusal']> {
  const error: unknown = await flows
    .handle<'Issue'>(key)
    .result()
    .catch((cause: unknown) => cause);
  return error instanceof FlowFailed
    ? { code: error.code, message: error.message }
    : { code: 'NotBooked', message: 'It was not booked.' };
}

/** More than a counter does in a day. */
const MAX_TODAY = 100;
/** The most that the service gives at a time; what is of today is among the newest. */
const MAX_SHIPMENTS = 500;
/** People rarely change their names. */
const NAMES_LAST_MS = 600_000;

export class Today {
  readonly #parts: ConsoleParts;
  readonly #names = new LRUCache<string, Promise<string>>({ max: 2_000, ttl: NAMES_LAST_MS });

  constructor(parts: ConsoleParts) {
    this.#parts = parts;
  }

  /** @param since when the day of whoever asks began */
  async read(pupUid: string, since: string): Promise<DeskToday> {
    const { client, service } = this.#parts;
    const query = flowQuery({ pickUpPoint: pupUid, startedAfter: since });
    const page = {
      pageNo: 1,
      pageSize: MAX_SHIPMENTS,
      sortBy: 'CreatedDesc',
      bookedPupUid: pupUid,
    } as const;
    const [{ flows, next }, { items }] = await Promise.all([
      askedTemporal(this.#parts, () => foundPage(client, query, { size: MAX_TODAY })),
      service.call('GetShipments', page),
    ]);
    const shipments = new Map(items.map((each) => [each.shipmentUid, each]));
    const parcels = flows.map(async ({ workflowId: key, flow, startedAt, shipmentUids }) => {
      const [shipment] = shipmentUids.flatMap((uid) => shipments.get(uid) ?? []);
      const { referenceNo = null, description = null, lockerName = null, stateCode = null } = shipment ?? {};
      return {
        key,
        at: startedAt ?? since,
        flowName: formatFlowName(flow),
        referenceNo,
        description,
        lockerName,
        stateCode,
        to: await this.#receiverOf(shipment),
      };
    });
    return { parcels: await Promise.all(parcels), isComplete: next === null };
  }

  async #receiverOf(shipment: Shipment | undefined): Promise<string | null> {
    const userUid = shipment?.toUserUid;
    if (!userUid) return null;
    const name = this.#names.get(userUid) ?? nameOfAccount(this.#parts, userUid);
    this.#names.set(userUid, name);
    // What could not be asked is asked again.
    name.catch(() => this.#names.delete(userUid));
    return await name;
  }
}
