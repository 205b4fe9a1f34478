// The chart's actors outside the process, activities and child workflows: starts them, stops them, and gives their
// answers to the chart as events of xstate.
import {
  type ActivityInterfaceFor,
  CancellationScope,
  proxyActivities,
  startChild,
} from '@temporalio/workflow';
import type { EventObject } from 'xstate';
import type { LocalActor } from './actions.ts';
import { type ActivityCall, isActivityLogic } from './actors/activity-call.ts';
import { type ChildWorkflowCall, isChildWorkflowLogic } from './actors/child-workflow.ts';
import { isProcedureLogic, type Procedure, type ProcedureLogic } from './actors/procedure.ts';
import type { Clock } from './clock.ts';
import type { Inbox, Invoke } from './inbox.ts';
import { type AnyActor, doneEvent, errorEvent, logicOf } from './xstate-internals.ts';

type AnyActivities = ActivityInterfaceFor<Record<string, (input: unknown) => Promise<unknown>>>;

/** Schedules an activity by its call; rejects with ActivityFailure. */
export function callActivity<Input>(call: ActivityCall<Input>, input: Input): Promise<unknown> {
  const summary = call.summary(input);
  const activities: AnyActivities = proxyActivities({
    ...call.options(input),
    ...(summary !== undefined && { summary }),
  });
  const run = activities[call.activity];
  if (!run) throw new TypeError(`${call.activity} is not an activity type`);
  return run(call.argument ? call.argument(input) : input);
}

type Running = Pick<Invoke, 'type' | 'kind' | 'heedsCancellation' | 'tell' | 'childId'> & {
  run(): Promise<unknown>;
};

function runningOf(actor: AnyActor, input: unknown, clock: Clock): Running {
  const logic = logicOf(actor);
  if (isActivityLogic(logic)) {
    const { call } = logic;
    const { activity: type, heedsCancellation } = call;
    return {
      ...{ type, kind: 'activity', heedsCancellation },
      tell: () => undefined,
      childId: () => null,
      run: () => callActivity(call, input),
    };
  }
  if (isChildWorkflowLogic(logic)) return childWorkflowOf(logic.child, input);
  if (isProcedureLogic(logic)) return procedureOf(logic, input, clock);
  throw new TypeError(`the actor ${actor.id} is neither an activity nor a child workflow nor a procedure`);
}

function procedureOf(
  { procedure: { name, begin } }: ProcedureLogic<unknown, unknown>,
  input: unknown,
  clock: Clock,
): Running {
  let begun: Procedure | undefined;
  return {
    type: name,
    kind: 'procedure',
    childId: () => null,
    heedsCancellation: true,
    tell: (event) => begun?.tell?.(event),
    run: () => {
      begun = begin(input, clock);
      return begun.result;
    },
  };
}

interface Signalled {
  signal(name: string, ...args: unknown[]): Promise<void>;
}

function childWorkflowOf(
  { workflow, options, argument }: ChildWorkflowCall<unknown>,
  input: unknown,
): Running {
  let begun: (child: Signalled) => void = () => undefined;
  let childId: string | null = null;
  // One after the other: Temporal does not keep the order of concurrent signals.
  let told = new Promise<Signalled>((resolve) => {
    begun = resolve;
  });
  return {
    type: workflow,
    kind: 'child',
    childId: () => childId,
    heedsCancellation: true,
    tell: ({ type, ...fields }) => {
      const args = Object.keys(fields).length > 0 ? [fields] : [];
      // As with xstate's actors, one that has ended does not get it.
      told = told.then(async (child) => {
        await child.signal(type, ...args).catch(() => undefined);
        return child;
      });
    },
    run: async () => {
      const child = await startChild(workflow, {
        args: [argument ? argument(input) : input],
        ...options(input),
      });
      childId = child.workflowId;
      begun(child);
      return await child.result();
    },
  };
}

/** The event that cancels an invoked actor; its failure then says that it was cancelled. */
export const CANCEL_CALL = 'lockerflow.cancel';

const keyOf = ({ path }: LocalActor, id: string): string => [...path, id].join('\n');

export class Invokes {
  readonly #inbox: Inbox;
  readonly #shield: () => CancellationScope;
  readonly #clock: Clock;
  readonly #open = new Map<string, Invoke>();
  /** Child workflows that have not ended, also those that the chart no longer waits for. */
  #children = 0;

  constructor(inbox: Inbox, shield: () => CancellationScope, clock: Clock) {
    this.#inbox = inbox;
    this.#shield = shield;
    this.#clock = clock;
  }

  get open(): readonly Invoke[] {
    return [...this.#open.values()];
  }

  get areOpen(): boolean {
    return this.#open.size > 0;
  }

  /** The types of activities that have not answered. */
  get calls(): string[] {
    return this.open.filter(({ kind }) => kind === 'activity').map(({ type }) => type);
  }

  get childIds(): string[] {
    return this.open.flatMap((invoke) => invoke.childId() ?? []);
  }

  get areChildrenBegun(): boolean {
    return this.open.every((invoke) => invoke.kind !== 'child' || invoke.childId() !== null);
  }

  get areChildrenOpen(): boolean {
    return this.#children > 0;
  }

  start(owner: LocalActor, actor: AnyActor, input: unknown): void {
    const { id } = actor;
    this.stop(owner, id);
    const { run, ...running } = runningOf(actor, input, this.#clock);
    const scope = new CancellationScope({ cancellable: true, parent: this.#shield() });
    const invoke: Invoke = { actor, owner, scope, ...running };
    this.#open.set(keyOf(owner, id), invoke);
    const bring = (answer: EventObject) => this.#inbox.push({ kind: 'invoke', invoke, event: answer });
    const isChild = isChildWorkflowLogic(logicOf(actor));
    if (isChild) this.#children += 1;
    const ended = isChild ? scope.run(run).finally(() => void this.#children--) : scope.run(run);
    void ended.then(
      (output) => bring(doneEvent(id, output)),
      (error) => bring(errorEvent(id, error)),
    );
  }

  /** The chart has left the state that invoked it. An actor that has answered is no longer open. */
  stop(owner: LocalActor, id: string): void {
    const key = keyOf(owner, id);
    this.#open.get(key)?.scope.cancel();
    this.#open.delete(key);
  }

  stopAllOf(owner: LocalActor): void {
    for (const invoke of this.open) if (invoke.owner === owner) this.stop(owner, invoke.actor.id);
  }

  tell(actor: AnyActor, event: EventObject): void {
    const told = this.open.find((invoke) => invoke.actor === actor);
    if (event.type === CANCEL_CALL) told?.scope.cancel();
    else if (told) void this.#shield().run(async () => told.tell(event));
  }

  /** Asks the actors that accept a cancellation to end early; they still answer. */
  requestCancellation(): void {
    for (const { scope, heedsCancellation } of this.#open.values()) if (heedsCancellation) scope.cancel();
  }

  /** Whether this invoke is still the open one with its id: the chart must not get a stale answer. */
  take({ owner, actor, ...invoke }: Invoke): boolean {
    const key = keyOf(owner, actor.id);
    if (this.#open.get(key)?.scope !== invoke.scope) return false;
    return this.#open.delete(key);
  }
}
