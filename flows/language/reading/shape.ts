// Checks the data of a file against the vocabulary: each field is known, of the right kind, and within the bounds.

import { getOwn } from '../../../engine/chart/messages.ts';
import { durationMs } from '../duration.ts';
import { eachEnvironments, eventEnvironment } from '../expressions/language.ts';
import { bounds, isMap, type Json, type JsonObject, NAME } from '../flow-file.ts';
import { kindOfActor } from '../machine/actor-kinds.ts';
import { actionParams, guardParams } from './action-vocabulary.ts';
import { type Check, eachOf, oneOrMore } from './checks.ts';
import type { Kind } from './kinds.ts';
import { type At, jsonKindOf, type Report } from './report.ts';
import { valueKinds } from './value-kinds.ts';
import { checkDelay, checkSole, checkValue } from './values.ts';
import {
  calendarDeadlineFields,
  calendarFields,
  eventFields,
  type Field,
  type Fields,
  fileFields,
  inputFields,
  invokeFields,
  legFields,
  questionFields,
  retryFields,
  scheduleFields,
  startFields,
  stateFields,
  transitionFields,
} from './vocabulary.ts';

const EVENT_PATTERN = /^(?:\*|[A-Za-z][A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]+)*(?:\.\*)?)$/;

export function checkShape(data: Json, report: Report): void {
  if (isMap(data)) checkFields(data, [], fileFields, report);
  else report.find('TypeWrong', [], jsonKindOf(data), 'a map with name, meaning and states');
}

function checkFields(given: JsonObject, at: At, fields: Fields, report: Report): void {
  for (const [key, value] of Object.entries(given)) {
    const field = Object.hasOwn(fields, key) ? fields[key] : undefined;
    if (field) checkField(value, [...at, key], field, report);
    else report.findUnknown('FieldUnknown', [...at, key], key, Object.keys(fields));
  }
  for (const [key, { required }] of Object.entries(fields))
    if (required && !Object.hasOwn(given, key)) report.find('FieldMissing', at, key);
}

function checkField(value: Json, at: At, { kind, values }: Field, report: Report): void {
  if (values && !(typeof value === 'string' && values.includes(value))) {
    report.find('ValueWrong', at, JSON.stringify(value), `one of ${values.join(', ')}`);
    return;
  }
  kinds[kind](value, at, report);
}

const map =
  (fields: Fields): Check =>
  (value, at, report) => {
    if (isMap(value)) checkFields(value, at, fields, report);
    else report.find('TypeWrong', at, jsonKindOf(value), `a map of ${Object.keys(fields).join(', ')}`);
  };

const transition: Check = (value, at, report) => {
  if (typeof value !== 'string') map(transitionFields)(value, at, report);
};
const transitions = oneOrMore(transition);

const states = eachOf((key, value, at, report) => {
  if (!NAME.test(key)) report.find('NameInvalid', at, JSON.stringify(key));
  map(stateFields)(value, at, report);
});

/** What the table has for the type of a map of type and params; reports a map of another form. */
function ofType<Known>(
  value: JsonObject,
  code: 'ActionUnknown' | 'GuardUnknown',
  table: Readonly<Record<string, Known>>,
  at: At,
  report: Report,
): Known | undefined {
  const { type, params: _, ...rest } = value;
  for (const key of Object.keys(rest))
    report.findUnknown('FieldUnknown', [...at, key], key, ['type', 'params']);
  const known = typeof type === 'string' ? getOwn(table, type) : undefined;
  const names = Object.keys(table);
  const expected = `one of ${names.join(', ')}`;
  // What is missing, or is no text, is not near a known name.
  if (type === undefined) report.find('FieldMissing', at, 'type', expected);
  else if (typeof type !== 'string') report.find('TypeWrong', [...at, 'type'], jsonKindOf(type), expected);
  else if (known === undefined) report.findUnknown(code, [...at, 'type'], type, names);
  return known;
}

const action: Check = (value, at, report) => {
  if (!isMap(value)) return report.find('TypeWrong', at, jsonKindOf(value), 'a map of type, params');
  const known = ofType(value, 'ActionUnknown', actionParams, at, report);
  const { params = {} } = value;
  if (!known) return;
  if (!isMap(params)) report.find('TypeWrong', [...at, 'params'], jsonKindOf(params), 'a map');
  else if (known.params) {
    checkFields(params, [...at, 'params'], known.params, report);
    if (known.oneOf) oneOf(known.oneOf, params, [...at, 'params'], report);
  } else
    for (const [key, inner] of Object.entries(params)) assigned(key, inner, [...at, 'params', key], report);
};

function assigned(key: string, value: Json, at: At, report: Report): void {
  if (!NAME.test(key)) report.find('NameInvalid', at, JSON.stringify(key));
  checkValue(value, at, report);
}

const guard: Check = (value, at, report) => {
  if (typeof value === 'string') return checkSole(value, at, report);
  if (!isMap(value))
    return report.find('TypeWrong', at, jsonKindOf(value), 'an expression, or a map of type, params');
  const known = ofType(value, 'GuardUnknown', guardParams, at, report);
  if (known) map(known)(value.params ?? {}, [...at, 'params'], report);
};

const invoke: Check = (value, at, report) => {
  withInput(invokeFields, value, at, report);
  const src = isMap(value) ? value.src : undefined;
  if (isMap(value) && value.undo !== undefined && src === 'undo')
    report.find(
      'FieldsConflict',
      [...at, 'undo'],
      'undo and src: undo',
      'it only for a step that does something',
    );
  checkRetry(value, at, report);
};

/** The others are no single request. */
function checkRetry(value: Json, at: At, report: Report): void {
  if (!isMap(value) || typeof value.src !== 'string') return;
  const { src } = value;
  const kind = kindOfActor(src);
  if (kind === 'call' || kind === 'operation') return;
  const instead = {
    ask: 'within in its input',
    each: 'it beside src in do',
    undo: 'it in the undo of the step',
    book: 'waitForLocker in its input',
    flow: 'it in the file of the flow',
  }[kind];
  for (const field of ['retry', 'within'])
    if (Object.hasOwn(value, field))
      report.find('FieldsConflict', [...at, field], `${field} and src: ${src}`, instead);
}

/** Whether the input of an invoke is of a form of its own. */
const isOwn = (src: Json | undefined): src is keyof typeof inputFields =>
  typeof src === 'string' && Object.hasOwn(inputFields, src);

function withInput(fields: Fields, value: Json, at: At, report: Report): void {
  const src = isMap(value) ? value.src : undefined;
  if (!isMap(value) || !isOwn(src)) {
    map(fields)(value, at, report);
    return;
  }
  const isNeeded = Object.values(inputFields[src]).some(({ required }) => required);
  const { input = isNeeded ? null : {}, ...rest } = value;
  map(fields)(rest, at, report);
  map(inputFields[src])(input, [...at, 'input'], report);
}

const doFields: Fields = Object.fromEntries(
  ['src', 'input', 'retry', 'within'].map((key) => [key, invokeFields[key] as Field]),
);

/** Something that is done for an item, or undoes a step. */
const work =
  (...more: readonly string[]): Check =>
  (value, at, report) => {
    const src = isMap(value) ? value.src : undefined;
    const isOther = src === 'book' || src === 'each' || src === 'undo';
    if (isOther && !more.includes(src))
      return report.find(
        'ValueWrong',
        [...at, 'src'],
        src,
        `a flow, an operation, ${[...more, 'ask'].join(', ')} or call; a flow of its own may have others`,
      );
    withInput(doFields, value, at, report);
    checkRetry(value, at, report);
  };

/** For which kinds of fields of a question some of its fields are. */
const fieldsOfKinds: Readonly<Record<string, readonly string[]>> = {
  many: ['choice', 'choice of many'],
  minLength: ['text'],
  maxLength: ['text'],
  min: ['number', 'date', 'choice of many'],
  max: ['number', 'date', 'choice of many'],
};

const question: Check = (value, at, report) => {
  map(questionFields)(value, at, report);
  if (!isMap(value)) return;
  const { type, choice } = value;
  if (type === undefined && choice === undefined)
    report.find('FieldMissing', at, 'type or choice', 'one of the two');
  if (type !== undefined && choice !== undefined)
    report.find('FieldsConflict', at, 'type and choice', 'choice alone for a value from a list');
  const kind = choice === undefined ? String(type) : `choice${value.many === true ? ' of many' : ''}`;
  for (const [field, kinds] of Object.entries(fieldsOfKinds))
    if (Object.hasOwn(value, field) && !kinds.includes(kind))
      report.find(
        'FieldsConflict',
        [...at, field],
        `${field} and a field of the kind ${kind}`,
        `it only for ${kinds.join(', ')}`,
      );
};

/** Exactly one of two fields. */
function oneOf([one, other]: readonly [string, string], value: Json, at: At, report: Report): void {
  if (!isMap(value)) return;
  const given = [one, other].filter((field) => Object.hasOwn(value, field));
  if (given.length === 0) report.find('FieldMissing', at, `${one} or ${other}`, 'one of the two');
  if (given.length === 2) report.find('FieldsConflict', at, `${one} and ${other}`, 'one of the two');
}

export const checkCalendarDeadline: Check = (value, at, report) => {
  map(calendarDeadlineFields)(value, at, report);
  oneOf(['open', 'date'], value, at, report);
};

const calendar: Check = (value, at, report) => {
  const shared = Object.keys(report.names.calendars ?? {});
  if (typeof value !== 'string') map(calendarFields)(value, at, report);
  else if (!shared.includes(value)) report.findUnknown('CalendarUnknown', at, value, shared);
};

const schedule: Check = (value, at, report) => {
  map(scheduleFields)(value, at, report);
  oneOf(['zone', 'calendar'], value, at, report);
};

/** Parts of the file by names of its author. */
const namedParts =
  (what: 'calendars' | 'schedules' | 'starts', check: Check, isName: Check = valueKinds.name): Check =>
  (value, at, report) => {
    const count = isMap(value) ? Object.keys(value).length : 0;
    if (count > bounds[what])
      return report.find('ValueWrong', at, `${count} ${what}`, `at most ${bounds[what]}`);
    eachOf((key, each, place) => {
      isName(key, place, report);
      check(each, place, report);
    })(value, at, report);
  };

export const checkCalendars: Check = namedParts('calendars', calendar);

const kinds: Readonly<Record<Kind, Check>> = {
  ...valueKinds,
  states,
  transitions,
  events: eachOf((key, value, at, report) => {
    if (durationMs(key) !== null)
      report.find('EventNameInvalid', at, JSON.stringify(key), `after: { ${key}: … }, for a delay`);
    else if (!EVENT_PATTERN.test(key) || key.startsWith('xstate.'))
      report.find('EventNameInvalid', at, JSON.stringify(key));
    transitions(value, at, report);
  }),
  delays: eachOf((key, value, at, report) => {
    checkDelay(key, at, report);
    transitions(value, at, report);
  }),
  actions: oneOrMore(action),
  guard,
  guards: (value, at, report) => {
    if (!Array.isArray(value) || value.length === 0)
      return report.find('TypeWrong', at, jsonKindOf(value), 'a list of guards');
    oneOrMore(guard)(value, at, report);
  },
  invokes: oneOrMore(invoke),
  fields: eachOf((key, value, at, report) => {
    if (!NAME.test(key)) report.find('NameInvalid', at, JSON.stringify(key));
    // The answer keeps the name of the person who answers under this key.
    if (key === 'by') report.find('NameTaken', at, key);
    question(value, at, report);
  }),
  retry: (value, at, report) => map(retryFields)(value, at, report),
  eventSchemas: eachOf((key, value, at, report) => {
    valueKinds.eventName(key, at, report);
    map(eventFields)(value, at, report);
  }),
  calendars: checkCalendars,
  schedules: namedParts('schedules', schedule),
  starts: namedParts(
    'starts',
    (value, at, report) => map(startFields)(value, at, report.within(eventEnvironment())),
    valueKinds.eventName,
  ),
  do: (value, at, report) => work('book')(value, at, report.within(eachEnvironments.do)),
  undo: work(),
  legs: eachOf((_, value, at, report) => map(legFields)(value, at, report)),
};
