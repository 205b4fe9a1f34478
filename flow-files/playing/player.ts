// Plays a flow file without Temporal: one process in virtual time. A script decides what its flows, operations, calls and
// people do.
import {
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type EventObject,
  fromPromise,
  initialTransition,
  transition,
} from 'xstate';
import { takes } from '../../driver/xstate-internals.ts';
import { durationMs } from '../duration.ts';
import { expressionFailureIn } from '../expressions/failure.ts';
import { instantMs, instantText } from '../expressions/moments.ts';
import type { FlowFile, Json, JsonObject } from '../flow-file.ts';
import { kindOfActor } from '../machine/actor-kinds.ts';
import { listenedFor } from '../machine/heard.ts';
import { machineOf } from '../machine/machine.ts';
import { answerProblems, NOT_ANSWERED, type QuestionFields } from '../machine/question.ts';
import { CANCEL_INVOKE, type EmittedEvent, type FlowStart, type Invocation } from '../machine/start.ts';

export interface Timer {
  readonly id: string;
  readonly at: number;
  readonly event: EventObject;
}

export interface Emitted {
  readonly type: string;
  readonly data: Json;
}

/** A step that cannot be taken. The message says why, and the process has not changed. */
export class NotPlayable extends Error {
  override readonly name = 'NotPlayable';
}

export interface PlayerOptions {
  readonly input?: Json;
  /** ISO 8601. The clock stands still until `pass` moves it. */
  readonly at?: string;
  readonly key?: string;
}

interface Asked {
  readonly type: string;
  readonly params: unknown;
}

const played = fromPromise(() => Promise.reject(new TypeError('the player answers for this actor')));

export class Player {
  readonly file: FlowFile;
  /** The events emitted since the last `takeEmitted`. */
  #emitted: Emitted[] = [];
  #now: number;
  #timers: Timer[] = [];
  readonly #open = new Map<string, Invocation>();
  readonly #machine: AnyStateMachine;
  #snapshot: AnyMachineSnapshot;

  /** Throws an ExpressionFailure if the first step fails. */
  constructor(
    file: FlowFile,
    { input = {}, at = '2026-01-05T09:00:00Z', key = 'played' }: PlayerOptions = {},
  ) {
    this.file = file;
    this.#now = instantMs(at) ?? Number.NaN;
    if (Number.isNaN(this.#now))
      throw new NotPlayable(`${at} is not an instant; expected one like 2026-01-05T09:00:00Z`);
    this.#machine = machineOf(file, () => played, { now: () => this.#now });
    const flow = { key, name: file.name, version: 1, startedAt: instantText(this.#now) };
    const [snapshot, actions] = initialTransition(this.#machine, {
      input,
      flow,
    } satisfies FlowStart as never);
    this.#snapshot = snapshot;
    if (snapshot.status === 'error') throw snapshot.error;
    this.#carryOut(actions as never);
  }

  get now(): string {
    return instantText(this.#now);
  }

  /** `active`, `done`, or `error` if a failure that no state takes ended the process. */
  get status(): string {
    return this.#snapshot.status;
  }

  /** `a.b` for a nested state; one entry for each region of a parallel state. */
  get states(): string[] {
    return statesOf(this.#snapshot.value);
  }

  get context(): JsonObject {
    return (this.#snapshot.context as { readonly context: JsonObject }).context;
  }

  get output(): Json {
    return (this.#snapshot.output ?? null) as Json;
  }

  get error(): unknown {
    return this.#snapshot.error;
  }

  get open(): readonly Invocation[] {
    return this.status === 'active' ? [...this.#open.values()] : [];
  }

  /** The next timer first. */
  get timers(): readonly Timer[] {
    return this.status === 'active' ? [...this.#timers].sort((one, other) => one.at - other.at) : [];
  }

  /** The events that an active state takes, whatever its guards say. */
  get events(): string[] {
    if (this.status !== 'active') return [];
    return listenedFor(this.file).filter((type) => takes(this.#snapshot, type));
  }

  takeEmitted(): Emitted[] {
    const emitted = this.#emitted;
    this.#emitted = [];
    return emitted;
  }

  /** Sends an event that a child or the outside would send. */
  send(type: string, data: Json = null): void {
    this.#mustBeOpen();
    if (type.startsWith('xstate.'))
      throw new NotPlayable(`${type} is an event that only the process itself makes`);
    if (!this.events.some((heard) => matches(heard, type)))
      throw new NotPlayable(
        `${type} is not taken in ${this.states.join(', ')}; expected ${listed(this.events)}`,
      );
    this.#step({ type, data } as EventObject);
  }

  answer(id: string, values: JsonObject, by = 'somebody'): void {
    const { src, input } = this.#invocation(id);
    if (src !== 'ask')
      throw new NotPlayable(`${id} is not a question, so it takes no answer; give its result with done`);
    const { fields = {} } = input as { readonly fields?: QuestionFields };
    const problems = answerProblems(fields, values);
    if (problems.length > 0) throw new NotPlayable(problems.join('; '));
    this.done(id, { ...values, by });
  }

  done(id: string, output: Json = null): void {
    this.#invocation(id);
    this.#step({ type: `xstate.done.actor.${id}`, output, actorId: id } as EventObject, () =>
      this.#close(id),
    );
  }

  fail(id: string, code: string, message = code): void {
    this.#invocation(id);
    const error = { code, message };
    this.#step({ type: `xstate.error.actor.${id}`, error, actorId: id } as EventObject, () =>
      this.#close(id),
    );
  }

  cancel(): void {
    this.#mustBeOpen();
    if (!this.events.includes('cancelRequested'))
      throw new NotPlayable(
        'no active state takes cancelRequested: the process would end at once, and undo its flows',
      );
    this.#step({ type: 'cancelRequested' });
  }

  /** Lets time pass, by a duration or until an instant. Timers that come due meanwhile fire in their order. */
  pass(time: string): void {
    const until = instantMs(time) ?? this.#now + (durationMs(time) ?? Number.NaN);
    if (Number.isNaN(until) || until < this.#now)
      throw new NotPlayable(
        `${time} is not a duration or a time in the future; expected one like P2D, PT30M or 2026-01-09T12:00:00Z`,
      );
    for (let next = this.timers[0]; next && next.at <= until; next = this.timers[0]) {
      const due = next;
      this.#now = Math.max(this.#now, due.at);
      this.#step(due.event, () => {
        this.#timers = this.#timers.filter((timer) => timer !== due);
        const { actorId } = due.event as { readonly actorId?: string };
        if (actorId !== undefined) this.#close(actorId);
      });
    }
    this.#now = until;
  }

  #mustBeOpen(): void {
    if (this.status !== 'active') throw new NotPlayable('the process has ended');
  }

  #invocation(id: string): Invocation {
    this.#mustBeOpen();
    const found = this.#open.get(id);
    if (!found) throw new NotPlayable(`nothing runs as ${id}; expected ${listed([...this.#open.keys()])}`);
    return found;
  }

  /** Calls `before` only if the step is taken. */
  #step(event: EventObject, before: () => void = () => undefined): void {
    const [snapshot, actions] = transition(this.#machine, this.#snapshot, event as never);
    before();
    this.#snapshot = snapshot;
    this.#carryOut(actions as never);
  }

  #carryOut(actions: readonly Asked[]): void {
    for (const { type, params } of actions) this.#carriers[type]?.(params as never);
  }

  readonly #carriers: Readonly<Record<string, (params: never) => void>> = {
    'xstate.spawnChild': ({ input }: { readonly input: Invocation }) => this.#begin(input),
    'xstate.stopChild': (actor: { readonly id: string } | undefined) => actor && this.#close(actor.id),
    'xstate.raise': ({ id, event, delay }: { id?: string; event: EventObject; delay?: number }) => {
      if (delay !== undefined && Number.isFinite(delay)) this.#arm(id ?? event.type, delay, event);
    },
    'xstate.cancel': ({ sendId }: { readonly sendId: string }) => this.#disarm(sendId),
    'xstate.emit': ({ event }: { readonly event: EmittedEvent }) => {
      const { type, data } = event.emitted;
      this.#emitted.push({ type, data });
    },
    'xstate.sendTo': ({
      to,
      event,
    }: {
      readonly to?: { readonly id: string };
      readonly event: EventObject;
    }) => {
      if (to && event.type === CANCEL_INVOKE && this.#open.has(to.id))
        this.fail(to.id, 'Cancelled', `${to.id} was cancelled`);
    },
  };

  #begin(invocation: Invocation): void {
    const { id, src, input } = invocation;
    this.#open.set(id, invocation);
    if (kindOfActor(src) !== 'ask') return;
    const { within } = (input ?? {}) as { readonly within?: Json };
    const length = durationMs(within) ?? (instantMs(within) ?? Number.POSITIVE_INFINITY) - this.#now;
    if (!Number.isFinite(length)) return;
    const error = { code: NOT_ANSWERED, message: `nobody answered ${id} in time` };
    this.#arm(`answer to ${id}`, length, {
      type: `xstate.error.actor.${id}`,
      error,
      actorId: id,
    } as EventObject);
  }

  #close(id: string): void {
    this.#open.delete(id);
    this.#disarm(`answer to ${id}`);
  }

  #arm(id: string, delay: number, event: EventObject): void {
    this.#disarm(id);
    this.#timers.push({ id, at: this.#now + Math.max(1, delay), event });
  }

  #disarm(id: string): void {
    this.#timers = this.#timers.filter((timer) => timer.id !== id);
  }
}

const listed = (names: readonly string[]): string =>
  names.length > 0 ? `one of ${names.join(', ')}` : 'nothing now';

const matches = (heard: string, type: string): boolean =>
  heard === type || heard === '*' || (heard.endsWith('.*') && `${type}.`.startsWith(heard.slice(0, -1)));

export function statesOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return Object.entries(value as Record<string, unknown>).flatMap(([state, inner]) => {
    const within = statesOf(inner);
    return within.length > 0 ? within.map((each) => `${state}.${each}`) : [state];
  });
}

/** The message of a failure of the file, or of a step that cannot be played. Any other error is a defect of ours. */
export function playingProblem(error: unknown): string {
  const failure = expressionFailureIn(error);
  if (failure) return failure.message;
  if (error instanceof NotPlayable) return error.message;
  throw error;
}
