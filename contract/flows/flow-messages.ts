// The signals and updates of a running flow.
import type { StateCode } from '../wire/states.ts';
import type { Attribution } from './attribution.ts';
import type { Instant, IsoDuration, Role, Stage } from './flow-input.ts';

/** The signal by which a workflow hears of a shipment; its payload is a ShipmentReport. */
export const SHIPMENT_STATUS = 'shipmentStatus';
export type { ShipmentReport } from './shipment-report.ts';

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

/** Each way by its name: when the end is, how long it is from now, or by how much it is later or earlier than it was. */
interface EndBy {
  readonly until: Instant;
  readonly fromNow: IsoDuration;
  /** From now, if the end has passed. */
  readonly extendBy: IsoDuration;
  readonly shortenBy: IsoDuration;
}

type OneOf<FieldAlternatives> = {
  readonly [Field in keyof FieldAlternatives]: Pick<FieldAlternatives, Field> & {
    readonly [Other in Exclude<keyof FieldAlternatives, Field>]?: never;
  };
}[keyof FieldAlternatives];

type NewEnd = OneOf<EndBy> & {
  /** Refused if the new end is not later, or earlier, than the present one. Without it both are taken. */
  readonly only?: 'later' | 'earlier';
};

/** Takes a move back, as it was answered. Refused if the end has been moved again. */
interface FormerEnd {
  readonly undo: Pick<MovedDeadline, 'from' | 'until'>;
}

interface OfLeg extends AskedBy {
  readonly role: Role;
  readonly stage: Stage;
}

/** Of an `after` of a flow file: by its `id` in `waitingFor`. */
interface OfTimer extends AskedBy {
  readonly timer: string;
}

/** Update `extendDeadline`, with one new end. It also gives a deadline to a stage that has none. */
export type ExtendDeadline = OfLeg & NewEnd;

/** The same update. */
export type ExtendTimer = OfTimer & NewEnd;

/** The same update, which takes back what it has done before. */
export type UndoExtension = ((OfLeg & OfBooking) | OfTimer) & FormerEnd;

/** The answer to `extendDeadline`. */
export interface MovedDeadline {
  /** The end before; null: it had none, or its stage has not begun. */
  readonly from: Instant | null;
  /** The new end; null: it has none again. */
  readonly until: Instant | null;
  /** The stage has not begun: the deadline holds once it does. */
  readonly isAhead: boolean;
}

/** The same, of what is not undone. */
export interface ExtendedDeadline extends MovedDeadline {
  readonly until: Instant;
}

/** Update `resolve`: a person decides what the flow cannot know. The flow keeps who decided and why. */
export type Resolve = Attribution & { readonly why: string } & (
    | { readonly action: 'retry' }
    | { readonly action: 'adopt'; readonly shipments: Readonly<Partial<Record<Role, string>>> }
    | { readonly action: 'setState'; readonly role: Role; readonly stateCode: StateCode }
    | { readonly action: 'giveUp' }
  );
