// The signals and updates of a running flow.
import type { ShipmentStatus } from '../wire/callback-types.ts';
import type { StateCode } from '../wire/states.ts';
import type { Attribution } from './attribution.ts';
import type { Instant, IsoDuration, Role, Stage } from './flow-input.ts';

/** Signal `shipmentStatus`. It has our state codes and UTC: the sender maps the service's state codes and time zone first. */
export interface ShipmentReport extends ShipmentStatus {
  /**
   * When the callback receiver or the reconciler got the report. It replaces a stateStart that is missing or unreadable.
   */
  readonly receivedAt: Instant;
  readonly source: 'callback' | 'reconciler';
  /** When the item was picked up, if the report tells that: the state does not, where the locker is kept booked. */
  readonly pickedUpAt?: Instant;
}

/** Signal `superseded`: another flow has taken this shipment over (issued it from stock) and follows it from now on. */
export interface Superseded {
  readonly shipmentUid: string;
  readonly byWorkflowId: string;
}

/**
 * Signal `alsoFollowed`: another flow continues with this shipment and waits for its reports too. The flow passes each new one on:
 * callbacks find one flow by their case number.
 */
export type AlsoFollowed = Superseded;

/** Who asks for a change, and why: kept with the update in the history, and otherwise without effect. */
export type AskedBy = Partial<Attribution>;

/** Beside an update to a booking of a flow file. */
export interface OfBooking {
  /** Its id in `progress`; needed where several bookings of the process take the update. */
  readonly booking?: string;
}

/** Update `setReceiver` (interface: SetShipmentReceiver). */
export interface SetReceiver extends AskedBy {
  readonly role: Role;
  readonly toUserUid: string;
  readonly caseReferenceNew?: string | null;
}

/** Update `removeReceiver`. */
export interface RemoveReceiver extends AskedBy {
  readonly role: Role;
}

type NewEnd =
  | { readonly until: Instant; readonly fromNow?: never }
  | { readonly fromNow: IsoDuration; readonly until?: never };

/** Update `extendDeadline`, with either `until` or `fromNow`. It also gives a deadline to a stage that has none. */
export type ExtendDeadline = AskedBy & { readonly role: Role; readonly stage: Stage } & NewEnd;

/** The same update, of an `after` of a flow file: by its `id` in `waitingFor`. */
export type ExtendTimer = AskedBy & { readonly timer: string } & NewEnd;

/** The answer to `extendDeadline`. */
export interface ExtendedDeadline {
  /** The new end. */
  readonly until: Instant;
  /** The stage has not begun: the deadline holds once it does. */
  readonly isAhead: boolean;
}

/** Update `resolve`: a person decides what the flow cannot know. The flow keeps who decided and why. */
export type Resolve = Attribution & { readonly why: string } & (
    | { readonly action: 'retry' }
    | { readonly action: 'adopt'; readonly shipments: Readonly<Partial<Record<Role, string>>> }
    | { readonly action: 'setState'; readonly role: Role; readonly stateCode: StateCode }
    | { readonly action: 'giveUp' }
  );
