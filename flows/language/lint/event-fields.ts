// Checks what is read of an event that the engine makes, and of what a booking or a question gives: a field that it does not have
// halts the process.
import type { FlowResult, LegResult } from '../../../contract/flows/flow-result.ts';
import { TIMER_MOVED } from '../../../engine/chart/messages.ts';
import { anything, listOfMaps, mapWith, type Shape, unknownFields } from '../expressions/read-fields.ts';
import type { FlowFile, InvokeData, Json, JsonObject } from '../flow-file.ts';
import { kindOfActor } from '../machine/actor-kinds.ts';
import type { EachData } from '../machine/each-data.ts';
import { taskEvents } from '../machine/tasks.ts';
import { eventsOfBooking, legEventsOfFlow } from '../reading/invoked-events.ts';
import {
  builtInFlowOf,
  type InvokeAt,
  invokesOf,
  legsOf,
  sourcesIn,
  type Trigger,
  textsIn,
  transitionsOf,
} from '../reading/walk.ts';
import { formatKnown, type Invocables } from './invokes.ts';
import { lintFinding, type PlacedFinding } from './lint-finding.ts';
import type { Reach } from './states.ts';

const shapeOf = <Fields extends object>(fields: Record<keyof Fields, Shape>): Shape => ({
  properties: fields,
});

const leg: Record<keyof LegResult, Shape> = {
  shipmentUid: anything,
  stateCode: anything,
  stateStart: anything,
  pupUid: anything,
  lockerName: anything,
};
const ofLeg = [...Object.keys(leg), 'until'];
const ofDeadline = ['stage', 'until'];
const ofTask = ['by', 'onBehalfOf', 'of', 'holder', 'number'];

/** What a booking with these legs gives. */
const resultOf = (legs: readonly string[]): Shape =>
  shapeOf<FlowResult>({
    outcome: anything,
    shipments: { properties: Object.fromEntries(legs.map((each) => [each, shapeOf<LegResult>(leg)])) },
    overdue: listOfMaps(['role', 'stage', 'deadline']),
    itemsLeft: listOfMaps(['role', 'shipmentUid', 'pupUid', 'lockerName']),
    unassigned: listOfMaps([...Object.keys(leg), 'possibleRoles']),
  });

const ofError = ['code', 'message', 'status', 'detail'];

/**
 * @param files the other files that lint can see
 * @param invocables if not given, what operations answer is not checked
 */
export function eventFieldFindings(
  { nodes }: Reach,
  files: readonly FlowFile[],
  invocables?: Invocables,
): PlacedFinding[] {
  const invokes = nodes.flatMap(invokesOf);
  const shapeAt = (trigger: Trigger) => eventShape(trigger, invokes, { files, invocables });
  const taken = nodes.flatMap(transitionsOf).map(({ trigger, transition: { guard, actions }, at }) => ({
    at,
    event: shapeAt(trigger),
    texts: textsIn([guard ?? null, actions ?? null] as unknown as Json),
  }));
  // It gets what its step gives.
  const undone = invokes.flatMap(({ invoke: { undo }, id, at }) =>
    undo
      ? [
          {
            at: [...at, 'undo'],
            event: shapeAt({ kind: 'invokeDone', id }),
            texts: textsIn(undo.input ?? null),
          },
        ]
      : [],
  );
  return [...taken, ...undone].flatMap(({ at, event, texts }) =>
    unknownFields(texts.flatMap(sourcesIn), { event }).map(({ path, name, known }) =>
      lintFinding('EventFieldUnknown', at, path, formatKnown(name, known)),
    ),
  );
}

interface Seen {
  readonly files: readonly FlowFile[];
  readonly invocables: Invocables | undefined;
}

/** What is known of the event that causes a transition. */
function eventShape(trigger: Trigger, invokes: readonly InvokeAt[], { files, invocables }: Seen): Shape {
  if (trigger.kind === 'on') {
    const fields = fieldsOfEvent(trigger.event, invokes, files);
    return fields ? mapWith(fields) : anything;
  }
  if (trigger.kind !== 'invokeDone' && trigger.kind !== 'invokeError') return anything;
  const invoke = invokes.find(({ id }) => id === trigger.id)?.invoke;
  if (!invoke) return anything;
  if (trigger.kind === 'invokeDone')
    return mapWith(['type'], { output: outputShape(invoke, invocables) ?? anything });
  return mapWith(['type'], { error: mapWith(invoke.src === 'book' ? [...ofError, 'details'] : ofError) });
}

/** Undefined: whoever sends it decides. */
function fieldsOfEvent(
  event: string,
  invokes: readonly InvokeAt[],
  files: readonly FlowFile[],
): string[] | undefined {
  if (event === TIMER_MOVED) return ['type', 'timer', 'until'];
  const sender = invokes.find(({ id }) => event.startsWith(`${id}.`));
  const own = sender && fieldsOf(event.slice(sender.id.length + 1), sender.invoke, files);
  return own && ['type', ...own];
}

function fieldsOf(
  what: string,
  { src, input }: InvokeData,
  files: readonly FlowFile[],
): readonly string[] | undefined {
  if (src === 'each') {
    const ofItem = fieldsOf(what, (input as unknown as { readonly do: InvokeData }).do, files);
    return ofItem && [...ofItem, 'item', 'index'];
  }
  if (src === 'ask') return (taskEvents as readonly string[]).includes(what) ? ofTask : undefined;
  const sent =
    src === 'book' ? eventsOfBooking((input as JsonObject).operation) : legEventsOfFlow(src, files);
  if (!sent?.includes(what)) return undefined;
  if (what === 'needsPerson') return ['waitingFor'];
  return /\.(overdue|deadlineMoved)$/.test(what) ? ofDeadline : ofLeg;
}

/** Undefined: the flow decides. A copy of a built-in flow may give what it wants, too. */
export function outputShape(
  { src, input }: Pick<InvokeData, 'src' | 'input'>,
  invocables: Invocables | undefined,
): Shape | undefined {
  if (src === 'book') return resultOf(legsOf((input as JsonObject).operation));
  const builtIn = builtInFlowOf(src);
  if (builtIn) return resultOf(legsOf(builtIn.operation));
  // The worker gives a process what the contract names, whatever else the service answers.
  if (kindOfActor(src) === 'operation') return invocables?.schemasOf(src)?.result as Shape | undefined;
  if (src === 'each') {
    const { do: work, keep } = input as unknown as EachData;
    const output = keep === undefined ? outputShape(work, invocables) : undefined;
    return mapWith([], {
      done: listOfMaps(['index', 'item'], { output: output ?? anything }),
      failed: listOfMaps(['index', 'item'], { error: mapWith(ofError) }),
      left: listOfMaps(['index', 'item']),
    });
  }
  if (src !== 'ask') return undefined;
  return mapWith(['by', 'onBehalfOf', ...Object.keys((input as { readonly fields?: object }).fields ?? {})]);
}
