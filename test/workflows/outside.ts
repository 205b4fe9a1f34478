// The outside of flows, in memory: people, and a locker service that follows only the rules of contract/machines/, with its
// callbacks. It is for tests of the flows alone. The real activities and the real service have their own tests.
import { randomUUID } from 'node:crypto';
import { ApplicationFailure } from '@temporalio/common';
import type { FlowActivities, KeepInput } from '../../activities/flow-activities.ts';
import type { FlowFileActivities } from '../../activities/flow-file-activities.ts';
import type { Role } from '../../contract/flows/flow-input.ts';
import type { ShipmentReport } from '../../contract/flows/flow-messages.ts';
import { applyToChain, type ChainEvent } from '../../contract/machines/chain.ts';
import { type Chain, type NewShipment, shipmentOf } from '../../contract/machines/chain-shipments.ts';
import type { StateCode } from '../../contract/wire/states.ts';
import type {
  Booked,
  BookInput,
  ChangeReceiverInput,
  UndoInput,
  Undone,
} from '../../flows/booking/activities.ts';

export interface Vendor {
  /** A bare vendor reports no roles, gives uids in any order, has no listing, and a failed cancel gives no state. */
  readonly isBare: boolean;
}

type Action = 'ItemDroppedOff' | 'ItemPickedUp' | 'Cancelled';

export class Outside {
  readonly #vendor: Vendor;
  readonly #chains = new Map<string, Chain>();
  readonly #starts = new Map<string, string>();
  readonly roles = new Map<Role, string>();
  readonly calls: string[] = [];
  readonly unmatched: ShipmentReport[] = [];
  readonly sent: ShipmentReport[] = [];
  /** Receives the callbacks. By default nothing does. */
  deliver: (report: ShipmentReport) => Promise<void> = async () => {};
  /** What else the activity does that books. */
  booked: (booked: Booked) => Promise<void> = async () => {};
  /** The service's clock. */
  now: () => Date = () => new Date();

  constructor(vendor: Vendor = { isBare: false }) {
    this.#vendor = vendor;
  }

  readonly activities: Omit<FlowActivities, 'reconcile'> & Pick<FlowFileActivities, 'callLockerApi'> = {
    book: (input) => this.#book(input),
    undo: (input) => this.#undo(input),
    changeReceiver: (input) => this.#changeReceiver(input),
    keepReports: async ({ reports }: KeepInput) => void this.unmatched.push(...reports),
    // An account that exists already, at another pick up point and with other permissions than the request asks for.
    callLockerApi: async ({ operation, request: { applyDetails } }) =>
      operation === 'SetAccount' ? {} : foundAccount(applyDetails === true),
    followSandboxClock: async () => this.now().getTime() - Date.now(),
  };

  uid(role: Role): string {
    const uid = this.roles.get(role);
    if (!uid) throw new TypeError(`nothing is booked as ${role}`);
    return uid;
  }

  stateOf(uid: string): StateCode {
    return shipmentOf(this.#chainOf(uid), uid).stateCode;
  }

  /** A person does something at the locker or to the shipment. The callbacks come in order. */
  async does(uid: string, action: Action): Promise<void> {
    const changes = this.#apply(uid, { type: action, shipmentUid: uid });
    const isInPlace = action === 'ItemPickedUp' && changes.length === 0;
    await this.#sendReport(isInPlace && !this.#vendor.isBare ? [this.#pickUp(uid)] : changes);
  }

  /** A kept-booked shipment stays as it is: only a message reports its pick-up. */
  #pickUp(uid: string): ShipmentReport {
    const pickedUpAt = this.now().toISOString();
    return { ...reportOf(uid, this.stateOf(uid), this.#starts.get(uid) ?? null), pickedUpAt };
  }

  /** Makes a shipment that exists before the flow, and brings it to a state. */
  async existing(shipment: Partial<NewShipment>, ...actions: Action[]): Promise<string> {
    const shipmentUid = randomUUID();
    this.#take([], { type: 'Booked', shipments: [this.#new(shipmentUid, shipment)] });
    for (const action of actions) await this.does(shipmentUid, action);
    return shipmentUid;
  }

  #new(shipmentUid: string, shipment: Partial<NewShipment>): NewShipment {
    return {
      shipmentUid,
      shipmentType: 'LocalPupShipment',
      predecessor: null,
      fromUserUid: 'dispatcher',
      toUserUid: 'user-anna',
      fromFollowsPredecessorReceiver: false,
      keepBookedAfterPickUp: false,
      ...shipment,
    };
  }

  #chainOf(uid: string): Chain {
    return this.#chains.get(uid) ?? [];
  }

  #apply(uid: string, ...events: ChainEvent[]): readonly ShipmentReport[] {
    return this.#take(this.#chainOf(uid), ...events);
  }

  #take(chain: Chain, ...events: ChainEvent[]): readonly ShipmentReport[] {
    const outcome = applyToChain(chain, ...events);
    if (!outcome.applied)
      throw ApplicationFailure.create({
        type: 'InvalidShipmentState',
        message: JSON.stringify(outcome.refusal),
        nonRetryable: true,
        category: 'BENIGN',
      });
    for (const { shipmentUid } of outcome.chain) this.#chains.set(shipmentUid, outcome.chain);
    const stateStart = this.now().toISOString().replace('Z', '');
    for (const { shipmentUid } of outcome.changes) this.#starts.set(shipmentUid, stateStart);
    return outcome.changes
      .filter(({ stateCodeChanged }) => stateCodeChanged)
      .map(({ shipmentUid, to }) => reportOf(shipmentUid, to, stateStart));
  }

  async #sendReport(reports: readonly ShipmentReport[]): Promise<void> {
    this.sent.push(...reports);
    for (const report of reports) await this.deliver(report);
  }

  async #book({ operation, input, legs, takesOver }: BookInput): Promise<Booked> {
    this.calls.push(operation);
    const request = input.request as Record<string, string | boolean | undefined>;
    const prior = request.priorShipmentUid as string | undefined;
    for (const { role, isPrior } of legs) this.roles.set(role, isPrior && prior ? prior : randomUUID());
    const shipments = legs
      .filter(({ isPrior }) => !isPrior)
      .map(({ role, follows }) => {
        const swapped = request.swapsShipmentUid as string | undefined;
        const link = follows ? { shipmentUid: this.uid(follows.role), link: follows.link } : null;
        return this.#new(this.uid(role), {
          predecessor: link ?? (swapped ? { shipmentUid: swapped, link: 'swap' } : null),
          shipmentType: role === 'collect' ? 'CollectOnlyShipment' : 'LocalPupShipment',
          keepBookedAfterPickUp: request.keepBookedAfterPickUp === true,
          ...(role === 'stock' || role === 'circularStock' || request.isReceiverDelayed
            ? { toUserUid: null }
            : {}),
        });
      });
    const issued: ChainEvent[] =
      takesOver && prior ? [{ type: 'IssuedFromStock', shipmentUid: prior, toUserUid: 'user-anna' }] : [];
    const bookedEvents: ChainEvent[] = shipments.length > 0 ? [{ type: 'Booked', shipments }] : [];
    const first = prior ?? (request.swapsShipmentUid as string | undefined);
    const reports = this.#take(first ? this.#chainOf(first) : [], ...issued, ...bookedEvents);
    await this.#sendReport(reports);
    const booked = this.#answer(legs);
    await this.booked(booked);
    return booked;
  }

  #answer(legs: BookInput['legs']): Booked {
    const { isBare } = this.#vendor;
    const isAlone = legs.filter(({ isPrior }) => !isPrior).length === 1;
    const shipments = legs.map(({ role, isPrior }) => {
      const shipmentUid = this.uid(role);
      return {
        shipmentUid,
        role: isBare && !isPrior && !isAlone ? null : role,
        stateCode: isBare ? null : this.stateOf(shipmentUid),
        stateStart: isBare ? null : (this.#starts.get(shipmentUid) ?? null),
        pupUid: 'pup-central',
        lockerName: '7',
      };
    });
    return {
      shipments: isBare ? shipments.reverse() : shipments,
      answeredAt: this.now().toISOString(),
      caseNo: 'case',
      pupUid: 'pup-central',
      references: [],
    };
  }

  async #undo({ shipments }: UndoInput): Promise<Undone> {
    this.calls.push('undo');
    const undone: Undone['shipments'][number][] = [];
    const reports: ShipmentReport[] = [];
    for (const { shipmentUid, stateCode, isIssuedFromStock } of shipments) {
      const removed = isIssuedFromStock && stateCode !== 'ReadyForPickup';
      const cancelled = (): Undone['shipments'][number]['undone'] => {
        const done = this.#tried(shipmentUid, { type: 'Cancelled', shipmentUid });
        if (done) reports.push(...done);
        return done ? 'Cancelled' : 'AlreadyEnded';
      };
      const isReleased =
        removed && this.#tried(shipmentUid, { type: 'ReceiverRemoved', shipmentUid }) !== null;
      const how = isReleased ? 'ReceiverRemoved' : cancelled();
      undone.push({
        shipmentUid,
        undone: how,
        stateCode: how === 'AlreadyEnded' && !this.#vendor.isBare ? this.stateOf(shipmentUid) : null,
        error: null,
      });
    }
    await this.#sendReport(reports);
    return { shipments: undone };
  }

  #tried(uid: string, event: ChainEvent): readonly ShipmentReport[] | null {
    try {
      return this.#apply(uid, event);
    } catch (error) {
      if (error instanceof ApplicationFailure) return null;
      throw error;
    }
  }

  async #changeReceiver({ shipmentUid, toUserUid }: ChangeReceiverInput): Promise<void> {
    this.calls.push('changeReceiver');
    const event: ChainEvent =
      toUserUid === null
        ? { type: 'ReceiverRemoved', shipmentUid }
        : { type: 'ReceiverSet', shipmentUid, toUserUid };
    await this.#sendReport(this.#apply(shipmentUid, event));
  }
}

/** The answer of an outside that could not undo what it was asked to. */
export const notUndone = (
  { shipments }: UndoInput,
  why: Omit<Undone['shipments'][number], 'shipmentUid'> = {
    undone: 'NotUndone',
    stateCode: null,
    error: 'Unauthorized',
  },
): Undone => ({ shipments: shipments.map(({ shipmentUid }) => ({ shipmentUid, ...why })) });

const foundAccount = (appliesDetails: boolean) => ({
  userUid: 'user-anna',
  isExisting: true,
  canManageUser: true,
  differingDetails: ['phoneNumber'],
  unknownDetails: [],
  toSet: {
    pickUpPoint: ['pickUpPointUid'],
    details: appliesDetails ? ['phoneNumber'] : [],
    mutationConfig: ['canChangeFirstName'],
  },
});

export function reportOf(shipmentUid: string, stateCode: string, stateStart: string | null): ShipmentReport {
  return {
    shipmentUid,
    stateCode,
    stateStart,
    shipmentType: 'LocalPupShipment',
    referenceNo: null,
    referenceCaseNo: null,
    description: null,
    pupUid: null,
    fromUserUid: null,
    toUserUid: null,
    receivedAt: new Date().toISOString(),
    source: 'callback',
  };
}
