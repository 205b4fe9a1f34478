// The activities that processes of flow files call, as types: the promise between workflows/ and activities/.
import type { CorrelatedEvent, CorrelationMessage, ListeningProcess } from '../flows/language/correlation.ts';
import type { Json, JsonObject } from '../flows/language/flow-file.ts';
import type { OutsideEvent } from '../flows/language/machine/incoming.ts';
import type { Published } from '../flows/language/registry.ts';

export interface FlowFileActivities {
  /**
   * The current version. Throws, non-retryable: FlowUnknown with the near names where none is published, and InvalidRequest where
   * the input is not as its schema has it.
   */
  fetchFlowDefinition(input: { readonly name: string; readonly input: FlowFileInput }): Promise<Published>;
  /**
   * One operation of the locker API. An answer is definite. Where the outcome of a change is unknown, it is repeated with
   * the same Idempotency-Key if the service honours it; else it throws OutcomeUnknown, non-retryable.
   */
  callLockerApi(input: LockerApiCall): Promise<Json>;
  /**
   * One HTTP call through a connector; what `keep` says of its answer. Throws, non-retryable: ConnectorUnknown, InvalidRequest,
   * CallNotAllowed, CallRefused (a status that is not a success), AnswerTooLarge, AnswerNotReadable, ExpressionFailed (of `keep`),
   * and OutcomeUnknown where it may have been carried out and must not be repeated.
   */
  callConnector(input: ConnectorCall): Promise<Json>;
  /** Delivers one event, signed. It fails until the other side has taken it, always retryable. */
  emitEvent(input: EmittedEvent): Promise<void>;
  /**
   * Passes events by correlation on to their queues, and tells queues what a process listens for, in their order. Gives the events:
   * the history of the process has nothing else of them.
   */
  passOn(input: PassedOn): Promise<readonly PassedEvent[]>;
  /** Hands an event to processes, or only asks whether they are still open. Gives those that have ended. */
  handOut(input: HandedOut): Promise<readonly ListeningProcess[]>;
}

export interface PassedOn {
  readonly from: ListeningProcess;
  readonly messages: readonly (
    | Exclude<CorrelationMessage, { kind: 'event' }>
    | { readonly kind: 'event'; readonly event: CorrelatedEvent }
  )[];
}

export type PassedEvent = Pick<CorrelatedEvent, 'type' | 'id' | 'where' | 'keepForMs'>;

export interface HandedOut {
  readonly to: readonly ListeningProcess[];
  /** As the process gets it; null: nothing is handed out. */
  readonly event: OutsideEvent | null;
}

export interface FlowFileInput {
  readonly request?: Json;
  readonly clock?: Json;
}

/** The input of `call`, evaluated but for `keep`; unchecked. */
export interface ConnectorCall {
  readonly connector: string;
  readonly method?: string;
  readonly path: string;
  readonly query?: Json;
  readonly body?: Json;
  readonly keep?: Json;
  /** The author's own: in place of the `idempotencyKey` of this one call. */
  readonly key?: Json;
  readonly headers?: Json;
  /** The same over all attempts. */
  readonly idempotencyKey: string;
  readonly attempts?: Attempts;
}

/** What the file says of the attempts of a call, as far as one attempt must know it. */
export interface Attempts {
  /** Codes and HTTP statuses of refusals that are tried again. */
  readonly on: readonly (string | number)[];
  /** They have an end: the last failure must say if one of them may have been carried out. */
  readonly isBounded: boolean;
}

/** An event for the outside. */
export interface EmittedEvent {
  /** A connector; null: the one for events. */
  readonly to: string | null;
  readonly type: string;
  readonly data: Json;
  /** When it was emitted, ISO 8601. */
  readonly at: string;
  /** Its place among the events of its process, from 1. */
  readonly number: number;
  readonly flow: { readonly key: string; readonly name: string; readonly version: number };
  /** The same over all attempts and replays, another for every other event. */
  readonly key: string;
}

export interface LockerApiCall {
  readonly operation: string;
  readonly request: JsonObject;
  readonly idempotencyKey: string;
  readonly attempts?: Attempts;
}
