// What a person typed into a form, as the input of a flow. A field that is left empty is left out; what is wrong is said in words.

import type { ComponentChildren } from 'preact';
import { t } from '../../../shared/texts/text.ts';
import type { FormField } from '../../desk/desk-view.ts';
import { durationIn } from './durations.ts';

/** By the path of the field. */
export type Values = Readonly<Record<string, string>>;
export type WrongValues = Readonly<Record<string, string>>;

interface Filled {
  readonly input: Readonly<Record<string, unknown>>;
  /** By path. */
  readonly wrong: WrongValues;
}

export function inputOf(fields: readonly FormField[], values: Values): Filled {
  const wrong: Record<string, string> = {};
  return { input: groupOf(fields, values, wrong), wrong };
}

export function shownValue({ path, initial, kind, isRequired }: FormField, values: Values): string {
  const typed = values[path];
  if (typed !== undefined) return typed;
  if (initial !== undefined) return String(initial);
  return kind === 'flag' && isRequired ? 'false' : '';
}

const nameIn = (path: string): string => path.split('.').at(-1) ?? '';

function groupOf(fields: readonly FormField[], values: Values, wrong: Record<string, string>) {
  const group: Record<string, unknown> = {};
  for (const field of fields) {
    const [path, value] = field.kind === 'person' ? personOf(field, values, wrong) : [field.path];
    const given = field.kind === 'person' ? value : fieldValue(field, values, wrong);
    if (given !== undefined) group[nameIn(path)] = given;
    else if (field.isRequired && wrong[field.path] === undefined) wrong[field.path] = t`Please fill this in.`;
  }
  return group;
}

/** An account that there is, or in its place one that is made. */
function personOf(field: FormField, values: Values, wrong: Record<string, string>) {
  const { path, accountPath, children = [] } = field;
  const uid = values[path] ?? '';
  if (uid !== '') return [path, uid] as const;
  if (accountPath === undefined || !isNewPerson(path, values)) return [path, undefined] as const;
  return [accountPath, groupOf(children, values, wrong)] as const;
}

/** Kept beside the value: how the person is called, and that there is no account yet. */
export const nameKey = (path: string): string => `${path} name`;
export const newKey = (path: string): string => `${path} new`;
export const isWrongIn = (path: string, wrong: WrongValues): boolean =>
  Object.keys(wrong).some((each) => each === path || each.startsWith(`${path}.`));

export const isNewPerson = (path: string, values: Values): boolean => values[newKey(path)] === 'true';

function fieldValue(field: FormField, values: Values, wrong: Record<string, string>): unknown {
  const { kind, children = [], isRequired, path } = field;
  if (kind === 'group' || kind === 'size') {
    const inner: Record<string, string> = {};
    const group = groupOf(children, values, inner);
    const isTyped = Object.keys(inner).some((each) => values[each]);
    const isEmpty = Object.keys(group).length === 0 && !isTyped;
    // Nothing is missing in what is left out as a whole; of a size that is not chosen, the size is missing.
    if (isEmpty && (!isRequired || kind === 'size')) return undefined;
    Object.assign(wrong, inner);
    return group;
  }
  // Scanners put signs of their own around what they read.
  const text = shownValue(field, values).replaceAll(CONTROL, '').trim();
  if (text === '') return undefined;
  const value = (readers[kind] ?? asText)(text);
  if (value instanceof Wrong) wrong[path] = value.why;
  return value instanceof Wrong ? undefined : value;
}

class Wrong {
  readonly why: string;
  constructor(why: string) {
    this.why = why;
  }
}

const asText = (text: string): unknown => text;

const readers: Partial<Record<FormField['kind'], (text: string) => unknown>> = {
  flag: (text) => text === 'true',
  number: (text) => numberIn(text) ?? new Wrong(t`Please type a number.`),
  list: (text) => text.split('\n').filter((line) => line.trim() !== ''),
  instant: (text) => new Date(text).toISOString(),
  duration: (text) => durationIn(text) ?? new Wrong(t`Please type a duration, like 3 days or 36 hours.`),
  json(text) {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      return new Wrong(t`This is not JSON. A text stands in quotation marks.`);
    }
  },
};

const CONTROL = /\p{Cc}(?<![\n\t])/gu;

function numberIn(text: string): number | undefined {
  const value = Number(text.replace(',', '.'));
  return Number.isFinite(value) ? value : undefined;
}

export type ChangeValues = (changes: Values) => void;

/** What every field of a form is given. */
export interface FieldInForm {
  readonly field: FormField;
  readonly label: string;
  readonly values: Values;
  readonly wrong: WrongValues;
  readonly change: ChangeValues;
  /** The fields within this one. */
  readonly inner: (fields: readonly FormField[]) => ComponentChildren;
}
