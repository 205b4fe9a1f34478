// One run of a workflow as a worker holds it: the real workflow code on the activator of Temporal's own SDK, in this context
// instead of a sandbox. It takes activations and gives commands; where they come from is the server's matter.
import type { PayloadConverter } from '@temporalio/common';
import { setActivator } from '@temporalio/workflow/lib/global-attributes.js';
import { Activator } from '@temporalio/workflow/lib/internals.js';
import * as sdk from '@temporalio/workflow/lib/worker-interface.js';
import * as workflows from '../../../workflows/index.ts';
import { hash } from '../kernel/random.ts';
import { runMicrotasks } from '../kernel/simulator.ts';

/** Something that has happened to a run, in the form of the SDK's core. */
export interface Job {
  readonly variant: string;
  readonly [variant: string]: unknown;
}

/** What the workflow wants, in the form of the SDK's core: one field, named after the command. */
export type Command = Readonly<Record<string, unknown>>;

export interface Activation {
  readonly at: number;
  readonly jobs: readonly Job[];
  readonly historyLength: number;
  readonly isContinueAsNewSuggested: boolean;
  /** Those of the SDK, as they were used when this was decided. */
  readonly flags: readonly number[];
}

export interface RunInfo {
  readonly workflowId: string;
  readonly runId: string;
  readonly firstRunId: string;
  readonly type: string;
  readonly startedAt: number;
  readonly parent: { readonly workflowId: string; readonly runId: string } | null;
  readonly continuedFrom: string | null;
}

/** Payloads are JSON, as with the default converter, but without bytes and metadata around it. */
export interface Payload {
  readonly json?: string;
  readonly metadata?: unknown;
}

export const payloads: PayloadConverter = {
  toPayload: (value: unknown) => (value === undefined ? {} : { json: JSON.stringify(value) }) as never,
  fromPayload: (payload: unknown) => {
    const { json } = payload as Payload;
    return json === undefined ? undefined : JSON.parse(json);
  },
};

export const encoded = (values: readonly unknown[]): Payload[] =>
  values.map((value) => payloads.toPayload(value, undefined as never) as Payload);

export const decoded = (given: readonly Payload[] | null | undefined): unknown[] =>
  (given ?? []).map((payload) => payloads.fromPayload(payload as never, undefined as never));

export const TASK_QUEUE = 'lockerflow';

const types: Readonly<Record<string, unknown>> = workflows;

/** The time that the workflow code sees while it runs; else undefined. */
export const timeOfWorkflow = (): number | undefined => running?.now;
/** Likewise its chance. */
export const chanceOfWorkflow = (): number | undefined => running?.random();

let running: Activator | null = null;

export class CachedRun {
  readonly #activator: Activator;
  #usedFlags: readonly number[] = [];

  constructor({ workflowId, runId, firstRunId, type, startedAt, parent, continuedFrom }: RunInfo) {
    const info = {
      ...{ workflowId, runId, firstExecutionRunId: firstRunId, workflowType: type },
      ...{ namespace: 'default', taskQueue: TASK_QUEUE, attempt: 1, historyLength: 0, historySize: 0 },
      ...{ startTime: new Date(startedAt), runStartTime: new Date(startedAt), taskTimeoutMs: 10_000 },
      continueAsNewSuggested: false,
      memo: {},
      searchAttributes: {},
      ...(parent && { parent: { ...parent, namespace: 'default' } }),
      ...(continuedFrom !== null && { continuedFromExecutionRunId: continuedFrom }),
      unsafe: { isReplaying: false, isReplayingHistoryEvents: false, now: () => startedAt },
    };
    this.#activator = new Activator({
      info: info as never,
      now: startedAt,
      showStackTraceSources: false,
      sourceMap: undefined as never,
      getTimeOfDay: () => 0n,
      randomnessSeed: [hash(runId)],
      // A worker throws for one that it does not have.
      registeredActivityNames: { has: () => true },
      stackTracesEnabled: false,
    } as never);
    this.#activator.payloadConverter = payloads;
    const workflow = types[type] ?? types.default;
    if (typeof workflow !== 'function') throw new TypeError(`${type} is no workflow`);
    this.#activator.workflow = workflow as never;
  }

  /** Throws what fails the workflow's task. */
  activate(
    { at, jobs, historyLength, isContinueAsNewSuggested, flags }: Activation,
    isReplaying: boolean,
  ): readonly Command[] {
    const activator = this.#activator;
    activator.now = at;
    activator.addKnownFlags([...flags]);
    activator.mutateWorkflowInfo((info) => ({
      ...info,
      historyLength,
      continueAsNewSuggested: isContinueAsNewSuggested,
      unsafe: { ...info.unsafe, isReplaying, isReplayingHistoryEvents: isReplaying },
    }));
    return this.#run(() => {
      const init = jobs.find(({ variant }) => variant === 'initializeWorkflow');
      if (init) sdk.initialize(init.initializeWorkflow as never);
      const isPatch = ({ variant }: Job) => variant === 'notifyHasPatch';
      for (const job of jobs.filter(isPatch)) activator.notifyHasPatch(job.notifyHasPatch as never);
      sdk.activate({ jobs: jobs.filter((job) => !isPatch(job)) } as never);
      do runMicrotasks();
      while (sdk.tryUnblockConditions() > 0);
    });
  }

  /** Of the SDK, for the history. */
  get usedFlags(): readonly number[] {
    return this.#usedFlags;
  }

  /** The answer of its handler; throws where the handler does. */
  query(name: string, args: readonly unknown[]): unknown {
    const { unsafe } = this.#activator.info;
    this.#activator.mutateWorkflowInfo((info) => ({ ...info, unsafe: { ...unsafe, isReplaying: true } }));
    const query = { queryId: 'query', queryType: name, arguments: encoded(args), headers: {} };
    const [command] = this.#run(() => {
      sdk.activate({ jobs: [{ variant: 'queryWorkflow', queryWorkflow: query }] } as never);
      runMicrotasks();
    });
    const { succeeded, failed } = (command as { respondToQuery: Answered }).respondToQuery;
    if (succeeded) return payloads.fromPayload(succeeded.response as never, undefined as never);
    throw new Error(`the query ${name} failed: ${failed?.message}`);
  }

  #run(steps: () => void): readonly Command[] {
    setActivator(this.#activator);
    running = this.#activator;
    try {
      steps();
      const { successful } = sdk.concludeActivation() as unknown as {
        readonly successful: {
          readonly commands: readonly Command[];
          readonly usedInternalFlags: readonly number[];
        };
      };
      this.#usedFlags = successful.usedInternalFlags;
      this.#activator.getAndResetSinkCalls();
      return successful.commands;
    } finally {
      running = null;
      setActivator(undefined as never);
    }
  }
}

interface Answered {
  readonly succeeded?: { readonly response: unknown };
  readonly failed?: { readonly message: string };
}

/** What the commands decide: a replay must give the same. Where code threw, and what people read of it, is no decision. */
export const textOf = (commands: readonly Command[]): string =>
  JSON.stringify(commands, (key, value: unknown) => (notDecided.has(key) ? undefined : value));

const notDecided: ReadonlySet<string> = new Set(['stackTrace', 'eventGroupMarkers', 'userMetadata']);

export const kindOf = (command: Command): string =>
  Object.keys(command).find((key) => !notDecided.has(key)) ?? 'nothing';
