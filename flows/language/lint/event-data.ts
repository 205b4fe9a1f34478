// Checks the events that a file describes: a state takes each of them, and what is read of their data is declared, and asked for where
// it may be left out.
import { getOwn, matchesAny } from '../../../engine/chart/messages.ts';
import { anything, mapWith, type Shape, unknownFields } from '../expressions/read-fields.ts';
import {
  type EventData,
  type FlowFile,
  invokesIn,
  type Json,
  type JsonObject,
  listenedFor,
} from '../flow-file.ts';
import { kindOfActor } from '../machine/actor-kinds.ts';
import { eachOf } from '../machine/each-data.ts';
import { outsideEvents } from '../machine/incoming.ts';
import { eventsOfFlow, legEventsOfFlow } from '../reading/invoked-events.ts';
import { sourcesIn, textsIn, transitionsOf } from '../reading/walk.ts';
import { formatNearest } from './invokes.ts';
import { lintFinding, type PlacedFinding } from './lint-finding.ts';
import { optionalFields, sourcesThatHold, unsafe } from './missing.ts';
import type { Reach } from './states.ts';

/** The flow files that it invokes; what a booking, a question or a built-in flow sends has fields of its own. */
const childrenOf = (file: FlowFile): { readonly id: string; readonly src: string }[] =>
  invokesIn(file).flatMap(({ id, invoke }) => {
    const src = eachOf(invoke)?.do.src ?? invoke.src;
    return kindOfActor(src) === 'flow' && eventsOfFlow(src) === null ? [{ id, src }] : [];
  });

/** @param files the other files that lint can see */
export function eventDataFindings(
  file: FlowFile,
  { nodes }: Reach,
  files: readonly FlowFile[],
): PlacedFinding[] {
  const { events = {} } = file;
  const children = childrenOf(file);
  const ofLegs = children.flatMap(({ id, src }) =>
    legEventsOfFlow(src, files).map((event) => `${id}.${event}`),
  );
  const ofChildren = listenedFor(file).filter(
    (type) => children.some(({ id }) => type.startsWith(`${id}.`)) && !ofLegs.includes(type),
  );
  const taken = [...Object.keys(file.starts ?? {}), ...outsideEvents(file), ...ofChildren];
  const unused = Object.keys(events)
    .filter((type) => ofLegs.includes(type) || !matchesAny(type, taken))
    .map((type) => lintFinding('EventSchemaUnused', ['events', type], type, formatNearest(type, taken)));
  const read = nodes.flatMap(transitionsOf).flatMap(({ trigger, transition: { guard, actions }, at }) => {
    const schema = trigger.kind === 'on' ? getOwn<EventData>(events, trigger.event)?.data : undefined;
    if (schema === undefined) return [];
    const sources = textsIn([guard ?? null, actions ?? null] as unknown as Json).flatMap(sourcesIn);
    const guards = sourcesThatHold(guard);
    const declared =
      schema.properties === undefined ? anything : mapWith(Object.keys(schema.properties as JsonObject));
    const event: Shape = { properties: { data: declared }, additionalProperties: true };
    return [
      ...unknownFields(sources, { event }).map(({ path }) => lintFinding('EventDataNotDeclared', at, path)),
      ...unsafe('event.data', optionalFields(schema), { sources, guards }).map((field) =>
        lintFinding('EventDataMayBeMissing', at, `event.data.${field}`),
      ),
    ];
  });
  return [...unused, ...read];
}
