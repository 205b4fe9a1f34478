// A Temporal workflow of any xstate machine: its input is the workflow's argument, its output the workflow's result.
import type { AnyMachineSnapshot, AnyStateMachine, EventObject, InputFrom, OutputFrom } from 'xstate';
import type { Declared, Ending, MessageEvent, Versions } from './definition.ts';
import { flow, type Workflow } from './flow.ts';

/** Options beside the machine; none is required. */
export type StatechartOptions = Omit<Declared, 'machine'>;

/**
 * Takes one machine, or its versions, each as a function: a process stays on the version that it began with. If the
 * driver cannot run a machine, it throws a ChartError when the version is built.
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
