// Checks that the flows, operations, connectors, states and invokes that a file names exist, and that no id is given twice.
import { getOwn } from '../../../engine/chart/messages.ts';
import type { CalendarData } from '../calendar.ts';
import { MAX_KEYS } from '../correlation.ts';
import { type FlowFile, isMap, type Json, type JsonObject, listOf } from '../flow-file.ts';
import { kindOfActor, operationsOfFiles, ownSources } from '../machine/actor-kinds.ts';
import { countedDeadlines } from '../machine/book-input.ts';
import { inputIssues } from './input-schema.ts';
import { type At, type KnownNames, pathOf, type Report } from './report.ts';
import { checkCalendarDeadline } from './shape.ts';
import {
  actionsOf,
  areApart,
  guardsOf,
  type InvokeAt,
  invokesOf,
  legsOf,
  type Node,
  nodesOf,
  stagesOf,
  targetOf,
  transitionsOf,
  workOf,
} from './walk.ts';

export function checkReferences(file: FlowFile, report: Report): void {
  const { builtIn, mayBeBuiltIn } = report.names;
  const taken = { ...report.names, builtIn: mayBeBuiltIn ? [] : builtIn, published: [] };
  if (invocable(taken).includes(file.name)) report.find('NameTaken', ['name'], file.name);
  if (file.result !== undefined && file.output === undefined)
    report.find('FieldMissing', [], 'output', 'what `result` describes');
  checkSchedules(file, report);
  const nodes = nodesOf(file);
  const invokes = nodes.flatMap(invokesOf);
  for (const each of invokes) {
    checkInvoke(file, workOf(each), report);
    const { undo } = each.invoke;
    if (undo) checkInvoke(file, { ...each, invoke: undo, at: [...each.at, 'undo'] }, report);
  }
  checkUndoneSteps(invokes, report);
  checkIds(file, nodes, invokes, report);
  checkRenames(nodes, invokes, report);
  checkTimerNames(nodes, report);
  for (const node of nodes) {
    checkTargets(node, nodes, report);
    checkGuards(node, nodes, report);
    checkActions(node, nodes, invokes, report);
  }
}

function checkSchedules({ schedules = {}, calendars = {}, input }: FlowFile, report: Report): void {
  const isChecked = isMap(input) && !report.findings.some(({ code }) => code === 'SchemaInvalid');
  for (const [name, { calendar, request }] of Object.entries(schedules)) {
    const at = ['schedules', name];
    const known = Object.keys(calendars);
    if (calendar !== undefined && !known.includes(calendar))
      report.findUnknown('CalendarUnknown', [...at, 'calendar'], calendar, known);
    const place = request === undefined ? at : [...at, 'request'];
    for (const { field, message } of inputIssues(isChecked ? input : undefined, request ?? {}))
      report.find('RequestWrong', place, `a request in which ${field} ${message}`);
  }
}

function checkInvoke(file: FlowFile, { invoke, at }: InvokeAt, report: Report): void {
  const { src, input } = invoke;
  if (typeof src !== 'string') return;
  const place = [...at, 'src'];
  if (src === file.name) report.find('SelfInvoked', place, src);
  else if (!mayBeInvoked(src, report.names))
    report.findUnknown('SrcUnknown', place, src, invocable(report.names));
  if (src === 'book') checkBooking(file, input as JsonObject | undefined, [...at, 'input'], report);
  if (src === 'call')
    checkConnector(
      'calls',
      (input as JsonObject | undefined)?.connector,
      [...at, 'input', 'connector'],
      report,
    );
}

/** What a machine of the file could not be built of. */
function checkBooking(file: FlowFile, input: JsonObject | undefined, at: At, report: Report): void {
  const { operation, legs, isWhole } = input ?? {};
  const known = legsOf(operation);
  if (isMap(legs) && known.length > 0)
    for (const leg of Object.keys(legs))
      if (!known.includes(leg)) report.findUnknown('FieldUnknown', [...at, 'legs', leg], leg, known);
  checkCalendarDeadlines(file, input?.deadlines, [...at, 'deadlines'], report);
  if (isWhole !== true) return;
  const invokes = nodesOf(file).flatMap(invokesOf);
  const isOnly =
    invokes.every(({ invoke }) => invoke.src !== 'each') &&
    invokes.filter(({ invoke }) => invoke.src === 'book').length === 1;
  if (!isOnly)
    report.find('FieldsConflict', [...at, 'isWhole'], 'isWhole and another booking', 'one booking');
  for (const field of ['request', 'deadlines', 'onOverdue', 'waitForLocker'])
    if (input && Object.hasOwn(input, field))
      report.find('FieldsConflict', [...at, field], `${field} and isWhole`, 'it in what starts the process');
}

function checkCalendarDeadlines(file: FlowFile, deadlines: Json | undefined, at: At, report: Report): void {
  const names = Object.keys(file.calendars ?? {});
  for (const { role, stage, given } of countedDeadlines(deadlines)) {
    const place = [...at, role, stage];
    checkCalendarDeadline(given, place, report);
    const { in: name, open, at: time } = given;
    if (typeof name !== 'string' || name.includes('${')) continue;
    const calendar = getOwn<CalendarData | string>(file.calendars ?? {}, name);
    if (calendar === undefined) report.findUnknown('CalendarUnknown', [...place, 'in'], name, names);
    else if ((open ?? time) !== undefined && typeof calendar !== 'string' && !calendar.open)
      report.find(
        'ValueWrong',
        [...place, 'in'],
        name,
        'a calendar with open hours; date alone counts without them',
      );
  }
}

function checkUndoneSteps(invokes: readonly InvokeAt[], report: Report): void {
  const ids = invokes.flatMap(({ id, invoke: { undo } }) => (undo ? [id] : []));
  for (const { invoke, at } of invokes)
    if (invoke.src === 'undo')
      for (const id of listOf((invoke.input as JsonObject | undefined)?.steps as string | undefined))
        if (!ids.includes(id)) report.findUnknown('StepUnknown', [...at, 'input', 'steps'], id, ids);
}

const invocable = ({ builtIn, published }: KnownNames): string[] => [
  ...builtIn,
  ...(published ?? []),
  ...operationsOfFiles,
  ...ownSources,
];

/** If the published flows are not known, any name in the form of a flow's name is accepted. */
function mayBeInvoked(src: string, names: KnownNames): boolean {
  if (invocable(names).includes(src)) return true;
  return names.published === null && kindOfActor(src) === 'flow' && /^[A-Z][A-Za-z0-9_-]{0,63}$/.test(src);
}

function checkConnector(takes: 'calls' | 'events', name: unknown, at: At, report: Report): void {
  const known = report.names.connectors?.[takes];
  if (typeof name === 'string' && known && !known.includes(name))
    report.findUnknown('ConnectorUnknown', at, name, known);
}

function checkIds(
  file: FlowFile,
  nodes: readonly Node[],
  invokes: readonly InvokeAt[],
  report: Report,
): void {
  const states = nodes.flatMap(({ state, at }) =>
    state.id === undefined ? [] : [{ id: state.id, at: [...at, 'id'] }],
  );
  once([{ id: file.name, at: ['name'] }, ...states], report);
  once(
    invokes.map(({ id, at, invoke }) => ({ id, at: invoke.id === undefined ? at : [...at, 'id'] })),
    report,
  );
}

function once(given: readonly { readonly id: string; readonly at: At }[], report: Report): void {
  const seen = new Map<string, At>();
  for (const { id, at } of given) {
    const first = seen.get(id);
    if (first) report.find('IdTaken', at, id, `an id that differs from the one at ${pathOf(first)}`);
    seen.set(id, first ?? at);
  }
}

/** What `was` names is gone from the file, and goes on as one part alone. */
function checkRenames(nodes: readonly Node[], invokes: readonly InvokeAt[], report: Report): void {
  const states = nodes.map(({ state, keys, at }) => ({ was: state.was, name: keys.join('.'), at }));
  const invoked = invokes.map(({ invoke, id, at }) => ({ was: invoke.was, name: id, at }));
  const events = nodes.flatMap(transitionsOf).flatMap(({ transition: { was }, trigger, at }) => {
    if (trigger.kind === 'on') return [{ was, name: trigger.event, at }];
    if (was !== undefined) report.find('FieldUnknown', [...at, 'was'], 'was', 'it only in on');
    return [];
  });
  for (const parts of [states, invoked, events]) {
    const names = new Set(parts.map(({ name }) => name));
    const byWas = new Map<string, string>();
    for (const { was, name, at } of parts) {
      if (was === undefined) continue;
      if (names.has(was)) report.find('WasStillHere', [...at, 'was'], was);
      // An event may be listened for in several states.
      else if ((byWas.get(was) ?? name) !== name)
        report.find('WasTaken', [...at, 'was'], was, `no other than ${byWas.get(was)}`);
      byWas.set(was, name);
    }
  }
}

/** A name stands for one delay of a state: by it a person moves that. */
function checkTimerNames(nodes: readonly Node[], report: Report): void {
  for (const node of nodes) {
    const delays = new Map<string, string>();
    for (const { transition, trigger, at } of transitionsOf(node)) {
      const { name } = transition;
      if (name === undefined) continue;
      if (trigger.kind !== 'after') report.find('FieldUnknown', [...at, 'name'], 'name', 'it only in after');
      else if ((delays.get(name) ?? trigger.delay) !== trigger.delay)
        report.find('IdTaken', [...at, 'name'], name, `a name that differs from that of ${delays.get(name)}`);
      else delays.set(name, trigger.delay);
    }
  }
}

function checkTargets(node: Node, nodes: readonly Node[], report: Report): void {
  const { state, at } = node;
  const within = Object.keys(state.states ?? {});
  if (state.initial !== undefined && !within.includes(state.initial))
    report.findUnknown('InitialUnknown', [...at, 'initial'], state.initial, within);
  if (state.target !== undefined && node.parent && !targetOf(state.target, node, nodes))
    report.findUnknown('TargetUnknown', [...at, 'target'], state.target, targetsFrom(node));
  for (const { transition, at: place } of transitionsOf(node)) {
    const targets = listOf(transition.target);
    const found = targets.map((target) => targetOf(target, node, nodes));
    for (const [index, target] of targets.entries())
      if (!found[index]) report.findUnknown('TargetUnknown', place, target, targetsFrom(node));
    if (conflict(found.filter((each) => each !== undefined)))
      report.find('TargetsConflict', place, targets.join(', '));
  }
}

function checkGuards(node: Node, nodes: readonly Node[], report: Report): void {
  for (const { guard, at } of guardsOf(node)) {
    const asked = typeof guard === 'object' && guard.type === 'stateIn' ? guard.params?.state : undefined;
    if (typeof asked === 'string' && !targetOf(asked, node, nodes))
      report.findUnknown('TargetUnknown', [...at, 'params', 'state'], asked, idsOf(nodes));
  }
}

/** Whether two of the targets are not in different regions of a parallel state. */
function conflict(targets: readonly Node[]): boolean {
  return targets.some((one, index) => targets.slice(index + 1).some((other) => !areApart(one, other)));
}

/** The targets that the author most likely meant. */
function targetsFrom({ parent, state }: Node): string[] {
  const beside = Object.keys(parent?.state.states ?? {});
  return [...beside, ...Object.keys(state.states ?? {}).map((key) => `.${key}`)];
}

const idsOf = (nodes: readonly Node[]): string[] =>
  nodes.flatMap(({ state }) => (state.id === undefined ? [] : [`#${state.id}`]));

function checkActions(
  node: Node,
  nodes: readonly Node[],
  invokes: readonly InvokeAt[],
  report: Report,
): void {
  for (const { action, at } of actionsOf(node)) {
    const { params = {} } = action;
    if (action.type === 'emit') checkConnector('events', params.to, [...at, 'params', 'to'], report);
    if (action.type === 'fail' && !isAtTheEnd(node, at)) report.find('FailMisplaced', at, 'fail');
    if (action.type === 'sendTo') checkSendTo(params, [...at, 'params'], { invokes, report });
    if (action.type === 'extend') checkExtend(params, [...at, 'params'], { invokes, report });
    if (action.type === 'cancel') checkCancel(params, [...at, 'params'], { nodes, invokes, report });
  }
}

/** On the way into the end of the process, so that whatever the step emits is delivered before. */
const isAtTheEnd = ({ state, parent }: Node, at: At): boolean =>
  state.type === 'final' &&
  parent !== undefined &&
  parent.parent === undefined &&
  parent.state.type !== 'parallel' &&
  at.includes('entry');

function checkSendTo(
  { to, where, keepFor, id }: JsonObject,
  at: At,
  { invokes, report }: { invokes: readonly InvokeAt[]; report: Report },
): void {
  if (to === undefined && where === undefined)
    report.find('FieldMissing', at, 'to or where', 'one of the two');
  if (to !== undefined && where !== undefined) report.find('FieldsConflict', at, 'to and where');
  if (where !== undefined) checkWhere(where, [...at, 'where'], report);
  for (const [field, value] of Object.entries({ keepFor, id }))
    if (to !== undefined && value !== undefined) report.find('FieldsConflict', at, `to and ${field}`);
  if (typeof to !== 'string') return;
  // A built-in flow hears callbacks and commands alone.
  const files = invokes.filter(
    ({ invoke: { src } }) => kindOfActor(src) === 'flow' && !report.names.builtIn.includes(src),
  );
  const ids = files.map((each) => each.id);
  if (!ids.includes(to)) report.findUnknown('ReceiverUnknown', [...at, 'to'], to, ids);
}

function checkWhere(where: Json, at: At, report: Report): void {
  const keys = isMap(where) ? Object.keys(where).length : 0;
  if (!isMap(where)) report.find('TypeWrong', at, JSON.stringify(where), 'a map of keys');
  else if (keys === 0) report.find('FieldMissing', at, 'a key', 'at least one');
  else if (keys > MAX_KEYS) report.find('ValueWrong', at, `a map of ${keys} keys`, `at most ${MAX_KEYS}`);
}

function checkExtend(
  { booking, role, stage, until, fromNow }: JsonObject,
  at: At,
  { invokes, report }: { invokes: readonly InvokeAt[]; report: Report },
): void {
  if (until === undefined && fromNow === undefined)
    report.find('FieldMissing', at, 'fromNow or until', 'one of the two');
  if (until !== undefined && fromNow !== undefined) report.find('FieldsConflict', at, 'fromNow and until');
  const bookings = invokes.filter(({ invoke }) => invoke.src === 'book');
  const named = bookings.find(({ id }) => id === booking);
  if (typeof booking === 'string' && !named)
    report.findUnknown(
      'InvokeUnknown',
      [...at, 'booking'],
      booking,
      bookings.map(({ id }) => id),
    );
  const { operation } = (named?.invoke.input ?? {}) as JsonObject;
  const legs = legsOf(operation);
  if (legs.length === 0 || typeof role !== 'string') return;
  const stages = stagesOf(operation, role);
  if (!legs.includes(role)) report.findUnknown('ValueWrong', [...at, 'role'], role, legs);
  else if (typeof stage === 'string' && !stages.includes(stage))
    report.find(
      'ValueWrong',
      [...at, 'stage'],
      stage,
      stages.length > 0 ? `one of ${stages.join(', ')}` : `another leg: ${role} takes no deadline`,
    );
}

function checkCancel(
  { invoke, raise }: JsonObject,
  at: At,
  { nodes, invokes, report }: { nodes: readonly Node[]; invokes: readonly InvokeAt[]; report: Report },
): void {
  if (invoke === undefined && raise === undefined)
    report.find('FieldMissing', at, 'invoke or raise', 'one of the two');
  if (invoke !== undefined && raise !== undefined) report.find('FieldsConflict', at, 'invoke and raise');
  const invoked = invokes.map(({ id }) => id);
  const raised = nodes
    .flatMap(actionsOf)
    .flatMap(({ action: { type, params } }) => (type === 'raise' ? [String(params?.id)] : []));
  if (typeof invoke === 'string' && !invoked.includes(invoke))
    report.findUnknown('InvokeUnknown', at, invoke, invoked);
  if (typeof raise === 'string' && !raised.includes(raise))
    report.findUnknown('InvokeUnknown', at, raise, raised);
}
