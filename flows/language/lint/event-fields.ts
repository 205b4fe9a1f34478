// Checks what is read of an event that the engine makes, and of what a booking or a question gives: a field that it does not have
// halts the process.
import type { FlowResult, LegResult } from '../../../contract/flows/flow-answers.ts';
import { TIMER_MOVED } from '../../../engine/chart/messages.ts';
import type { FlowFile, InvokeData, Json, JsonObject } from '../flow-file.ts';
import { kindOfActor } from '../machine/actor-kinds.ts';
import { taskEvents } from '../machine/tasks.ts';
import { eventsOfBooking, legEventsOfFlow } from '../reading/invoked-events.ts';
import {
  builtInFlowOf,
  fieldsRead,
  type InvokeAt,
  invokesOf,
  sourcesIn,
  textsIn,
  transitionsOf,
} from '../reading/walk.ts';
import { formatNearest, type Invocables } from './invokes.ts';
import { lintFinding, type PlacedFinding } from './lint-finding.ts';
import type { Reach } from './states.ts';

const namesOf = <Fields extends object>(fields: Record<keyof Fields, true>): string[] => Object.keys(fields);

const ofLeg = namesOf<LegResult & { until: unknown }>({
  shipmentUid: true,
  stateCode: true,
  stateStart: true,
  pupUid: true,
  lockerName: true,
  until: true,
});
const ofDeadline = ['stage', 'until'];
const ofTask = ['by', 'onBehalfOf', 'of', 'holder', 'number'];
const ofResult = namesOf<FlowResult>({
  outcome: true,
  shipments: true,
  overdue: true,
  itemsLeft: true,
  unassigned: true,
});

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
  return nodes.flatMap(transitionsOf).flatMap(({ trigger, transition: { guard, actions }, at }) => {
    const sources = textsIn([guard ?? null, actions ?? null] as unknown as Json).flatMap(sourcesIn);
    const unknown = (variable: 'event' | 'event.output', known: readonly string[] | undefined) =>
      fieldsRead(variable, sources)
        .filter((field) => known && !known.includes(field))
        .map((field) => {
          const because = formatNearest(field, known ?? []) ?? `it has ${known?.join(', ')}`;
          return lintFinding('EventFieldUnknown', at, `${variable}.${field}`, because);
        });
    if (trigger.kind === 'on') return unknown('event', fieldsOfEvent(trigger.event, invokes, files));
    if (trigger.kind !== 'invokeDone') return [];
    const invoke = invokes.find(({ id }) => id === trigger.id)?.invoke;
    return unknown('event.output', invoke && fieldsOfOutput(invoke, invocables));
  });
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
export function fieldsOfOutput(
  { src, input }: InvokeData,
  invocables: Invocables | undefined,
): readonly string[] | undefined {
  if (src === 'book' || builtInFlowOf(src)) return ofResult;
  if (kindOfActor(src) === 'operation') return fieldsOfAnswer(invocables?.schemasOf(src)?.result);
  if (src !== 'ask') return undefined;
  return ['by', 'onBehalfOf', ...Object.keys((input as { readonly fields?: object }).fields ?? {})];
}

/** The worker gives a process what the contract names, whatever else the service answers. */
const fieldsOfAnswer = (schema: { readonly properties?: object } | undefined): string[] | undefined =>
  schema?.properties && Object.keys(schema.properties);
