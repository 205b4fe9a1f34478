// The child workflows of a process. They outlive the run that has started them: it may continue as a new one while they are
// open, so Temporal does not end them with it (`ABANDON`), and the process cancels them by its own hand. As long as the run
// goes on, Temporal tells the end of a child. Before it continues as a new one, it asks each child to tell its end itself.
import {
  getExternalWorkflowHandle,
  log,
  ParentClosePolicy,
  setHandler,
  sleep,
  startChild,
  TerminatedFailure,
  uuid4,
} from '@temporalio/workflow';
import type { EventObject } from 'xstate';
import { type ChildWorkflowCall, SIGNAL_ARGUMENT } from '../actor-kinds.ts';
import type { CarriedChild, CarriedChildren } from '../continued.ts';
import type { Answers, RunningCall } from '../host.ts';
import {
  childEvent,
  type FromChild,
  failureOfEnd,
  isGone,
  PARENT_MEMO,
  type ParentMemo,
  subscription,
  type ToChild,
} from './family.ts';
import { Scope, shielded } from './scope.ts';

interface Child {
  readonly token: string;
  /** The workflow's type. */
  readonly type: string;
  subscriptions: readonly string[];
  /** Its workflow id, once it has begun. */
  id: string | null;
  /** Undefined: the chart no longer waits for it. */
  answers: Answers | undefined;
  /** For a child that this run has started; a cancellation before its start prevents it. */
  readonly scope: Scope | null;
  isCancelled: boolean;
  /** Whether it was asked to tell its end, and whether it will. */
  isAsked: boolean;
  tellsItsEnd: boolean;
}

// One that was terminated, or timed out, tells nobody.
const LOOK_AFTER_MS = 6 * 3_600_000;

export class Children {
  /** Something has changed that may let the process continue as a new run. */
  readonly #changed: () => void;
  readonly #forged: () => void;
  readonly #open = new Map<string, Child>();
  /** Signals and cancellations on their way: Temporal drops them when the run ends. */
  #underWay = 0;
  #lookAt: number;
  #isListening = false;

  constructor({ changed, forged }: { changed(): void; forged(): void }, carried?: CarriedChildren) {
    this.#changed = changed;
    this.#forged = forged;
    this.#lookAt = carried?.lookAt ?? Date.now() + LOOK_AFTER_MS;
    for (const child of carried?.left ?? []) this.#restored(child, undefined);
  }

  /** Those that have not ended, also those that the chart no longer waits for. */
  get open(): readonly { readonly id: string | null }[] {
    return [...this.#open.values()];
  }

  /** Whether no message to a child is on its way. */
  get isIdle(): boolean {
    return this.#underWay === 0;
  }

  /** Whether none would be lost with this run. */
  get mayContinueAsNew(): boolean {
    return this.isIdle && [...this.#open.values()].every(({ tellsItsEnd }) => tellsItsEnd);
  }

  /** What a continued run gets, beside the children that its calls carry. */
  get carried(): CarriedChildren | undefined {
    if (this.#open.size === 0) return undefined;
    const left = [...this.#open.values()].flatMap((child) => (child.answers ? [] : [carriedOf(child)]));
    return { left, lookAt: this.#lookAt };
  }

  start(call: ChildWorkflowCall<unknown>, input: unknown, answers: Answers): RunningCall {
    const { workflow } = call;
    const workflowId = call.workflowId(input);
    const summary = call.summary?.(input);
    const scope = new Scope();
    const child: Child = {
      token: uuid4(),
      type: workflow,
      subscriptions: call.subscriptions(input),
      id: null,
      answers,
      scope,
      isCancelled: false,
      isAsked: false,
      tellsItsEnd: false,
    };
    this.#open.set(child.token, child);
    this.listen();
    const { token } = child;
    const parent: ParentMemo = { token, subscriptions: child.subscriptions };
    const begun = scope.run(() =>
      startChild(workflow, {
        args: [call.argument(input)],
        workflowId,
        parentClosePolicy: ParentClosePolicy.ABANDON,
        memo: { [PARENT_MEMO]: parent },
        ...(call.searchAttributes && { searchAttributes: call.searchAttributes }),
        ...(summary !== undefined && { staticSummary: summary }),
      }),
    );
    void begun
      .then((handle) => {
        child.id = handle.workflowId;
        // Its start was under way when it was cancelled.
        if (child.isCancelled) this.#requestCancellation(child);
        return handle.result();
      })
      .then(
        (result) => this.#end(child, (call) => call.done(result)),
        (error: unknown) => this.#end(child, (call) => call.failed(error)),
      );
    return this.#running(child, begun);
  }

  /** A child of a former run. */
  resume(carried: CarriedChild, answers: Answers): RunningCall {
    const child = this.#restored(carried, answers);
    return this.#running(child, Promise.resolve());
  }

  /** Once all children of the former run are known: messages may be waiting. A process without children has no such signal. */
  listen(): void {
    if (this.#isListening || this.#open.size === 0) return;
    this.#isListening = true;
    setHandler(childEvent, (message) => this.#receive(message), {
      description: 'A child workflow tells what this one listens for',
    });
  }

  /** A message that claims to be a child's. */
  #receive(message: Partial<FromChild> | undefined): void {
    const child = this.#open.get(String(message?.token));
    if (!message || !child) {
      log.warn('a message that is of no open child was dropped');
      this.#forged();
      return;
    }
    if ('event' in message && typeof message.event?.type === 'string') child.answers?.event(message.event);
    if ('subscribed' in message) {
      child.tellsItsEnd = true;
      this.#changed();
    }
    const { end } = message as { readonly end?: Extract<FromChild, { end: unknown }>['end'] };
    if (!end) return;
    if ('result' in end) this.#end(child, (call) => call.done(end.result));
    else this.#end(child, (call) => call.failed(failureOfEnd(end, child.id ?? '', child.type)));
  }

  /** Asks each child to tell its end, so that this run may continue as a new one. */
  requestEnds(): void {
    for (const child of this.#open.values()) if (child.id !== null) this.#ask(child);
  }

  /** The process ends: so do they. */
  cancelAll(): void {
    for (const child of this.#open.values()) this.#cancel(child);
  }

  #running(child: Child, begun: Promise<unknown>): RunningCall {
    // One after the other: Temporal does not keep the order of concurrent signals.
    let last = begun.catch(() => undefined);
    const send = ({ type, ...fields }: EventObject) => {
      const { [SIGNAL_ARGUMENT]: argument = fields } = fields as Readonly<Record<string, unknown>>;
      const args = Object.keys(fields).length > 0 ? [argument] : [];
      this.#sent(() => {
        // As with xstate's actors, one that has ended does not get it.
        last = last.then(() => this.#signal(child, type, args)).catch(this.#ifGone(child));
        return last;
      });
    };
    return {
      cancel: () => this.#cancel(child),
      send,
      changed: ({ logic, input }) => {
        const subscriptions = 'child' in logic ? logic.child.subscriptions(input) : child.subscriptions;
        if (JSON.stringify(subscriptions) === JSON.stringify(child.subscriptions)) return;
        child.subscriptions = subscriptions;
        // It tells what is asked of it; one that has not begun yet is asked once it has.
        void begun.then(
          () => {
            child.isAsked = false;
            this.#ask(child);
          },
          () => undefined,
        );
      },
      end: () => {
        child.answers = undefined;
      },
      get workflowId() {
        return child.id ?? undefined;
      },
      get kept() {
        return child.tellsItsEnd && child.id !== null ? carriedOf(child) : undefined;
      },
    };
  }

  async #signal({ id }: Child, type: string, args: readonly unknown[]): Promise<void> {
    if (id !== null) await shielded(() => getExternalWorkflowHandle(id).signal(type, ...args));
  }

  #restored(
    { token, id, type, subscriptions, isCancelled = false }: CarriedChild,
    answers: Answers | undefined,
  ): Child {
    const child: Child = {
      token,
      id,
      type,
      subscriptions,
      answers,
      isCancelled,
      scope: null,
      isAsked: true,
      tellsItsEnd: true,
    };
    if (this.#open.size === 0) void shielded(() => this.#lookAfter());
    this.#open.set(token, child);
    return child;
  }

  #end(child: Child, answer: (answers: Answers) => void): void {
    if (!this.#open.delete(child.token)) return;
    const { answers } = child;
    child.answers = undefined;
    if (answers) answer(answers);
    this.#changed();
  }

  /** It still tells its end, after it has undone what it has done. */
  #cancel(child: Child): void {
    if (child.isCancelled) return;
    child.isCancelled = true;
    if (child.id === null) child.scope?.cancel();
    else this.#requestCancellation(child);
  }

  #requestCancellation(child: Child): void {
    const { id } = child;
    if (id !== null) this.#sent(() => getExternalWorkflowHandle(id).cancel(), this.#ifGone(child));
  }

  #ask(child: Child): void {
    const { id, token, subscriptions, isAsked } = child;
    if (isAsked || id === null) return;
    child.isAsked = true;
    const asked: ToChild = { token, subscriptions, end: true };
    this.#sent(() => getExternalWorkflowHandle(id).signal(subscription, asked), this.#ifGone(child));
  }

  #sent(send: () => Promise<unknown>, failed: (error: unknown) => void = () => undefined): void {
    this.#underWay += 1;
    void shielded(send)
      .catch(failed)
      .finally(() => {
        this.#underWay -= 1;
        this.#changed();
      });
  }

  /** One that this run has started: Temporal tells how it has ended. One of a former run: it would have told that itself. */
  #ifGone(child: Child): (error: unknown) => void {
    return (error) => {
      if (child.scope !== null) return;
      if (!isGone(error)) {
        log.warn('a child workflow did not take a message', { child: child.id, error: String(error) });
        return;
      }
      const why = new TerminatedFailure(
        `${child.id} has ended, and has not told how: it was terminated, or timed out`,
      );
      const end = { code: why.name, message: why.message, details: [] };
      this.#end(child, (answers) => answers.failed(failureOfEnd(end, child.id ?? '', child.type)));
    };
  }

  async #lookAfter(): Promise<void> {
    for (;;) {
      await sleep(Math.max(1, this.#lookAt - Date.now()), {
        summary: 'whether its child workflows are still open',
      });
      this.#lookAt = Date.now() + LOOK_AFTER_MS;
      const inherited = [...this.#open.values()].filter(({ scope }) => scope === null);
      if (inherited.length === 0) return;
      for (const child of inherited) {
        child.isAsked = false;
        this.#ask(child);
      }
    }
  }
}

const carriedOf = ({ token, id, type, subscriptions, isCancelled }: Child): CarriedChild => ({
  token,
  id: id ?? '',
  type,
  subscriptions,
  ...(isCancelled && { isCancelled }),
});
