// Checks that what the actions of a file name exists: connectors, receivers of events, bookings, invokes and raised events.
import { MAX_KEYS } from '../correlation.ts';
import { isMap, type Json, type JsonObject } from '../flow-file.ts';
import { kindOfActor } from '../machine/actor-kinds.ts';
import { rowOf } from './action-effects.ts';
import { checkConnector } from './invoke-references.ts';
import type { At, Report } from './report.ts';
import { actionsOf, type InvokeAt, legsOf, type Node, stagesOf } from './walk.ts';

export function checkActions(
  node: Node,
  nodes: readonly Node[],
  invokes: readonly InvokeAt[],
  report: Report,
): void {
  for (const { action, at } of actionsOf(node)) {
    const { type, params = {} } = action;
    if (rowOf(action)?.isOfEnd && !isAtTheEnd(node, at)) report.find('FailMisplaced', at, type);
    if (type === 'emit') checkConnector('events', params.to, [...at, 'params', 'to'], report);
    if (type === 'sendTo') checkSendTo(params, [...at, 'params'], { invokes, report });
    if (type === 'extend') checkExtend(params, [...at, 'params'], { invokes, report });
    if (type === 'cancel') checkCancel(params, [...at, 'params'], { nodes, invokes, report });
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
  { booking, role, stage }: JsonObject,
  at: At,
  { invokes, report }: { invokes: readonly InvokeAt[]; report: Report },
): void {
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
  const invoked = invokes.map(({ id }) => id);
  const raised = nodes
    .flatMap(actionsOf)
    .flatMap(({ action }) => (rowOf(action)?.tells === 'itself' ? [String(action.params?.id)] : []));
  if (typeof invoke === 'string' && !invoked.includes(invoke))
    report.findUnknown('InvokeUnknown', at, invoke, invoked);
  if (typeof raise === 'string' && !raised.includes(raise))
    report.findUnknown('InvokeUnknown', at, raise, raised);
}
