// Makes a workflow of a machine, or of the versions of a definition, and runs any of them durably. It has no code for a
// special flow: the statechart says what a process does. A process runs on one version: the newest at its start.
import { defineQuery, patched, setHandler, workflowInfo } from '@temporalio/workflow';
import type { AnyMachineSnapshot, AnyStateMachine, EventObject, InputFrom, OutputFrom } from 'xstate';
import { actionsOf, cancelCommand } from '../commands.ts';
import { complete } from '../defaults.ts';
import type {
  Complete,
  Continued,
  Declared,
  Definition,
  Ending,
  MessageEvent,
  MigrationRequest,
  ProcessStart,
  Versions,
} from '../definition.ts';
import { VersionMissing } from '../migration/migrations.ts';
import { joined } from '../migration/plan.ts';
import { firstStep } from '../stepper.ts';
import { MovableClock } from './movable-clock.ts';
import { Run } from './run.ts';

export interface Workflow<Input, Result> {
  (input: Input, continued?: Continued): Promise<Result>;
  /** The definitions, for tests and docs. Building one checks it. */
  readonly definitions: Versions<Definition>;
}

/** Options beside the machine; none is required. */
export type StatechartOptions = Omit<Declared, 'machine'>;

/**
 * Takes one machine, or its versions, each as a function: a process stays on the version that it began with. Its input is
 * the workflow's argument, its output the workflow's result. If the engine cannot run a machine, it throws a ChartError when
 * the version is built.
 */
export function statechart<Machine extends AnyStateMachine>(
  machine: Machine | Versions<Machine>,
  options: StatechartOptions = {},
): Workflow<InputFrom<Machine>, OutputFrom<Machine>> {
  const versions = isMachine(machine) ? { 1: () => machine } : machine;
  const declared = Object.entries(versions).map(([version, build]) => [
    version,
    () => ({ ...plain, ...options, machine: build() }),
  ]);
  const workflow = flow<InputFrom<Machine>, OutputFrom<Machine>>(null, Object.fromEntries(declared));
  if (isMachine(machine)) workflow.definitions[1]?.();
  return workflow;
}

function isMachine<Machine extends AnyStateMachine>(given: Machine | Versions<Machine>): given is Machine {
  return 'root' in given;
}

/** The input and output of the xstate machine. */
const plain: StatechartOptions = {
  input: ({ input }) => input,
  event: (message) => eventOf(message),
  ending: (snapshot, isCancelled) => endingOf(snapshot, isCancelled),
  updates: {
    send: {
      description: 'Sends an event, as { type, … }; answers with the progress after it',
      event: checkedEvent,
    },
  },
};

/** The fields of the signal's argument are the event's; an argument that is not an object is its payload. */
function eventOf({ type, payload, updateId }: MessageEvent): EventObject {
  const isObject = typeof payload === 'object' && payload !== null && !Array.isArray(payload);
  const fields = isObject ? payload : { ...(payload !== undefined && { payload }) };
  return { ...fields, ...(updateId !== undefined && { updateId }), type };
}

function checkedEvent(payload: unknown): EventObject {
  const { type } = (payload ?? {}) as { readonly type?: unknown };
  if (typeof type !== 'string')
    throw new TypeError('expected one argument, an event with its type as a text: { "type": "…" }');
  if (type.startsWith('xstate.') && type !== 'xstate.route')
    throw new TypeError(`${type} is an event that only xstate makes; expected one of the machine's own`);
  return payload as EventObject;
}

/** A cancelled workflow closes as cancelled, after its machine has handled it. */
function endingOf({ output }: AnyMachineSnapshot, isCancelled: boolean): Ending {
  return isCancelled ? { kind: 'cancelled' } : { kind: 'result', result: output };
}

/** @param name of the workflow type, if it differs from the type at the start */
export function flow<Input, Result>(name: string | null, versions: Versions): Workflow<Input, Result> {
  const built = definitionsOf(versions);
  // A machine by itself has no other version to become.
  const hasVersions = name !== null || Object.keys(versions).length > 1;
  const definitionOf = (type: string, version: number): Complete => ({
    ...built(type, version),
    ...(hasVersions && {
      migrates: ({ to, plan = {} }: MigrationRequest, now: AnyMachineSnapshot) => {
        const other = Number((to as { readonly version?: unknown } | null)?.version);
        const definition = definitionOf(type, other);
        const { plan: own = {}, ...target } = definition.takesOver?.(now, other, plan) ?? {};
        return { ...target, definition, version: other, plan: joined(own, plan) };
      },
    }),
  });
  const run = (input: Input, continued?: Continued) => {
    const { workflowId, workflowType, firstExecutionRunId } = workflowInfo();
    const type = name ?? workflowType;
    const version = continued?.version ?? chooseVersion(type, versions);
    const start = { flow: type, version, input, workflowId, firstExecutionRunId };
    return begun(definitionOf(type, version), start, continued) as Promise<Result>;
  };
  const definitions = Object.fromEntries(
    Object.keys(versions).map((version) => [version, () => definitionOf(name ?? '', Number(version))]),
  );
  return Object.assign(run, { definitions });
}

/** For a definition that the workflow has found itself. Throws before the first await if it cannot start. */
export function runProcess(
  declared: Declared,
  start: ProcessStart,
  continued?: Continued,
  clock: MovableClock | null = null,
): Promise<unknown> {
  return new Run(complete(declared), start, continued, clock).toItsEnd();
}

/** With the real time it begins at once, before the first await. */
function begun(definition: Complete, start: ProcessStart, continued?: Continued): Promise<unknown> {
  const runWith = (clock: MovableClock | null) => new Run(definition, start, continued, clock).toItsEnd();
  const clock = processClock(definition, start, continued);
  if (clock === null || clock instanceof MovableClock) return runWith(clock);
  setHandler(defineQuery('progress'), () => progressAtStart(definition, start));
  if (definition.commands)
    setHandler(defineQuery<unknown, [unknown]>('actions'), (asked) =>
      actionsOf(
        { isOpen: true, start },
        () => [cancelCommand({ cancellationRefusal: () => undefined })],
        asked,
      ),
    );
  return clock.then(runWith);
}

/** The clock of a new process, or of a continued run; null: the real time. */
export function processClock(
  { clock }: Pick<Definition, 'clock'>,
  start: ProcessStart,
  continued?: Continued,
): Promise<MovableClock> | MovableClock | null {
  if (continued) return continued.aheadMs === undefined ? null : new MovableClock(continued.aheadMs);
  return clock?.(start)?.then((aheadMs) => new MovableClock(aheadMs)) ?? null;
}

/** For a question that comes before the process knows its time. */
function progressAtStart(definition: Complete, start: ProcessStart): unknown {
  const input: unknown = definition.input ? definition.input(start) : start;
  return definition.progress(firstStep(definition.machine, input).snapshot, []);
}

/**
 * Asked once, first thing in a workflow, and never in a continued run: that one is live, so `patched` would be true
 * and move it to the newest. Version 1 has no marker, hence the literal: "the lowest that is registered" would answer
 * without a question once version 1 is gone, and the runs of version 2 could not be replayed.
 */
function chooseVersion(name: string, versions: Versions): number {
  const descending = Object.keys(versions)
    .map(Number)
    .sort((one, other) => other - one);
  for (const version of descending) if (version === 1 || patched(`${name}@${version}`)) return version;
  throw missing(name, versions, 1);
}

/**
 * By version. Each is built and checked once: it is pure, so that all processes of a worker may share it.
 * A plain Error when it is not registered: the task fails and the process waits for the right deploy.
 */
function definitionsOf(versions: Versions): (name: string, version: number) => Complete {
  const built = new Map<number, Complete>();
  return (name, version) => {
    const build = versions[version];
    if (!build) throw missing(name, versions, version);
    const definition = built.get(version) ?? complete(build());
    built.set(version, definition);
    return definition;
  };
}

function missing(name: string, versions: Versions, version: number): Error {
  return new VersionMissing(
    `${name}@${version} is not registered (registered: ${Object.keys(versions).join(', ')}); deploy a worker that has it`,
  );
}
