// Checks the data of a file against the vocabulary: each field is known, of the right kind, and within the bounds.

import { getOwn } from '../../../engine/chart/messages.ts';
import { countClosed, weekOf } from '../calendar.ts';
import { MAX_KEYS } from '../correlation.ts';
import { durationMs } from '../duration.ts';
import {
  answerEnvironment,
  correlateEnvironment,
  eachEnvironments,
  eventEnvironment,
} from '../expressions/language.ts';
import { bounds, isMap, type Json, type JsonObject, NAME } from '../flow-file.ts';
import { kindOfActor } from '../machine/actor-kinds.ts';
import { HIGHEST_PRIORITY, isPriority } from '../machine/tasks.ts';
import { actionParams, guardParams } from './action-vocabulary.ts';
import { isZone } from './calendars.ts';
import {
  type Check,
  eachOf,
  expressionOr,
  named,
  oneOrMore,
  text,
  typed,
  valued,
  withoutExpression,
} from './checks.ts';
import { schemaFindings } from './input-schema.ts';
import type { Kind } from './kinds.ts';
import { type At, jsonKindOf, type Report } from './report.ts';
import { cronProblem } from './schedules.ts';
import { checkData, checkDelay, checkSole, checkValue, hasExpression, keptOf } from './values.ts';
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
import { stateCodes } from './walk.ts';

/** An event, the path of a state, or the id of an invoke. */
const DOTTED = /^[A-Za-z][A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]+)*$/;
/** A name for people: it stands in a track of states, and in lists. */
const TITLE = /^(?=.*\S)[^\p{Cc}]{1,60}$/u;
const codeOfFile = valued(
  (value) => typeof value === 'string' && NAME.test(value),
  'one word of letters, digits, - and _ such as PartsMissing, or an expression',
);
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

const correlationKeys = eachOf((key, value, at, report) => {
  if (!NAME.test(key)) report.find('NameInvalid', at, JSON.stringify(key));
  if (isMap(value) || Array.isArray(value) || value === null)
    report.find('TypeWrong', at, jsonKindOf(value), 'a text, a number, true or false, or an expression');
  else checkValue(value, at, report, correlateEnvironment());
});

const map =
  (fields: Fields): Check =>
  (value, at, report) => {
    if (isMap(value)) checkFields(value, at, fields, report);
    else report.find('TypeWrong', at, jsonKindOf(value), `a map of ${Object.keys(fields).join(', ')}`);
  };

const name = named(NAME, 'NameInvalid');
const eventType = named(DOTTED, 'EventNameInvalid');

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

const isCount = (value: Json): boolean => Number.isInteger(value) && (value as number) >= 0;
const isPositive = (value: Json): boolean => isCount(value) && value !== 0;

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

const title = withoutExpression(
  valued((value) => TITLE.test(String(value)), 'one line of 1 to 60 characters, such as With the borrower'),
  'a name that is the same for all processes',
);

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
  (what: 'calendars' | 'schedules' | 'starts', check: Check, isName: Check = name): Check =>
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
  text,
  title: (value, at, report) => {
    if (typeof value === 'string') title(value, at, report);
    else text(value, at, report);
  },
  boolean: typed((value) => typeof value === 'boolean', 'true or false'),
  count: typed(isCount, 'a whole number from 0'),
  name,
  eventName: eventType,
  former: named(DOTTED, 'NameInvalid'),
  value: checkValue,
  data: checkData,
  texts: oneOrMore(text),
  choices: expressionOr((value, at, report) =>
    Array.isArray(value)
      ? oneOrMore(text)(value, at, report)
      : report.find('TypeWrong', at, jsonKindOf(value), 'a list such as [a, b], or an expression'),
  ),
  schema: schemaFindings,
  states,
  initial: text,
  target: text,
  targets: oneOrMore(text),
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
  delay: checkDelay,
  actions: oneOrMore(action),
  guard,
  guards: (value, at, report) => {
    if (!Array.isArray(value) || value.length === 0)
      return report.find('TypeWrong', at, jsonKindOf(value), 'a list of guards');
    oneOrMore(guard)(value, at, report);
  },
  stateIn: named(/^#[A-Za-z]/, 'NameInvalid'),
  invokes: oneOrMore(invoke),
  src: text,
  connector: withoutExpression(name, 'the name; one state for each connector'),
  path: (value, at, report) => {
    if (typeof value !== 'string' || !value.startsWith('/') || value.startsWith('//'))
      return report.find('ValueWrong', at, JSON.stringify(value), 'a path that begins with one /');
    checkValue(value, at, report);
  },
  keep: keptOf(answerEnvironment),
  fields: eachOf((key, value, at, report) => {
    if (!NAME.test(key)) report.find('NameInvalid', at, JSON.stringify(key));
    // The answer keeps the name of the person who answers under this key.
    if (key === 'by') report.find('NameTaken', at, key);
    question(value, at, report);
  }),
  priority: expressionOr(
    valued(isPriority, `a whole number from 0 to ${HIGHEST_PRIORITY}, or an expression`),
  ),
  moments: oneOrMore(checkDelay),
  retry: (value, at, report) => map(retryFields)(value, at, report),
  refusals: oneOrMore(
    valued(
      (value) =>
        typeof value === 'string'
          ? NAME.test(value) && value !== 'OutcomeUnknown'
          : Number.isInteger(value) && Number(value) >= 400 && Number(value) <= 499,
      'the code of a refusal such as NoLockerAvailable, or an HTTP status from 400 to 499',
    ),
  ),
  duration: withoutExpression(checkDelay),
  factor: typed((value) => typeof value === 'number' && value >= 1 && value <= 100, 'a number from 1 to 100'),
  positive: typed(isPositive, 'a whole number from 1'),
  correlate: (value, at, report) => {
    const keys = isMap(value) ? Object.keys(value).length : 0;
    if (keys > MAX_KEYS) report.find('ValueWrong', at, `a map of ${keys} keys`, `at most ${MAX_KEYS}`);
    else correlationKeys(value, at, report);
  },
  eventSchemas: eachOf((key, value, at, report) => {
    eventType(key, at, report);
    map(eventFields)(value, at, report);
  }),
  anyDuration: expressionOr(
    valued((value) => durationMs(value) !== null, 'a duration such as PT1H, or an expression'),
  ),
  calendars: checkCalendars,
  schedules: namedParts('schedules', schedule),
  starts: namedParts(
    'starts',
    (value, at, report) => map(startFields)(value, at, report.within(eventEnvironment())),
    eventType,
  ),
  cron: (value, at, report) => {
    if (typeof value !== 'string') return text(value, at, report);
    const problem = cronProblem(value);
    if (problem) report.find('ValueWrong', at, problem.wrong, problem.expected);
  },
  zone: valued(isZone, 'a time zone such as Europe/Amsterdam'),
  openingHours: (value, at, report) => {
    if (!isMap(value))
      return report.find('TypeWrong', at, jsonKindOf(value), 'a map such as { MON-FRI: 08:00-17:00 }');
    const read = weekOf(value);
    if ('expected' in read)
      report.find(
        'ValueWrong',
        [...at, read.key],
        JSON.stringify(value[read.key] ?? read.key),
        read.expected,
      );
  },
  days: (value, at, report) => {
    if (!Array.isArray(value))
      return report.find('TypeWrong', at, jsonKindOf(value), 'a list of days such as 2026-12-25');
    const counts = (value as Json[]).map(countClosed);
    const all = counts.reduce<number>((sum, count) => sum + (count ?? 1), 0);
    if (all > bounds.closedDays) report.find('ValueWrong', at, `${all} days`, `at most ${bounds.closedDays}`);
    for (const [index, count] of counts.entries())
      if (count === null)
        report.find(
          'ValueWrong',
          [...at, index],
          JSON.stringify(value[index]),
          'a day such as 2026-12-25, 12-25 or 2026-12-24..2027-01-02',
        );
  },
  offsets: () => undefined,
  do: (value, at, report) => work('book')(value, at, report.within(eachEnvironments.do)),
  undo: work(),
  steps: oneOrMore(text),
  titleOfItem: keptOf(eachEnvironments.do),
  keepOfItem: keptOf(eachEnvironments.keep),
  enough: expressionOr(valued(isCount, 'a whole number, or an expression'), eachEnvironments.enough),
  atOnce: expressionOr(
    valued(
      (value) => isPositive(value) && Number(value) <= bounds.atOnce,
      `a whole number from 1 to ${bounds.atOnce}, or an expression`,
    ),
  ),
  code: (value, at, report) => (hasExpression(value) ? checkValue : codeOfFile)(value, at, report),
  tolerance: expressionOr(
    valued((value) => isCount(value) || value === 'all', 'a whole number, an expression, or all'),
  ),
  legs: eachOf((_, value, at, report) => map(legFields)(value, at, report)),
  legStates: (value, at, report) => {
    if (!Array.isArray(value) || value.length === 0)
      return report.find('TypeWrong', at, jsonKindOf(value), 'a list of states');
    for (const [index, each] of value.entries())
      if (!stateCodes.includes(String(each)))
        report.findUnknown('ValueWrong', [...at, index], String(each), stateCodes);
  },
  invokeId: text,
  raiseId: text,
};
