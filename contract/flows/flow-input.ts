// The input of a flow: the words and shapes of its one JSON argument. workflows/ uses it; the operation's own fields are in
// the operation's row.
import type { OperationName, Request } from '../operations/operations.ts';

export const roles = ['shipment', 'issue', 'intake', 'stock', 'circularStock', 'collect'] as const;
/** What a shipment is to its flow. The order of shipmentUids is not evidence of it (assumptions: Chains). */
export type Role = (typeof roles)[number];
export type Roles = readonly [Role, ...Role[]];

export const stages = ['dropOff', 'receiver', 'pickUp'] as const;
/** What a shipment waits for: ReadyForDropoff, WaitForReceiver, ReadyForPickup. */
export type Stage = (typeof stages)[number];

/**
 * An ISO 8601 duration of weeks, days (24 hours each), hours, minutes and seconds, like P3D or PT2H30M; no months or years.
 */
export type IsoDuration = string;
/** ISO 8601 with an offset, like 2031-05-01T12:00:00Z. */
export type Instant = string;

export type Deadlines = Partial<Record<Role, Partial<Record<Stage, IsoDuration>>>>;

export const overduePolicies = ['wait', 'cancel'] as const;
export type OverduePolicy = (typeof overduePolicies)[number];

export const flowClocks = ['sandbox'] as const;
/** sandbox: the clock of the tenant in a service in staging, which can be moved. */
export type FlowClock = (typeof flowClocks)[number];

/** What is wrong with the clock that somebody gives; null is none. */
export const clockIssues = (clock: unknown): { readonly field: string; readonly message: string }[] =>
  clock == null || flowClocks.includes(clock as FlowClock)
    ? []
    : [{ field: 'clock', message: `must be one of ${flowClocks.join(', ')}` }];

export const notifiedEvents = ['reminder', 'overdue', 'needsPerson', 'ended'] as const;

/** Events that a flow sends to the outside through a connector of the workers. */
export interface Tell {
  readonly events: readonly (typeof notifiedEvents)[number][];
  /** A connector; the one for events if not given. */
  readonly to?: string;
  /** With `reminder`: how long before each deadline it is sent. */
  readonly remindBefore?: IsoDuration;
}

export interface FlowInput<FlowRequest = Readonly<Record<string, unknown>>> {
  readonly request: FlowRequest;
  /** Each counts from the moment the stage began: the later of stateStart and the answer to the flow's own booking. */
  readonly deadlines?: Deadlines;
  /** wait (the default): mark the flow as overdue and go on waiting; cancel: undo the whole flow. */
  readonly onOverdue?: OverduePolicy;
  /** How long the flow keeps trying after NoLockerAvailable. */
  readonly waitForLocker?: IsoDuration;
  /** What the outside is told; nothing if not given. */
  readonly tell?: Tell;
  /** What the flow's time is; the real time if not given. */
  readonly clock?: FlowClock;
}

/** An account in place of its uid. The flow finds or creates it first; its pick up point is the booking's unless given. */
export type UserFields = Omit<Request<'CreateOrGetAccount'>, 'pickUpPointUid'> & {
  readonly pickUpPointUid?: string;
};

type UidOrUser<Fields, Uid extends string, User extends string> = Uid extends keyof Fields
  ?
      | (Pick<Fields, Uid> & { readonly [name in User]?: never })
      | ({ readonly [name in User]: UserFields } & { readonly [name in Uid]?: never })
  : unknown;

/** The operation's fields; `toUser` and `fromUser` may take the place of `toUserUid` and `fromUserUid`. */
export type FlowRequest<Name extends OperationName> = Omit<Request<Name>, 'toUserUid' | 'fromUserUid'> &
  UidOrUser<Request<Name>, 'toUserUid', 'toUser'> &
  UidOrUser<Request<Name>, 'fromUserUid', 'fromUser'>;

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
