// Plays a definition with the driver's own steps, without Temporal. An outside answers activities at once. It is for tests
// that need thousands of runs. The driver's own tests show that the driver does the same durably.

import type { AnyMachineSnapshot, EventObject } from 'xstate';
import type { Progress, ShipmentReport } from '../../contract/flows/flow-messages.ts';
import type { ActivityCall } from '../../driver/actors/activity-call.ts';
import { callOf } from '../../driver/actors/activity-call.ts';
import type { Definition, Emitted, Ending, MessageEvent } from '../../driver/definition.ts';
import type { Workflow } from '../../driver/flow.ts';
import { type Action, firstStep, type Step, step } from '../../driver/step.ts';
import * as workflows from '../../workflows/index.ts';
import type { Outside } from './outside.ts';

interface Invoked {
  readonly id: string;
  readonly call: ActivityCall<unknown>;
  readonly input: unknown;
}

export function definitionOf(flow: string): Definition {
  const { definitions } = (workflows as unknown as Record<string, Workflow<unknown, unknown>>)[flow] ?? {};
  const newest = Math.max(...Object.keys(definitions ?? {}).map(Number));
  const build = definitions?.[newest];
  if (!build) throw new TypeError(`there is no flow ${flow}`);
  return build();
}

/** One step of a flow that was played. */
export interface PlayedStep {
  readonly before: AnyMachineSnapshot;
  readonly event: EventObject;
  readonly after: AnyMachineSnapshot;
}

export class Playing {
  readonly #definition: Definition;
  readonly #activities: Partial<Outside['activities']>;
  readonly emitted: Emitted[] = [];
  readonly steps: PlayedStep[] = [];
  readonly #invoked: Invoked[] = [];
  readonly #late: ShipmentReport[] = [];
  readonly #again: MessageEvent[] = [];
  /** The milliseconds of the last timer that was set. */
  delay: number | undefined;
  #now: Step;

  constructor(
    flow: string,
    input: object,
    activities: Partial<Outside['activities']>,
    definition: Definition = definitionOf(flow),
  ) {
    this.#definition = definition;
    this.#activities = activities;
    const start = { input, flow, version: 1, workflowId: 'case-1', firstExecutionRunId: 'run-1' };
    this.#now = firstStep(this.#definition.machine, start);
    this.#note(this.#now.actions);
  }

  #note(actions: readonly Action[]): void {
    for (const action of actions) {
      const { type, params } = action as { type: string; params: unknown };
      if (type === 'xstate.emit') this.#emit((params as { event: Emitted }).event);
      if (type === 'xstate.raise') this.delay = (params as { delay?: number }).delay ?? this.delay;
      if (type === 'xstate.spawnChild') {
        const { id, src, input } = params as { id: string; src: string; input: unknown };
        this.#invoked.push({ id, call: callOf(this.#definition.machine.implementations.actors, src), input });
      }
    }
  }

  #emit(event: Emitted): void {
    if (event.type === 'again') this.#again.push(event.message);
    else this.emitted.push(event);
  }

  send(event: { readonly type: string; readonly [field: string]: unknown }): void {
    const { snapshot: before } = this.#now;
    this.#now = step(this.#definition.machine, before, event);
    this.steps.push({ before, event, after: this.#now.snapshot });
    this.#note(this.#now.actions);
    for (let next = this.#again.shift(); next; next = this.#again.shift()) this.#take(next);
  }

  hear(report: ShipmentReport): void {
    this.#take({ type: 'shipmentStatus', payload: report });
  }

  /** Takes an event as the driver does, also after the end. */
  #take(event: MessageEvent): void {
    if (!this.ending) this.send({ ...event });
    else if (this.#definition.isOurs(this.#now.snapshot, event))
      this.#late.push(event.payload as ShipmentReport);
    else this.emitted.push({ type: 'notOurs', payload: event.payload });
  }

  can(type: string, payload: unknown): boolean {
    return this.#now.snapshot.can({ type, payload });
  }

  refusal(type: string, payload: unknown): string {
    return this.#definition.refusal(this.#now.snapshot, { type, payload });
  }

  /** Answers all activities that are invoked, also those that the answers lead to. */
  async answer(): Promise<void> {
    for (let next = this.#invoked.shift(); next; next = this.#invoked.shift()) {
      const { id, call, input } = next;
      const activity = this.#activities[call.activity as keyof Outside['activities']];
      if (!activity) throw new TypeError(`${call.activity} is not played`);
      const event = await activity(input as never).then(
        (output) => ({ type: `xstate.done.actor.${id}`, output }),
        (error) => ({ type: `xstate.error.actor.${id}`, error }),
      );
      this.send({ ...event, actorId: id });
    }
  }

  /** Lets a deadline or another delay of the chart pass, by its name. */
  timePasses(delay: string): void {
    const { machine } = this.#definition;
    const [event] = machine.events.filter((type: string) => type.startsWith(`xstate.after.${delay}.`));
    if (!event) throw new TypeError(`the chart has no delay ${delay}`);
    this.send({ type: event });
  }

  /** What an operator reads beside the timer of a delay. */
  timerSummary(delay: string): string {
    return this.#definition.timerSummary(delay, this.#now.snapshot);
  }

  get progress(): Progress {
    return this.#definition.progress(this.#now.snapshot, this.#late) as Progress;
  }

  get details(): string {
    return this.#definition.details(this.#now.snapshot);
  }

  get attributes() {
    return this.#definition.searchAttributes(this.#now.snapshot);
  }

  get ending(): Ending | undefined {
    return this.#now.snapshot.status === 'done' ? (this.#now.snapshot.output as Ending) : undefined;
  }
}
