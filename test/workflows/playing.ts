// Plays a built-in flow in virtual time, on the engine that runs it in production. An outside answers its activities at once. It
// is for tests that need thousands of runs.
import type { ActionRequest, Actions, ActionValidation, ProcessState } from '../../contract/flows/actions.ts';
import type { Progress } from '../../contract/flows/flow-answers.ts';
import type { ShipmentReport } from '../../contract/flows/flow-messages.ts';
import { type ChartView, chartView } from '../../engine/chart/chart-view.ts';
import type { Ending } from '../../engine/definition/closing.ts';
import type { Definition } from '../../engine/definition/definition.ts';
import type { Emitted } from '../../engine/definition/outgoing-rules.ts';
import type { Alarm } from '../../engine/host.ts';
import { Process } from '../../engine/process.ts';
import { endOf } from '../../engine/process-view.ts';
import type { Workflow } from '../../engine/temporal/workflow.ts';
import { type VirtualCall, VirtualHost, VirtualTime } from '../../engine/virtual-host.ts';
import type { Invocation } from '../../flows/language/machine/machine-runtime.ts';
import * as workflows from '../../workflows/index.ts';
import type { Outside } from './outside.ts';

export function definitionOf(flow: string): Definition {
  const { definitions } = (workflows as unknown as Record<string, Workflow<unknown, unknown>>)[flow] ?? {};
  const newest = Math.max(...Object.keys(definitions ?? {}).map(Number));
  const build = definitions?.[newest];
  if (!build) throw new TypeError(`there is no flow ${flow}`);
  return build();
}

/** The chart that people see of it. */
export function shownChart({ machine, views }: Definition): ChartView {
  const view = chartView(machine);
  return views.chart?.(view) ?? view;
}

/** What a process waits for, in words. */
export const wordsOf = (waitingFor: Progress['waitingFor']): string[] => waitingFor.map(({ words }) => words);

interface Armed {
  readonly dueAt: number;
  readonly summary: string;
  readonly ring: () => void;
}

/** Its alarms ring when the test says so, by their names: the flows compare their deadlines with the real time. */
class PlayedWorld extends VirtualHost {
  readonly armed = new Set<Armed>();
  /** The milliseconds of the last one that was set. */
  delay: number | undefined;
  at = Date.now();

  override now(): number {
    return this.at;
  }

  override alarm(dueAt: number, summary: string, ring: () => void): Alarm {
    const armed = { dueAt, summary, ring: () => this.armed.delete(armed) && ring() };
    this.armed.add(armed);
    this.delay = dueAt - this.at;
    return { cancel: () => void this.armed.delete(armed) };
  }

  /** Each activity of a flow says by its answer what became of it. */
  override cancelled(): void {
    // It goes on.
  }
}

/** As its activity gets it. */
function argumentOf(type: string, input: unknown): unknown {
  if (type !== 'callLockerApi') return input;
  const { src, input: request } = input as Invocation;
  return { operation: src, request, idempotencyKey: '' };
}

export class Playing {
  readonly #activities: Partial<Outside['activities']>;
  readonly #definition: Definition;
  readonly process: Process;
  readonly #host = new PlayedWorld(new VirtualTime(Date.now()));
  /** What the flow has answered, and what it has handed over. */
  readonly emitted: Emitted[] = [];

  constructor(
    flow: string,
    input: object,
    activities: Partial<Outside['activities']>,
    definition: Definition = definitionOf(flow),
  ) {
    this.#activities = activities;
    this.#definition = definition;
    const start = { input, flow, version: 1, workflowId: 'case-1', firstExecutionRunId: 'run-1' };
    this.process = new Process({ definition: this.#definition, start, host: this.#host });
    this.process.begin();
    this.#settle();
  }

  #settle(): void {
    this.#host.at = Date.now();
    this.process.drain();
    if (!this.process.isOpen) this.process.close();
    for (const sent of this.#host.takeSent())
      if (sent.to === 'others') this.emitted.push({ type: 'notOurs', payload: sent.message });
  }

  send({ type, payload, updateId }: { type: string; payload?: unknown; updateId?: string }): void {
    if (type === 'cancelRequested') this.process.cancel(new Error('cancelled'));
    else if (updateId === undefined) this.process.signal(type, payload);
    else
      this.process.update(type, payload, updateId, {
        answer: (value) => this.emitted.push({ type: 'answer', updateId, value }),
        refuse: (refused) => this.emitted.push({ type: 'refusal', updateId, ...refused }),
      });
    this.#settle();
  }

  receive(report: ShipmentReport): void {
    this.send({ type: 'shipmentStatus', payload: report });
  }

  can(type: string, payload: unknown): boolean {
    return this.process.updateRefusal(type, payload) === undefined;
  }

  refusal(type: string, payload: unknown): string {
    return this.process.updateRefusal(type, payload)?.message ?? '';
  }

  /** The answer to the query `actions`. */
  asked(): Actions;
  asked(asked: ActionRequest): ActionValidation;
  asked(asked?: object): unknown {
    return JSON.parse(JSON.stringify(this.process.actions(asked)));
  }

  /** As the process shows it: its state in the chart, and how it has closed. */
  get state(): Pick<ProcessState, 'state' | 'ends'> {
    const { snapshot, isOpen, closing } = this.process;
    return { state: snapshot.value, ends: isOpen ? null : endOf(closing) };
  }

  /** Answers all activities that are invoked, also those that the answers lead to. */
  async answer(): Promise<void> {
    const asked = new Set<VirtualCall>();
    const next = () => this.#host.calls.find((call) => !asked.has(call));
    for (let call = next(); call; call = next()) {
      asked.add(call);
      const { type, input, done, failed } = call;
      const activity = this.#activities[type as keyof Outside['activities']];
      if (!activity) throw new TypeError(`${type} is not played`);
      await activity(argumentOf(type, input) as never).then(done, failed);
      this.#settle();
    }
  }

  /** Lets a deadline or another delay of the chart pass, by its name. */
  timePasses(delay: string): void {
    const { timers } = this.process;
    const timer = timers.open.find(
      ({ id, of, event }) =>
        (of !== undefined && id === delay) || event.type.startsWith(`xstate.after.${delay}.`),
    );
    const armed = [...this.#host.armed].find(
      ({ dueAt, summary }) => dueAt === timer?.dueAt && summary === timer.summary,
    );
    if (!armed) throw new TypeError(`no timer runs for ${delay}`);
    armed.ring();
    this.#settle();
  }

  /** What an operator reads beside the timer of a delay. */
  timerSummary(delay: string): string | undefined {
    return this.process.timers.open.find(({ id, of }) => of !== undefined && id === delay)?.summary;
  }

  /** The alarms that run: a timer that is set anew has another. */
  get timers(): readonly object[] {
    return [...this.#host.armed];
  }

  /** The milliseconds of the last timer that was set. */
  get delay(): number | undefined {
    return this.#host.delay;
  }

  get progress(): Progress {
    return this.process.progress() as Progress;
  }

  get details(): string {
    return this.#definition.views.details(this.process.snapshot, this.process.pending);
  }

  get attributes() {
    return this.#definition.views.searchAttributes(this.process.snapshot, this.process.pending);
  }

  get ending(): Ending | undefined {
    return this.process.isOpen ? undefined : (this.process.closing as Ending);
  }
}
