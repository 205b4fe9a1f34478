// Checks of the fields that hold a value: no field of the file is within them. shape.ts has the others.
import { countClosed, weekOf } from '../calendar.ts';
import { MAX_KEYS } from '../correlation.ts';
import { durationMs } from '../duration.ts';
import { answerEnvironment, correlateEnvironment, eachEnvironments } from '../expressions/language.ts';
import { bounds, isMap, type Json, NAME } from '../flow-file.ts';
import { HIGHEST_PRIORITY, isPriority } from '../machine/tasks.ts';
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
import { jsonKindOf } from './report.ts';
import { cronProblem } from './schedules.ts';
import { checkData, checkDelay, checkValue, hasExpression, keptOf } from './values.ts';
import { stateCodes } from './walk.ts';

/** An event, the path of a state, or the id of an invoke. */
const DOTTED = /^[A-Za-z][A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]+)*$/;
/** A name for people: it stands in a progress bar of states, and in lists. */
const TITLE = /^(?=.*\S)[^\p{Cc}]{1,60}$/u;
const codeOfFile = valued(
  (value) => typeof value === 'string' && NAME.test(value),
  'one word of letters, digits, - and _ such as PartsMissing, or an expression',
);
const name = named(NAME, 'NameInvalid');

const isCount = (value: Json): boolean => Number.isInteger(value) && (value as number) >= 0;
const isPositive = (value: Json): boolean => isCount(value) && value !== 0;

const duration = valued((value) => durationMs(value) !== null, 'a duration such as PT1H, or an expression');

const title = withoutExpression(
  valued((value) => TITLE.test(String(value)), 'one line of 1 to 60 characters, such as With the borrower'),
  'a name that is the same for all processes',
);

const correlationKeys = eachOf((key, value, at, report) => {
  if (!NAME.test(key)) report.find('NameInvalid', at, JSON.stringify(key));
  if (isMap(value) || Array.isArray(value) || value === null)
    report.find('TypeWrong', at, jsonKindOf(value), 'a text, a number, true or false, or an expression');
  else checkValue(value, at, report, correlateEnvironment());
});

export const valueKinds = {
  text,
  title: (value, at, report) => {
    if (typeof value === 'string') title(value, at, report);
    else text(value, at, report);
  },
  boolean: typed((value) => typeof value === 'boolean', 'true or false'),
  count: typed(isCount, 'a whole number from 0'),
  name,
  eventName: named(DOTTED, 'EventNameInvalid'),
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
  initial: text,
  target: text,
  targets: oneOrMore(text),
  delay: checkDelay,
  stateIn: named(/^#[A-Za-z]/, 'NameInvalid'),
  src: text,
  connector: withoutExpression(name, 'the name; one state for each connector'),
  path: (value, at, report) => {
    if (typeof value !== 'string' || !value.startsWith('/') || value.startsWith('//'))
      return report.find('ValueWrong', at, JSON.stringify(value), 'a path that begins with one /');
    checkValue(value, at, report);
  },
  keep: keptOf(answerEnvironment),
  priority: expressionOr(
    valued(isPriority, `a whole number from 0 to ${HIGHEST_PRIORITY}, or an expression`),
  ),
  moments: oneOrMore(checkDelay),
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
  anyDuration: (value, at, report) => {
    if (hasExpression(value)) checkValue(value, at, report);
    else duration(value, at, report);
  },
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
  legStates: (value, at, report) => {
    if (!Array.isArray(value) || value.length === 0)
      return report.find('TypeWrong', at, jsonKindOf(value), 'a list of states');
    for (const [index, each] of value.entries())
      if (!stateCodes.includes(String(each)))
        report.findUnknown('ValueWrong', [...at, index], String(each), stateCodes);
  },
  invokeId: text,
  raiseId: text,
} satisfies Partial<Readonly<Record<Kind, Check>>>;
