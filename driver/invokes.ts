// The chart's actors that run beyond the process, activities and child workflows: started, stopped, and their answers
// brought back as the events of xstate.
import {
  type ActivityInterfaceFor,
  CancellationScope,
  proxyActivities,
  startChild,
} from '@temporalio/workflow';
import type { EventObject } from 'xstate';
import { type ActivityCall, isActivityLogic } from './activity-call.ts';
import { type ChildWorkflowCall, isChildWorkflowLogic } from './child-workflow.ts';
import type { Inbox, Invoke } from './inbox.ts';
import { type AnyActor, internalsOf, type LocalActor } from './scope.ts';

/** xstate's own events for an actor that is done or has failed. */
interface Answer extends EventObject {
  readonly output?: unknown;
  readonly error?: unknown;
  readonly actorId?: string;
}

type AnyActivities = ActivityInterfaceFor<Record<string, (input: unknown) => Promise<unknown>>>;

/** Schedules an activity by its call; rejects with ActivityFailure. */
export function callActivity<Input>(call: ActivityCall<Input>, input: Input): Promise<unknown> {
  const summary = call.summary(input);
  const activities: AnyActivities = proxyActivities({
    ...call.options(input),
    ...(summary !== undefined && { summary }),
  });
  const run = activities[call.activity];
  if (!run) throw new TypeError(`${call.activity} is no activity type`);
  return run(input);
}

type Running = Pick<Invoke, 'type' | 'heedsCancellation' | 'tell'> & { run(): Promise<unknown> };

function runningOf(actor: AnyActor, input: unknown): Running {
  const { logic } = internalsOf(actor);
  if (isActivityLogic(logic)) {
    const { call } = logic;
    const { activity: type, heedsCancellation } = call;
    return { type, heedsCancellation, tell: () => undefined, run: () => callActivity(call, input) };
  }
  if (isChildWorkflowLogic(logic)) return childWorkflowOf(logic.child, input);
  throw new TypeError(`the actor ${actor.id} is neither an activity nor a child workflow`);
}

interface Signalled {
  signal(name: string, ...args: unknown[]): Promise<void>;
}

function childWorkflowOf({ workflow, options }: ChildWorkflowCall<unknown>, input: unknown): Running {
  let begun: (child: Signalled) => void = () => undefined;
  const handle = new Promise<Signalled>((resolve) => {
    begun = resolve;
  });
  return {
    type: workflow,
    heedsCancellation: true,
    tell: ({ type, ...fields }) => {
      const args = Object.keys(fields).length > 0 ? [fields] : [];
      // As with xstate's actors, one that has ended does not hear it.
      void handle.then((child) => child.signal(type, ...args)).catch(() => undefined);
    },
    run: async () => {
      const child = await startChild(workflow, { args: [input], ...options(input) });
      begun(child);
      return await child.result();
    },
  };
}

const keyOf = ({ path }: LocalActor, id: string): string => [...path, id].join('\n');

export class Invokes {
  readonly #inbox: Inbox;
  readonly #shield: () => CancellationScope;
  readonly #open = new Map<string, Invoke>();

  constructor(inbox: Inbox, shield: () => CancellationScope) {
    this.#inbox = inbox;
    this.#shield = shield;
  }

  get open(): readonly Invoke[] {
    return [...this.#open.values()];
  }

  get areOpen(): boolean {
    return this.#open.size > 0;
  }

  start(owner: LocalActor, actor: AnyActor, input: unknown): void {
    const { id } = actor;
    this.stop(owner, id);
    const { run, ...running } = runningOf(actor, input);
    const scope = new CancellationScope({ cancellable: true, parent: this.#shield() });
    const invoke: Invoke = { actor, owner, scope, ...running };
    this.#open.set(keyOf(owner, id), invoke);
    const bring = (answer: Answer) => this.#inbox.push({ kind: 'invoke', invoke, event: answer });
    void scope.run(run).then(
      (output) => bring({ type: `xstate.done.actor.${id}`, output, actorId: id }),
      (error) => bring({ type: `xstate.error.actor.${id}`, error, actorId: id }),
    );
  }

  /** The chart has left the state that invoked it. One that has answered is not open any more. */
  stop(owner: LocalActor, id: string): void {
    const key = keyOf(owner, id);
    this.#open.get(key)?.scope.cancel();
    this.#open.delete(key);
  }

  stopAllOf(owner: LocalActor): void {
    for (const invoke of this.open) if (invoke.owner === owner) this.stop(owner, invoke.actor.id);
  }

  tell(actor: AnyActor, event: EventObject): void {
    const found = this.open.find((invoke) => invoke.actor === actor);
    if (found) void this.#shield().run(async () => found.tell(event));
  }

  /** Asks those that heed it to end early; they still answer. */
  requestCancellation(): void {
    for (const { scope, heedsCancellation } of this.#open.values()) if (heedsCancellation) scope.cancel();
  }

  /** Whether this very invoke is still the one open under its id: a stale answer must not be fed. */
  take({ owner, actor, ...invoke }: Invoke): boolean {
    const key = keyOf(owner, actor.id);
    if (this.#open.get(key)?.scope !== invoke.scope) return false;
    return this.#open.delete(key);
  }
}
