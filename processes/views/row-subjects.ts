// Whom and what the processes of a list are about: names of accounts, and what is sent, as the locker service has them. Both hardly
// change, so they are kept for a while; and a list does not wait long for them: what comes later stands in the next one.
import { setTimeout as delay } from 'node:timers/promises';
import pLimit from 'p-limit';
import { legsBookedBy } from '../../flows/built-in/flows.ts';
import { itemsIn, peopleIn, peopleNowIn } from '../../flows/language/subjects.ts';
import type { LockerApi } from '../../shared/locker-api/index.ts';
import { KeptReads } from '../kept-reads.ts';
import { shipmentAt, unlessUnknown } from '../locker-service.ts';
import { accountName, nameShown } from './account-names.ts';
import { formatContent, isOfLeg, referenceOf } from './format-item.ts';
import { type FoundFlow, hasBookedNothing } from './found-flows.ts';
import type { RowAbout } from './process-list.ts';
import type { WantedAtStart } from './wanted-at-start.ts';
import type { WholeOperations } from './whole-operations.ts';

const MAX_ENTRIES = 20_000;
const KEPT_MS = 10 * 60_000;
const WITHIN_MS = 400;
const CALLS_AT_ONCE = 8;
/** The items of a process are much the same: the first that has a description speaks for all. */
const MAX_SHIPMENTS = 3;
const MAX_PEOPLE = 2;

interface About
  extends Pick<FoundFlow, 'runId' | 'subjects' | 'shipmentUids'>,
    Partial<Pick<FoundFlow, 'workflowId' | 'flow' | 'status'>> {
  /** Its key in the answer; its run if absent. */
  readonly id?: string;
}

interface Parts {
  readonly service: Pick<LockerApi, 'call'>;
  readonly operations: Pick<WholeOperations, 'of'>;
  readonly wanted?: Pick<WantedAtStart, 'of'>;
}

export class RowSubjects {
  readonly #service: Parts['service'];
  readonly #operations: Parts['operations'];
  readonly #wanted: Parts['wanted'];
  readonly #calls = pLimit(CALLS_AT_ONCE);
  readonly #names = new KeptReads<{ readonly name: string | null }>(MAX_ENTRIES);
  readonly #shipments = new KeptReads<ShipmentAbout>(MAX_ENTRIES);

  constructor({ service, operations, wanted }: Parts) {
    this.#service = service;
    this.#operations = operations;
    this.#wanted = wanted;
  }

  /** Keyed by id, or by run. */
  async of(flows: readonly About[], withinMs = WITHIN_MS): Promise<ReadonlyMap<string, RowAbout>> {
    const late = delay(withinMs, null, { ref: false });
    const all = flows.map(async (flow) => [flow.id ?? flow.runId, await this.#aboutOf(flow, late)] as const);
    return new Map(await Promise.all(all));
  }

  async #aboutOf(about: About, late: Promise<null>): Promise<RowAbout> {
    const { flow, subjects, shipmentUids, status = 'Running' } = about;
    const [reference = null] = itemsIn(subjects);
    const uids = shipmentUids.slice(0, MAX_SHIPMENTS);
    const [operation, ...read] = await Promise.all([
      flow === undefined ? null : within(this.#operations.of(flow), late),
      ...uids.map((uid) => within(this.#shipmentOnce(uid), late)),
    ]);
    const of = read.find((each) => each?.isDescribed) ?? read.find((each) => each?.item);
    const own = operation ? undefined : ownItemOf(about);
    const isNamedByOwn = own !== undefined && (!of?.isDescribed || of.referenceNo !== own);
    const item = isNamedByOwn ? own : (of?.item ?? (await this.#wantedItem(about, late)) ?? reference);
    const isKnown = peopleIn(subjects).length > 0 || putsIntoStock(operation);
    // A process that collects names in its request who does, unless the desk does.
    const isOther = (each: ShipmentAbout | null) => flow === undefined || each?.isCollection === false;
    const receivers = read.filter(isOther).flatMap((each) => each?.toUserUid ?? []);
    const userUids = isKnown ? peopleNowIn(subjects, status === 'Running') : receivers;
    const people = [...new Set(userUids)].slice(0, MAX_PEOPLE).map(async (userUid) => {
      const kept = await within(this.#nameOnce(userUid), late);
      return { userUid, name: kept && nameShown(kept.name) };
    });
    return { people: await Promise.all(people), item, reference };
  }

  /** If nothing was booked, the input says which item it was for. */
  async #wantedItem(
    { workflowId, runId, status, shipmentUids }: About,
    late: Promise<null>,
  ): Promise<string | null> {
    if (workflowId === undefined || !hasBookedNothing({ status, shipmentUids })) return null;
    const starts = this.#wanted?.of([{ workflowId, runId }]).catch(() => null);
    return (await Promise.race([starts, late]))?.get(runId)?.item ?? null;
  }

  #nameOnce(userUid: string): Promise<{ readonly name: string | null }> {
    const parts = { service: this.#service };
    const read = async () => ({ name: await accountName(parts, userUid, unlessUnknown) });
    return this.#names.of(userUid, () => this.#calls(read), KEPT_MS);
  }

  #shipmentOnce(uid: string): Promise<ShipmentAbout> {
    return this.#shipments.of(uid, () => this.#calls(() => this.#shipment(uid)), KEPT_MS);
  }

  async #shipment(shipmentUid: string): Promise<ShipmentAbout> {
    const record = await unlessUnknown(() => shipmentAt(this.#service, shipmentUid));
    return {
      item: formatContent(record),
      isDescribed: Boolean(record?.description),
      referenceNo: record ? referenceOf(record) : null,
      toUserUid: record?.toUserUid ?? null,
      isCollection: record?.shipmentType === 'CollectOnlyShipment',
    };
  }
}

interface ShipmentAbout {
  /** Null: it has neither description nor reference. */
  readonly item: string | null;
  /** It has more than a reference, which may be one that its flow has made. */
  readonly isDescribed: boolean;
  readonly referenceNo: string | null;
  readonly toUserUid: string | null;
  readonly isCollection: boolean;
}

/** What a flow file marks as its item. Its shipments may have the references of others, or some that nobody knows an item by. */
const ownItemOf = ({ flow, workflowId = '', subjects, shipmentUids }: About): string | undefined =>
  flow === undefined
    ? undefined
    : itemsIn(subjects).find((each) => !isOfLeg(each, workflowId) && !shipmentUids.includes(each));

/** Its shipment may be another flow's by now, and have a receiver: the item was put into stock for nobody. */
const putsIntoStock = (operation: unknown): boolean => 'stock' in legsBookedBy(operation);

/** Null: it has failed, or is not ready in time. */
const within = <Value>(reading: Promise<Value>, late: Promise<null>): Promise<Value | null> =>
  Promise.race([reading.catch(() => null), late]);
