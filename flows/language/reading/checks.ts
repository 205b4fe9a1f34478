// Checks of one value, and what makes a check of others: of a list, of a map, with expressions or without.
import type { Environment } from '../expressions/language.ts';
import { isMap, type Json } from '../flow-file.ts';
import { type At, jsonKindOf, type Report } from './report.ts';
import { checkSole, hasExpression } from './values.ts';

export type Check = (value: Json, at: At, report: Report) => void;

export const typed =
  (isIt: (value: Json) => boolean, expected: string): Check =>
  (value, at, report) => {
    if (!isIt(value)) report.find('TypeWrong', at, jsonKindOf(value), expected);
  };

export const text = typed((value) => typeof value === 'string', 'a text');

export const valued =
  (isIt: (value: Json) => boolean, expected: string): Check =>
  (value, at, report) => {
    if (!isIt(value)) report.find('ValueWrong', at, JSON.stringify(value), expected);
  };

/** One expression, or what the check takes. */
export const expressionOr =
  (check: Check, environment?: Environment): Check =>
  (value, at, report) => {
    if (hasExpression(value)) checkSole(value, at, environment ? report.within(environment) : report);
    else check(value, at, report);
  };

export const withoutExpression =
  (check: Check, instead?: string): Check =>
  (value, at, report) => {
    if (hasExpression(value)) report.find('ExpressionNotAllowed', at, JSON.stringify(value), instead);
    else check(value, at, report);
  };

/** Checks each entry of a map. */
export const eachOf =
  (check: (key: string, value: Json, at: At, report: Report) => void): Check =>
  (value, at, report) => {
    if (!isMap(value)) return report.find('TypeWrong', at, jsonKindOf(value), 'a map');
    for (const [key, inner] of Object.entries(value)) check(key, inner, [...at, key], report);
  };

/** Checks one value, or each value of a list. */
export const oneOrMore =
  (check: Check): Check =>
  (value, at, report) => {
    if (!Array.isArray(value)) return check(value, at, report);
    for (const [index, each] of (value as Json[]).entries()) check(each, [...at, index], report);
  };

export const named =
  (pattern: RegExp, code: 'NameInvalid' | 'EventNameInvalid'): Check =>
  (value, at, report) => {
    if (typeof value !== 'string') return text(value, at, report);
    if (!pattern.test(value) || value.startsWith('xstate.')) report.find(code, at, JSON.stringify(value));
  };
