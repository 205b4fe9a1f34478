// What a person typed into a form, as the input of a flow. A field that is left empty is left out.
import type { FormField } from '../../desk/desk-view.ts';

/** By the path of the field. */
export type Values = Readonly<Record<string, string>>;

export interface Filled {
  readonly input: Readonly<Record<string, unknown>>;
  /** By path: what cannot be read as JSON. */
  readonly wrong: Readonly<Record<string, string>>;
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

function groupOf(fields: readonly FormField[], values: Values, wrong: Record<string, string>) {
  const group: Record<string, unknown> = {};
  for (const field of fields) {
    const value = fieldValue(field, values, wrong);
    if (value !== undefined) group[field.path.split('.').at(-1) ?? ''] = value;
  }
  return group;
}

function fieldValue(field: FormField, values: Values, wrong: Record<string, string>): unknown {
  const { kind, children = [], isRequired, path } = field;
  if (kind === 'group') {
    const group = groupOf(children, values, wrong);
    // A required one is sent although it is empty: then its own fields say that they are missing.
    return isRequired || Object.keys(group).length > 0 ? group : undefined;
  }
  const text = shownValue(field, values);
  if (text.trim() === '') return undefined;
  if (kind === 'flag') return text === 'true';
  // A text that is not a number goes as it is: the answer says what is expected.
  if (kind === 'number') return Number.isFinite(Number(text)) ? Number(text) : text;
  if (kind === 'list') return text.split('\n').filter((line) => line.trim() !== '');
  if (kind !== 'json') return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    wrong[path] = 'is not JSON; a text stands in quotation marks';
    return undefined;
  }
}
