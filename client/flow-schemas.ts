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
  operationOfWhole,
} from '../flows/language/flow-file.ts';
import { outsideEvents, ownEvents } from '../flows/language/machine/incoming.ts';
import { flowOfBooking } from '../flows/language/reading/walk.ts';

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
    result: (file.result ?? null) as JsonSchema | null,
    events: eventsOfFile(file),
  };
}

function eventsOfFile(file: FlowFile): EventSchema[] {
  const { events, starts = {}, input = null } = file;
  const own = ownEvents(file);
  const types = new Set([
    ...Object.keys(starts),
    ...outsideEvents(file).filter((type) => !own.includes(type)),
  ]);
  return [...types].map((type) => {
    const { description, data } = getOwn<EventData>(events, type) ?? {};
    const start = getOwn<EventStartData>(starts, type);
    // Its data is the request.
    const asInput = start && start.request === undefined ? input : null;
    return {
      type,
      description: description ?? start?.description ?? null,
      data: (data ?? asInput) as JsonSchema | null,
      starts: start !== undefined,
    };
  });
}

function inputOfFile(file: FlowFile): JsonSchema {
  const { meaning, input } = file;
  const whole = flowOfBooking(operationOfWhole(file));
  if (whole !== undefined) return { ...schemasOfBuiltIn(whole as FlowType).input, description: meaning };
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
