// The answer to the query `actions` of every process: what can be done to it now, with which fields, and what follows. It is
// data only; whoever shows it makes the words.

import type { Instant, Role, Stage } from './flow-input.ts';
import type { ItemLeft } from './flow-result.ts';

/** A command of a process; one process has only some of them. */
export type CommandName =
  | 'cancel'
  | 'extendDeadline'
  | 'setReceiver'
  | 'removeReceiver'
  | 'resolve.retry'
  | 'resolve.adopt'
  | 'resolve.setState'
  | 'resolve.giveUp'
  /** An answer to a question of a flow file. */
  | 'answer'
  /** An event of a flow file, from outside. */
  | 'event'
  /** For a halted process: goes on without the event whose step failed. */
  | 'dropEvent'
  /** For a halted process: it cancels what it has begun, and fails. */
  | 'giveUp'
  /** Who is to answer a question of a flow file. `claim` is also a command to an unmatched callback. */
  | 'claim'
  | 'release'
  | 'assign'
  /** Every process takes it: words of a person, which change nothing. */
  | 'note'
  /** For an unmatched callback. */
  | 'drop';

/** JSON Schema 2020-12. `examples` are candidates: values that are likely meant, and not the only ones. */
export type JsonSchema = Readonly<{
  type?: 'object' | 'string' | 'number' | 'integer' | 'boolean' | 'array';
  title?: string;
  description?: string;
  properties?: Readonly<Record<string, JsonSchema>>;
  required?: readonly string[];
  additionalProperties?: boolean;
  enum?: readonly unknown[];
  const?: unknown;
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  items?: JsonSchema;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  minimum?: number;
  maximum?: number;
  oneOf?: readonly JsonSchema[];
  allOf?: readonly JsonSchema[];
  examples?: readonly unknown[];
  default?: unknown;
}>;

/** The schema of a command's fields: one object. */
export type FieldsSchema = JsonSchema & {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required: readonly string[];
  readonly additionalProperties: false;
};

/** Why a command is not possible. */
export interface ActionRefusal {
  /**
   * `ProcessEnded`, `NotPossibleNow`, `EventUnknown`, `EventDataWrong`, `EventRepeated`, or the code with which the process refuses the update:
   * `InvalidAnswer`, `HeldByAnother`.
   */
  readonly code: string;
  /** One sentence: what is wrong, and what was expected. */
  readonly message: string;
  /** With `EventDataWrong`: the fields that are wrong, each with `field` and `message`. */
  readonly details?: unknown;
}

/** How a command reaches the process: its fields together with `constant` are the one argument. */
export type Sent =
  | { readonly kind: 'cancellation' }
  | {
      readonly kind: 'update' | 'signal';
      readonly name: string;
      readonly constant?: Readonly<Record<string, unknown>>;
    };

export interface Action {
  readonly command: CommandName;
  /** `answer`, `claim`, `release`, `assign`: the id of the question. A process has one of each for each open question. */
  readonly question?: string;
  /** The id of the invoke that books, in a flow file with bookings: the process has one such action for each of them. */
  readonly booking?: string;
  readonly sent: Sent;
  readonly isPossible: boolean;
  /** Only where it is not possible. */
  readonly refusal?: ActionRefusal;
  /** Null where the command does not exist in this state with any fields. */
  readonly fields: FieldsSchema | null;
  /** Where the fields do not matter for it: else ask for a validation with them. */
  readonly consequence?: Consequence;
}

/** The answer to `actions`, without an argument. */
export interface Actions {
  readonly format: 1;
  readonly flow: string;
  readonly isOpen: boolean;
  readonly actions: readonly Action[];
  /** The answer to `progress`, where it was asked for. */
  readonly progress?: unknown;
}

/** The argument of `actions`, which asks about one command. */
export interface ActionRequest {
  readonly command?: CommandName;
  readonly fields?: Readonly<Record<string, unknown>>;
  /** The asker's time: a process that sleeps knows only the time of its last step. Also without a command. */
  readonly at?: Instant;
  /** Without a command: the answer has the process's progress, too. */
  readonly withProgress?: true;
}

/** The answer to `actions` with an argument: whether the process takes exactly this now, and what follows. */
export interface ActionValidation {
  readonly format: 1;
  readonly flow: string;
  readonly command: string;
  readonly isPossible: boolean;
  readonly refusal?: ActionRefusal;
  /** Where it is possible. */
  readonly consequence?: Consequence;
}

/**
 * What follows from a command, if nothing else happens meanwhile and if every service that the process calls does what it is
 * asked to do.
 */
export interface Consequence {
  /** The process afterwards. */
  readonly after: ProcessState;
  /** Whether it differs from where it stands now; false for an event that a guard of the flow file turns down. */
  readonly isTaken: boolean;
  readonly shipments: readonly ShipmentEffect[];
  /** Items that somebody must fetch then, and need not now. */
  readonly itemsLeft: readonly ItemLeft[];
  /** Items that somebody has, and that nobody waits for any more then. */
  readonly itemsOut: readonly ItemOutEffect[];
  readonly deadlines: readonly DeadlineMove[];
  /** Processes that it has started and that are cancelled. Each undoes what it has booked. */
  readonly children: readonly ChildEffect[];
  /** The event that it raises in the process, like `xstate.done.actor.ask`; null: none. */
  readonly event: string | null;
  /** Questions that it asks then, and does not ask now. */
  readonly questions: readonly { readonly id: string; readonly of: string }[];
  /** Calls that begin, by their types: what they bring cannot be told before. */
  readonly calls: readonly string[];
  /** A booking that is still under way, or in doubt: what comes of it cannot be told before. */
  readonly booking?: 'UndoneOnceKnown' | 'MayBookTwice' | 'BooksAgain' | 'MayStayBooked';
}

export interface ProcessState {
  readonly activity: 'Booking' | 'Following' | 'Undoing' | 'Running' | 'NeedsPerson' | 'Ended';
  readonly phase: 'Open' | 'Overdue' | 'NeedsPerson' | null;
  /** As the chart names it. */
  readonly state: unknown;
  /** How it closes; null: it stays open, or that depends on what its calls bring. */
  readonly ends: ProcessEnd | null;
}

export interface ProcessEnd {
  /** The status that Temporal shows. */
  readonly status: 'Completed' | 'Failed' | 'Canceled';
  /** A shipment flow's. */
  readonly outcome?: 'Done' | 'Overdue' | 'Cancelled';
  /** With which code it fails. */
  readonly code?: string;
  /** The title of the final state that it comes to, if its file gives one. */
  readonly title?: string;
}

export interface ItemOutEffect {
  readonly booking?: string;
  /** By which it was to come back. */
  readonly role: Role;
  readonly shipmentUid: string;
}

export type ShipmentEffectKind =
  /** The shipment is cancelled. */
  | 'Cancelled'
  /** It loses its receiver and is stock again. */
  | 'ReceiverRemoved'
  /** Its state is not known: it loses its receiver if it is still stock, and is cancelled if not. */
  | 'ReceiverRemovedOrCancelled'
  | 'ReceiverSet'
  /** The process follows it from now on. */
  | 'Adopted'
  /** The process follows it no longer. */
  | 'Released'
  /** A person's word on its state counts. Nothing changes at the service. */
  | 'StateSet'
  /** The process ends without it: it is done, or belongs to another process, or could not be undone. */
  | 'Stays';

export interface ShipmentEffect {
  /** The id of the invoke that has booked it, in a flow file with bookings. */
  readonly booking?: string;
  readonly shipmentUid: string;
  /** Null: it is not known which leg it is. */
  readonly role: Role | null;
  readonly effect: ShipmentEffectKind;
  /** Its state now, for the process; null: unknown. */
  readonly stateCode: string | null;
  /** Where it lies, as far as the process knows. */
  readonly pupUid: string | null;
  readonly lockerName: string | null;
}

export interface DeadlineMove {
  /** As in ShipmentEffect, for the deadline of a leg. */
  readonly booking?: string;
  /** The leg that it belongs to; null for a wait of a flow file. */
  readonly role: Role | null;
  readonly stage: Stage | null;
  /** The wait of a flow file, as `waitingFor` names it; null for the deadline of a leg. */
  readonly timer: string | null;
  /** The path of the state that waits so. */
  readonly state?: string;
  /** Null: there was none. */
  readonly from: Instant | null;
  /** Null: it no longer counts. */
  readonly until: Instant | null;
  /** Its stage has not begun: it holds once it does. */
  readonly ahead?: true;
}

export interface ChildEffect {
  /** Its invoke's id in the flow file. */
  readonly id: string;
  /** Its workflow type. */
  readonly flow: string;
  /** Its key; null: it is just being started. */
  readonly key: string | null;
  readonly effect: 'Cancelled';
}
