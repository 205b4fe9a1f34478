// Checks that what the invokes of a file name exists: flows, operations, connectors, legs, calendars and steps to undo.
import { getOwn } from '../../../engine/chart/messages.ts';
import type { CalendarData } from '../calendar.ts';
import { type FlowFile, isMap, type Json, type JsonObject, listOf } from '../flow-file.ts';
import { kindOfActor, operationsOfFiles, ownSources } from '../machine/actor-kinds.ts';
import { countedDeadlines } from '../machine/book-input.ts';
import { FIND_ACCOUNT, operationOfWhole } from '../whole-process.ts';
import type { At, KnownNames, Report } from './report.ts';
import { checkCalendarDeadline } from './shape.ts';
import { type InvokeAt, invokesOf, legsOf, nodesOf } from './walk.ts';

export function checkInvoke(file: FlowFile, { invoke, at }: InvokeAt, report: Report): void {
  const { src, input } = invoke;
  if (typeof src !== 'string') return;
  const place = [...at, 'src'];
  if (src === file.name) report.find('SelfInvoked', place, src);
  else if (!mayBeInvoked(src, report.names))
    report.findUnknown('SrcUnknown', place, src, invocable(report.names));
  if (src === 'book') checkBooking(file, input as JsonObject | undefined, [...at, 'input'], report);
  if (src === FIND_ACCOUNT && isMap(input) && input.isWhole !== undefined)
    checkOnboarding(file, input, at, report);
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

/** Its input is the start of the process: only an invoke of a state has that. */
function checkOnboarding(file: FlowFile, { isWhole, ...rest }: JsonObject, at: At, report: Report): void {
  const place = [...at, 'input', 'isWhole'];
  if (isWhole !== true) report.find('ValueWrong', place, JSON.stringify(isWhole), 'true, or no isWhole');
  const around = String(at.at(-1));
  if (around === 'do' || around === 'undo')
    report.find('FieldsConflict', place, `isWhole and ${around}`, 'it in an invoke of a state');
  if (operationOfWhole(file) !== undefined)
    report.find('FieldsConflict', place, 'isWhole and a booking that is the whole process', 'one of the two');
  for (const field of Object.keys(rest))
    report.find(
      'FieldsConflict',
      [...at, 'input', field],
      `${field} and isWhole`,
      'it in what starts the process',
    );
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

export function checkUndoneSteps(invokes: readonly InvokeAt[], report: Report): void {
  const ids = invokes.flatMap(({ id, invoke: { undo } }) => (undo ? [id] : []));
  for (const { invoke, at } of invokes)
    if (invoke.src === 'undo')
      for (const id of listOf((invoke.input as JsonObject | undefined)?.steps as string | undefined))
        if (!ids.includes(id)) report.findUnknown('StepUnknown', [...at, 'input', 'steps'], id, ids);
}

export const invocable = ({ builtIn, published }: KnownNames): string[] => [
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

export function checkConnector(takes: 'calls' | 'events', name: unknown, at: At, report: Report): void {
  const known = report.names.connectors?.[takes];
  if (typeof name === 'string' && known && !known.includes(name))
    report.findUnknown('ConnectorUnknown', at, name, known);
}
