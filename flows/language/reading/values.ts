// The texts in the values of a file: each expression is one of the language, and reads what there is where it stands.
import { LONGEST_WAIT_MS } from '../../../contract/flows/longest-wait.ts';
import { durationMs } from '../duration.ts';
import { expressionProblem, unknownVariable } from '../expressions/expression.ts';
import { type Environment, timeFunctions, variablesOf } from '../expressions/language.ts';
import { literalProblem } from '../expressions/literals.ts';
import { partsOf, soleExpression } from '../expressions/template.ts';
import { bounds, isMap, type Json } from '../flow-file.ts';
import type { At, Report } from './report.ts';

export const hasExpression = (value: Json): value is string =>
  typeof value === 'string' && value.includes('${');

export function checkValue(value: Json, at: At, report: Report, environment = report.environment): void {
  if (typeof value === 'string') checkText(value, at, report, environment);
  else if (Array.isArray(value))
    for (const [index, each] of (value as Json[]).entries())
      checkValue(each, [...at, index], report, environment);
  else if (isMap(value))
    for (const [key, each] of Object.entries(value)) checkValue(each, [...at, key], report, environment);
}

function checkText(value: string, at: At, report: Report, environment = report.environment): void {
  try {
    for (const part of partsOf(value))
      if ('source' in part) checkExpression(part.source, at, report, environment);
  } catch (error) {
    report.find('ExpressionInvalid', at, `${JSON.stringify(value)}: ${(error as Error).message}`);
  }
}

function checkExpression(source: string, at: At, report: Report, environment = report.environment): void {
  const { length } = source;
  if (length > bounds.expressionLength) {
    const most = `at most ${bounds.expressionLength}`;
    report.find('ExpressionTooLong', at, `an expression of ${length} characters`, most);
    return;
  }
  const problem =
    expressionProblem(source, environment) ?? literalProblem(source, environment, timeFunctions);
  if (problem !== undefined)
    report.find('ExpressionInvalid', at, `\${${source}} (${problem})`, known(source, environment));
}

/** The variables that there are, if another one is read. */
function known(source: string, environment: Environment): string | undefined {
  const read = unknownVariable(source, environment);
  if (read === undefined) return undefined;
  return `one of ${variablesOf(environment).join(', ')}`;
}

/** The text must be one expression and nothing else. */
export function checkSole(value: string, at: At, report: Report): void {
  checkText(value, at, report);
  if (isUnsound(value) || soleExpression(value) !== undefined) return;
  if (!value.includes('${') && expressionProblem(value, report.environment) === undefined)
    report.find('ExpressionNotMarked', at, JSON.stringify(value), `"\${${value}}"`);
  else report.find('ExpressionInvalid', at, JSON.stringify(value), 'one expression and nothing else');
}

const isUnsound = (value: string): boolean => {
  try {
    partsOf(value);
    return false;
  } catch {
    return true;
  }
};

export function checkDelay(value: Json, at: At, report: Report): void {
  const length = durationMs(value);
  if (length !== null) {
    if (length > LONGEST_WAIT_MS)
      report.find('DelayInvalid', at, `${JSON.stringify(value)} (more than a hundred years)`);
    return;
  }
  if (hasExpression(value)) checkText(value, at, report);
  else report.find('DelayInvalid', at, JSON.stringify(value));
}

export function checkData(value: Json, at: At, report: Report): void {
  if (hasExpression(value)) report.find('ExpressionNotAllowed', at, JSON.stringify(value));
  else if (Array.isArray(value))
    for (const [index, each] of (value as Json[]).entries()) checkData(each, [...at, index], report);
  else if (isMap(value))
    for (const [key, each] of Object.entries(value)) checkData(each, [...at, key], report);
}

/** A text that is an expression but for its marks would be kept as it stands, whatever the answer. */
export function keptOf(environment: Environment): (value: Json, at: At, report: Report) => void {
  return (value, at, report) => {
    const isPlain = typeof value === 'string' && !value.includes('${');
    if (isPlain && expressionProblem(value, environment) === undefined)
      report.find('ExpressionNotMarked', at, JSON.stringify(value), `"\${${value}}"`);
    else checkValue(value, at, report, environment);
  };
}
