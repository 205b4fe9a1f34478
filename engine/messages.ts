// The messages that come to a process: which event of its chart each is, why it is not possible now, and which are repeated.
import type { AnyMachineSnapshot, EventObject } from 'xstate';
import { getOwn } from './chart/messages.ts';
import { notPossible, type Rejection } from './commands.ts';
import type { Definition } from './definition/definition.ts';
import type { MessageEvent } from './definition/message-rules.ts';
import type { OpenTimer, TimerExtension } from './definition/timer-rules.ts';
import { can } from './stepper.ts';

/** Code of the refusal of an update whose payload has not the expected form. */
export const INVALID_EVENT = 'InvalidEvent';

/** The process, as far as messages depend on it. */
interface MessageHandler {
  readonly definition: Definition;
  readonly snapshot: AnyMachineSnapshot;
  readonly timers: { readonly open: readonly OpenTimer[] };
  /** Names of events in former definitions, and what they are called now. */
  readonly migrations: { readonly aliases: Readonly<Record<string, string>> };
}

// The keys of the latest messages only, so that a process does not grow without end.
const KEPT_KEYS = 1_000;

export class Messages {
  readonly #of: MessageHandler;
  readonly #seen: Set<string>;

  /** @param seen the keys of messages to a former run */
  constructor(of: MessageHandler, seen: Iterable<string> = []) {
    this.#of = of;
    this.#seen = new Set(seen);
  }

  /** The keys of the latest messages. */
  get seen(): readonly string[] {
    return [...this.#seen];
  }

  /** Null: it is not an event of this process. */
  eventOf(message: MessageEvent): EventObject | null {
    const { messages } = this.#of.definition;
    return messages.event ? messages.event(message, (event) => this.named(event)) : message;
  }

  /** Why an event is not possible now; undefined: it is. */
  refusalOf(event: EventObject): Rejection | undefined {
    const { definition, snapshot } = this.#of;
    if (can(snapshot, this.named(event))) return undefined;
    return notPossible(
      definition.messages.refusal?.(snapshot, event as MessageEvent) ?? `${event.type} is not possible`,
    );
  }

  extension(payload: unknown): TimerExtension | Rejection {
    const { definition, timers } = this.#of;
    return (
      definition.extension?.of(payload, timers.open) ??
      notPossible('the process has no timers that can be moved')
    );
  }

  /** Also if a guard fails: the process halts at such an event. */
  isTakenNow(event: EventObject): boolean {
    try {
      return can(this.#of.snapshot, this.named(event));
    } catch {
      return true;
    }
  }

  isRepeated(message: MessageEvent): boolean {
    const key = this.#of.definition.messages.keyOf?.(message);
    return key !== undefined && this.#seen.has(key);
  }

  /** Another message with its key is a repeated one. */
  remember(message: MessageEvent): void {
    const key = this.#of.definition.messages.keyOf?.(message);
    if (key === undefined) return;
    this.#seen.add(key);
    const [oldest] = this.#seen;
    if (this.#seen.size > KEPT_KEYS && oldest !== undefined) this.#seen.delete(oldest);
  }

  /** An event that had another name before a migration, or has it in an earlier version. */
  named(event: EventObject): EventObject {
    const { definition, migrations } = this.#of;
    const type = getOwn(migrations.aliases, event.type) ?? getOwn(definition.messages.aliases, event.type);
    return type === undefined ? event : { ...event, type };
  }
}
