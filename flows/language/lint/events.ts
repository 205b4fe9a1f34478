// Checks events: each event that a file listens for must be able to come, and what it sends to other processes is listened for.

import { getOwn, matchesAny } from '../../../engine/chart/messages.ts';
import {
  type ActionData,
  type EventData,
  type FlowFile,
  type InvokeData,
  isMap,
  type JsonObject,
  listenedFor,
} from '../flow-file.ts';
import { kindOfActor } from '../machine/actor-kinds.ts';
import { type EachData, itemEvents } from '../machine/each-data.ts';
import { outsideEvents } from '../machine/incoming.ts';
import { taskEvents } from '../machine/tasks.ts';
import { nearestOf } from '../nearest-names.ts';
import { rowOf, toldTo } from '../reading/action-effects.ts';
import { eventsOfBooking, eventsOfFlow, isAmong } from '../reading/invoked-events.ts';
import {
  actionsOf,
  type InvokeAt,
  invokesOf,
  type Node,
  nodesOf,
  transitionsOf,
  workOf,
} from '../reading/walk.ts';
import { schemaIssues } from '../schema.ts';
import { formatNearest } from './invokes.ts';
import { lintFinding, type PlacedFinding } from './lint-finding.ts';
import { areTogether, type Reach } from './states.ts';

/** @param files the other files that lint can see */
export function eventFindings(reach: Reach, files: readonly FlowFile[]): PlacedFinding[] {
  const eventsOfInvoke = (invoke: InvokeData): string[] | null => {
    const { src, input } = invoke;
    // An `each` sends those of its items too.
    if (src === 'each') {
      const ofItems = eventsOfInvoke((input as unknown as EachData).do as InvokeData);
      return ofItems && [...ofItems, ...itemEvents];
    }
    if (src === 'ask') return eventsOfTask(input as JsonObject);
    if (src === 'book') return eventsOfBooking((input as JsonObject).operation);
    return kindOfActor(src) === 'flow' ? eventsOfFlow(src, files) : [];
  };
  const invokes = reach.nodes.flatMap((node) => invokesOf(node).map((invoke) => ({ ...invoke, node })));
  const raised = toldTo('itself', reach.nodes);
  return reach.nodes.flatMap((node) =>
    transitionsOf(node).flatMap(({ trigger, at }) => {
      if (trigger.kind !== 'on' || raised.includes(trigger.event)) return [];
      const because = neverComes(trigger.event, node, invokes, eventsOfInvoke);
      return because === undefined ? [] : [lintFinding('EventNeverComes', at, trigger.event, because)];
    }),
  );
}

type InvokeOf = InvokeAt & { readonly node: Node };
type EventsOf = (invoke: InvokeData) => string[] | null;

/** Why the event never comes; undefined if it can. An event that does not belong to a child may come from outside. */
function neverComes(
  event: string,
  node: Node,
  invokes: readonly InvokeOf[],
  eventsOf: EventsOf,
): string | undefined {
  if (event === '*') return undefined;
  const from = invokes.find(({ id }) => event.startsWith(`${id}.`));
  if (from) return isListenedFor(event, node, from, eventsOf);
  const [first = '', ...rest] = event.split('.');
  const meant = nearestOf(
    first,
    invokes
      .filter(({ invoke }) => rest.length > 0 && isAmong(eventsOf(invoke) ?? [], rest.join('.')))
      .map(({ id }) => id),
  );
  return meant === undefined ? undefined : `no invoke has the id ${first}; perhaps ${meant} was meant`;
}

/** What authors take for the end of a call or a question. Other events that begin like its id come from outside. */
const ENDS = ['done', 'error', 'failed', 'answered'];
const ELSEWHERE = 'an event from outside needs another first word';

const eventsOfTask = ({ due, remind }: JsonObject): string[] =>
  taskEvents.filter(
    (event) => (event !== 'overdue' || due !== undefined) && (event !== 'reminder' || remind !== undefined),
  );

function isListenedFor(
  event: string,
  node: Node,
  { id, invoke, node: owner }: InvokeOf,
  eventsOf: EventsOf,
): string | undefined {
  const { src } = invoke;
  const what = event.slice(id.length + 1);
  const sent = eventsOf(invoke);
  const isOfItself =
    src === 'book' ||
    src === 'each' ||
    kindOfActor(src) === 'flow' ||
    (src === 'ask' && isAmong(taskEvents, what));
  if (!isOfItself && !isAmong(sent ?? [], what))
    return ENDS.includes(what) ? `${src} says its end by onDone and onError` : undefined;
  if (!areTogether(node, owner)) return `${id} does not run in this state; ${ELSEWHERE}`;
  return sent === null || isAmong(sent, what) ? undefined : `${src} sends ${sent.join(', ')}; ${ELSEWHERE}`;
}

/** @param files the other files that lint can see */
export function messageFindings(file: FlowFile, reach: Reach, files: readonly FlowFile[]): PlacedFinding[] {
  return reach.nodes.flatMap((node) => [
    ...sentFindings(node, { file, reach, files: [...files, file] }),
    ...wrongDataFindings(node, { file, reach, files: [...files, file] }),
  ]);
}

interface Sending {
  readonly file: FlowFile;
  readonly reach: Reach;
  readonly files: readonly FlowFile[];
}

/** What a file says to itself and to others, where lint sees the schema of whoever hears it. */
function wrongDataFindings(node: Node, sending: Sending): PlacedFinding[] {
  return actionsOf(node).flatMap(({ action, at }) => {
    const { data, type } = action.params ?? {};
    const place = data === undefined ? [...at, 'params'] : [...at, 'params', 'data'];
    const found = receiversOf(action, sending).flatMap(({ receiver, heardAs }) => {
      const schema = getOwn<EventData>(receiver.events ?? {}, heardAs)?.data;
      if (schema === undefined) return [];
      const [issue] = schemaIssues(data ?? null, schema, ['data'], {});
      return issue ? [{ receiver, issue }] : [];
    });
    return found
      .slice(0, 1)
      .map(({ receiver, issue }) =>
        lintFinding(
          'EventDataWrong',
          [...place, ...issue.at.slice(1)],
          String(type),
          `${receiver.name}: ${issue.at.join('.')} ${issue.message}`,
        ),
      );
  });
}

/** By its own file the event may be another one. */
interface Receiver {
  readonly receiver: FlowFile;
  readonly heardAs: string;
}

function receiversOf(action: ActionData, { file, reach, files }: Sending): Receiver[] {
  const { to, where, type: given } = action.params ?? {};
  const type = String(given);
  const hears = (receiver: FlowFile): Receiver => ({ receiver, heardAs: type });
  const hearer = rowOf(action)?.tells;
  if (hearer === 'itself') return [hears(file)];
  if (hearer === 'parent') return files.flatMap((parent) => parentsOf(parent, file.name, type));
  if (hearer !== 'processes') return [];
  if (isMap(where))
    return files
      .filter(({ correlate = {} }) => Object.keys(where).every((key) => Object.hasOwn(correlate, key)))
      .map(hears);
  const src = reach.nodes.flatMap(invokesOf).find(({ id }) => id === to)?.invoke.src;
  return files.filter(({ name }) => name === src).map(hears);
}

/** How a file hears an event of a flow that it invokes. */
const parentsOf = (receiver: FlowFile, child: string, type: string): Receiver[] =>
  nodesOf(receiver)
    .flatMap(invokesOf)
    .flatMap((invoke) =>
      workOf(invoke).invoke.src === child ? [{ receiver, heardAs: `${invoke.id}.${type}` }] : [],
    );

function sentFindings(node: Node, { file, reach: { nodes }, files }: Sending): PlacedFinding[] {
  return actionsOf(node).flatMap(({ action, at }) => {
    const { to, where, type } = action.params ?? {};
    const event = String(type);
    const hearer = rowOf(action)?.tells;
    if (hearer === 'itself') return raisedFindings(event, [...at, 'params', 'type'], file);
    if (hearer !== 'processes') return [];
    if (where !== undefined)
      return keyFindings(Object.keys(where as object), event, [...at, 'params'], files);
    const src = nodes.flatMap(invokesOf).find(({ id }) => id === to)?.invoke.src;
    const receiver = files.find(({ name }) => name === src);
    if (!receiver || matchesAny(event, outsideEvents(receiver))) return [];
    const heard = outsideEvents(receiver).join(', ') || 'nothing';
    return [lintFinding('EventUnheard', [...at, 'params', 'type'], event, `${src} listens for ${heard}`)];
  });
}

function raisedFindings(event: string, at: PlacedFinding['at'], file: FlowFile): PlacedFinding[] {
  const taken = listenedFor(file);
  if (matchesAny(event, taken)) return [];
  return [
    lintFinding('EventUnheard', at, event, formatNearest(event, taken) ?? 'no state of the file takes it'),
  ];
}

/** Only where lint sees files that hear the event, or have one of the keys: others may be published elsewhere. */
function keyFindings(
  keys: readonly string[],
  event: string,
  at: PlacedFinding['at'],
  files: readonly FlowFile[],
): PlacedFinding[] {
  const hearing = files.filter((file) => matchesAny(event, outsideEvents(file)));
  const having = files.filter(({ correlate = {} }) => keys.every((key) => Object.hasOwn(correlate, key)));
  if (hearing.some((file) => having.includes(file))) return [];
  if (hearing.length > 0) {
    const because = hearing
      .map(({ name, correlate = {} }) => `${name} has ${Object.keys(correlate).join(', ') || 'no key'}`)
      .join('; ');
    return [lintFinding('EventUnheard', [...at, 'where'], `${event} for ${keys.join(', ')}`, because)];
  }
  // A flow that lint does not see may hear it: only a name that looks mistyped is a finding.
  const near = nearestOf(event, having.flatMap(outsideEvents));
  return near === undefined
    ? []
    : [lintFinding('EventUnheard', [...at, 'type'], event, `perhaps ${near} was meant`)];
}
