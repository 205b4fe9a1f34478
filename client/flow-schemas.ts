// What a program says to a flow and hears from it, as JSON Schema (2020-12): the one source of it for the package, the command line
// and the API. Each schema stands for itself: what it refers to is in its own $defs.
import { invokeSchemas } from '../contract/flow-schemas/flow-schemas.ts';
import { flowClocks } from '../contract/flows/flow-input.ts';
import type { FlowType } from '../contract/flows/flow-types.ts';
import type { JsonSchema } from '../contract/openapi/schemas.ts';
import { getOwn } from '../engine/chart/messages.ts';
import {
  type EventData,
  type EventStartData,
  type FlowFile,
  type JsonObject,
  listOf,
  type StateData,
} from '../flows/language/flow-file.ts';
import { outsideEvents, ownEvents } from '../flows/language/machine/incoming.ts';
import { invokesOf, nodesOf, targetsOf, transitionsOf, twinOf } from '../flows/language/reading/walk.ts';
import {
  isOnboarding,
  outputOfBooking,
  outputOfLastState,
  outputOfOnboarding,
} from '../flows/language/whole-process.ts';

/** An event from outside that a flow file takes in some state, or is started by. */
export interface EventSchema {
  /** It may end with a wildcard, as `order.*`. */
  readonly type: string;
  readonly description: string | null;
  /** What its data must be; null if the file does not say. */
  readonly data: JsonSchema | null;
  /** Whether it starts a process. */
  readonly starts: boolean;
}

export interface FlowSchemas {
  /** The one argument of the workflow. */
  readonly input: JsonSchema;
  /** Null: the flow file does not say. */
  readonly result: JsonSchema | null;
  /** A built-in flow takes none. */
  readonly events: readonly EventSchema[];
}

/** People decide about a built-in flow by updates of their own (contract/flow-schemas). */
export function schemasOfBuiltIn(flow: FlowType): FlowSchemas {
  const { input, result, $defs } = invokeSchemas(flow) as NonNullable<ReturnType<typeof invokeSchemas>>;
  return { input: { ...input, $defs }, result, events: [] };
}

export function schemasOfFile(file: FlowFile): FlowSchemas {
  return {
    input: inputOfFile(file),
    result: resultOfFile(file),
    events: eventsOfFile(file),
  };
}

function eventsOfFile(file: FlowFile): EventSchema[] {
  const { events, starts = {} } = file;
  const own = ownEvents(file);
  const types = new Set([
    ...Object.keys(starts),
    ...outsideEvents(file).filter((type) => !own.includes(type)),
  ]);
  return [...types].map((type) => {
    const { description, data } = getOwn<EventData>(events, type) ?? {};
    const start = getOwn<EventStartData>(starts, type);
    // Its data is the request.
    const asInput = start && start.request === undefined ? requestOfFile(file) : null;
    return {
      type,
      description: description ?? start?.description ?? null,
      data: (data ?? asInput) as JsonSchema | null,
      starts: start !== undefined,
    };
  });
}

/** Where the file is like a built-in flow: what that takes and gives. */
function schemasOfTwin(file: FlowFile): FlowSchemas | undefined {
  const flow = twinOf(file);
  return flow === undefined ? undefined : schemasOfBuiltIn(flow as FlowType);
}

function inputOfFile(file: FlowFile): JsonSchema {
  const { meaning, input } = file;
  const whole = schemasOfTwin(file)?.input;
  if (whole) return { ...whole, ...(input && withOwn(whole, input)), description: meaning };
  const request = (input ?? { type: 'object' }) as JsonSchema;
  const isNeeded = (request.required ?? []).length > 0;
  return {
    type: 'object',
    description: meaning,
    ...(isNeeded && { required: ['request'] }),
    properties: {
      request,
      clock: { enum: [...flowClocks, null], description: 'Only where the locker service is in staging' },
    },
    additionalProperties: false,
  };
}

/** Null: the file does not say. */
function requestOfFile(file: FlowFile): JsonSchema | null {
  const { properties, $defs } = inputOfFile(file);
  if (file.input === undefined && !schemasOfTwin(file)) return null;
  return { ...(properties as Readonly<Record<string, JsonSchema>>).request, ...($defs && { $defs }) };
}

/** What the file says of the request itself holds beside. */
function withOwn({ properties }: JsonSchema, input: JsonObject): JsonSchema {
  const { request } = properties as Readonly<Record<string, JsonSchema>>;
  return {
    properties: { ...properties, request: { ...request, allOf: [...(request?.allOf ?? []), input] } },
  };
}

function resultOfFile(file: FlowFile): JsonSchema | null {
  const own = file.result as JsonSchema | undefined;
  const isAsOfTwin = isOnboarding(file) ? endsAsOnboarding(file) : givesResultOfBooking(file);
  return own ?? (isAsOfTwin ? schemasOfTwin(file)?.result : null) ?? null;
}

/** As OnboardAccount does: each of its ends gives what that gives, fails, or is that of a cancelled process. */
const endsAsOnboarding = ({ output, states = {} }: FlowFile): boolean =>
  output === outputOfLastState &&
  Object.entries(states).every(
    ([name, state]) =>
      state.type !== 'final' ||
      JSON.stringify(state.output) === JSON.stringify(outputOfOnboarding) ||
      (state.output === undefined && (name === 'cancelled' || fails(state))),
  );

const fails = ({ entry }: StateData): boolean => listOf(entry).some(({ type }) => type === 'fail');

/** As a built-in flow does: it ends only with its booking, and each of its ends hands on what that has given. */
function givesResultOfBooking(file: FlowFile): boolean {
  const nodes = nodesOf(file);
  const booking = nodes.flatMap(invokesOf).find(({ invoke }) => invoke.src === 'book')?.id;
  const ends = nodes.flatMap((node) =>
    transitionsOf(node).flatMap(({ trigger, transition }) =>
      targetsOf(transition, node, nodes)
        .filter(({ state, keys }) => state.type === 'final' && keys.length === 1)
        .map(({ state }) => ({ trigger, output: state.output })),
    ),
  );
  return (
    file.output === outputOfLastState &&
    ends.some(({ trigger }) => trigger.kind === 'invokeDone') &&
    ends.every(
      ({ trigger, output }) =>
        'id' in trigger &&
        trigger.id === booking &&
        output === (trigger.kind === 'invokeDone' ? outputOfBooking : undefined),
    )
  );
}
