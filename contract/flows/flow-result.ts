// The result of a flow, as one JSON value.
import type { Instant, Role, Stage } from './flow-input.ts';
import type { AccountDetail } from './onboard-input.ts';

export const outcomes = ['Done', 'Overdue', 'Cancelled'] as const;
/**
 * Done: every leg met its done rule. Overdue: a passed deadline made the flow cancel. Cancelled: a leg was cancelled for
 * any other reason.
 */
export type Outcome = (typeof outcomes)[number];

/** What is known of a shipment at the end; what is not known is null. */
export interface LegResult {
  readonly shipmentUid: string;
  readonly stateCode: string | null;
  readonly stateStart: string | null;
  readonly pupUid: string | null;
  readonly lockerName: string | null;
}

/** A shipment of the flow whose role is still unknown, and the roles that it may have. */
export interface UnassignedShipment extends LegResult {
  readonly possibleRoles: readonly Role[];
}

export interface OverdueStage {
  readonly role: Role;
  readonly stage: Stage;
  readonly deadline: Instant;
}

/** An item that a cancelled shipment left in its locker: someone must fetch it. */
export interface ItemLeft {
  readonly role: Role | null;
  readonly shipmentUid: string;
  readonly pupUid: string | null;
  readonly lockerName: string | null;
}

export interface FlowResult {
  readonly outcome: Outcome;
  readonly shipments: Readonly<Partial<Record<Role, LegResult>>>;
  /** Every deadline that passed, also where the shipment moved on later. */
  readonly overdue: readonly OverdueStage[];
  readonly itemsLeft: readonly ItemLeft[];
  readonly unassigned: readonly UnassignedShipment[];
}

/** The result of OnboardAccount. */
export interface OnboardResult {
  readonly outcome: 'Done';
  readonly userUid: string;
  readonly isExisting: boolean | null;
  readonly canManageUser: boolean | null;
  /** The names of the request's details that the existing account has otherwise; without those that were applied. */
  readonly differingDetails: readonly AccountDetail[];
  /** The names of the request's details that the service does not show, so that the flow could not compare them. */
  readonly unknownDetails: readonly AccountDetail[];
}

// What the booking activity needs to know of a leg. The flow's declaration gives it.

/** What makes a leg begin, and what evidence can show which shipment the leg is. */
export interface BookedLeg {
  readonly role: Role;
  /** The leg's shipment is request.priorShipmentUid, whether or not the answer's shipmentUids repeat it. */
  readonly isPrior: boolean;
  /**
   * The part of the request that holds the leg's references: `request` is the top level (LocalShipment), the others are
   * objects in it. Null: the leg keeps or inherits the references of another shipment, and the flow never sends its own.
   */
  readonly references: 'request' | 'details' | 'return' | 'issue' | null;
  /**
   * The leg's predecessor in the chain. The evidence is, for a swap: swapsShipmentUid names the predecessor, and the
   * DeliveryCode equals the predecessor's PickUpCode; for a subsequentIntake: priorShipmentUid names the predecessor; for
   * circularStock: circularPriorShipmentUid names the predecessor, and there is no DeliveryCode.
   */
  readonly follows: {
    readonly role: Role;
    readonly link: 'swap' | 'subsequentIntake' | 'circularStock';
  } | null;
}
