// Checks the events that a file describes: a state takes each of them, and what is read of their data is declared, and asked for where
// it may be left out.
import { getOwn, matchesAny } from '../../../engine/chart/messages.ts';
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
import { eventsOfFlow, fieldsRead, sourcesIn, textsIn, transitionsOf } from '../reading/walk.ts';
import { formatNearest } from './invokes.ts';
import { lintFinding, type PlacedFinding } from './lint-finding.ts';
import { optionalFields, sourcesThatHold, unsafe } from './missing.ts';
import type { Reach } from './states.ts';

/** Those that the file listens for of flow files that it invokes; what a booking or a question sends has fields of its own. */
function eventsOfChildren(file: FlowFile): string[] {
  const ids = invokesIn(file).flatMap(({ id, invoke }) => {
    const src = eachOf(invoke)?.do.src ?? invoke.src;
    return kindOfActor(src) === 'flow' && eventsOfFlow(src) === null ? [id] : [];
  });
  return listenedFor(file).filter((type) => ids.some((id) => type.startsWith(`${id}.`)));
}

export function eventDataFindings(file: FlowFile, { nodes }: Reach): PlacedFinding[] {
  const { events = {} } = file;
  const taken = [...Object.keys(file.starts ?? {}), ...outsideEvents(file), ...eventsOfChildren(file)];
  const unused = Object.keys(events)
    .filter((type) => !matchesAny(type, taken))
    .map((type) => lintFinding('EventSchemaUnused', ['events', type], type, formatNearest(type, taken)));
  const read = nodes.flatMap(transitionsOf).flatMap(({ trigger, transition: { guard, actions }, at }) => {
    const schema = trigger.kind === 'on' ? getOwn<EventData>(events, trigger.event)?.data : undefined;
    if (schema === undefined) return [];
    const sources = textsIn([guard ?? null, actions ?? null] as unknown as Json).flatMap(sourcesIn);
    const guards = sourcesThatHold(guard);
    const declared = schema.properties === undefined ? null : Object.keys(schema.properties as JsonObject);
    return [
      ...fieldsRead('event.data', sources)
        .filter((field) => declared !== null && !declared.includes(field))
        .map((field) => lintFinding('EventDataNotDeclared', at, `event.data.${field}`)),
      ...unsafe('event.data', optionalFields(schema), { sources, guards }).map((field) =>
        lintFinding('EventDataMayBeMissing', at, `event.data.${field}`),
      ),
    ];
  });
  return [...unused, ...read];
}
