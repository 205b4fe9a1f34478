// What a person has typed into the form of an action, as the request of the API that does it.

import { t } from '../../../shared/texts/text.ts';
import type { ActionField, ActionForm } from '../../processes/processes-view.ts';
import { postJson, postQuietly, RequestError } from '../api.ts';

/** What the API answers, as far as the page shows it. */
export interface ActionResult {
  readonly done?: string;
  readonly words?: string | null;
}

export type FieldValues = Readonly<Record<string, string>>;

const DAY_MS = 86_400_000;

/**
 * What is suggested, and what is the only possibility; the rest a person chooses.
 * @param nowMs by the clock of the process
 */
export function firstValues(fields: readonly ActionField[], nowMs: number): Record<string, string> {
  const first: Record<string, string> = {};
  for (const { name, kind, options = [], optional, suggested } of fields) {
    const only = !optional && options.length === 1 && !isExtended(fields, name) ? options[0] : undefined;
    if (kind !== 'instant') first[name] = suggested ?? only ?? '';
  }
  return { ...first, ...instantsFor(fields, first, nowMs) };
}

/** A deadline that does not run is nobody's first thought, also where it is the only one. */
const isExtended = (fields: readonly ActionField[], name: string): boolean =>
  fields.some((each) => each.extends?.field === name);

/** Instants that are suggested: a day later than now, and than the present end of what is chosen. */
export function instantsFor(
  fields: readonly ActionField[],
  values: FieldValues,
  nowMs: number,
): Record<string, string> {
  return Object.fromEntries(
    fields.flatMap(({ name, kind, suggested, extends: from }) => {
      if (kind !== 'instant') return [];
      const end = from?.ends[values[from.field] ?? ''];
      const later = Math.max(nowMs, end === undefined ? 0 : Date.parse(end)) + DAY_MS;
      return [[name, suggested ?? localOf(new Date(later))]];
    }),
  );
}

/** As the browser's field has it: without a zone, which is the reader's. */
function localOf(date: Date): string {
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}

/** One that stands for another is there only while that is empty. */
export const isShown = ({ unless }: ActionField, values: FieldValues): boolean =>
  unless === undefined || !values[unless];

/** Throws RequestError. */
export const send = async (form: ActionForm, values: FieldValues) =>
  await postJson<ActionResult>(form.request.path, bodyOf(form, values));

export interface AnswerPreview {
  readonly words: string;
  /** The process would end with it. */
  readonly isFinal: boolean;
}

/** What would follow from an answer. Throws RequestError. */
export const previewAnswer = async (form: ActionForm, values: FieldValues) =>
  await postQuietly<AnswerPreview>(`${form.request.path}?dryRun=true`, bodyOf(form, values));

/** What would follow from a command, in words; null: nothing can be said before more is filled in. */
export async function previewAction(form: ActionForm, values: FieldValues): Promise<string | null> {
  // A reason changes nothing, and is asked for when it is done.
  const why = values.why?.trim() || '–';
  try {
    const body = bodyOf(form, { ...values, why });
    return (await postQuietly<ActionResult>(`${form.request.path}?dryRun=true`, body)).words ?? null;
  } catch (error) {
    if (error instanceof RequestError) return null;
    throw error;
  }
}

/** What is left empty is left out: the API says what is missing. */
function bodyOf({ fields, request }: ActionForm, typed: FieldValues): Record<string, unknown> {
  const wrong: Record<string, string> = {};
  const body: Record<string, unknown> = { ...request.body };
  for (const field of fields.filter((each) => isShown(each, typed))) {
    const text = typed[field.name] ?? '';
    const { name, parts = [name] } = field;
    if (text.trim() === '') {
      // The process would take a cancellation without a reason; who looks at it later would not.
      if (name === 'why' && !field.optional) wrong.why = t`is missing`;
      continue;
    }
    const values = field.parts ? text.split('.') : [sentValue(field, text, wrong)];
    parts.forEach((part, index) => {
      put(body, part.split('.'), values[index]);
    });
  }
  if (Object.keys(wrong).length > 0)
    throw new RequestError(
      0,
      'InvalidRequest',
      wrong.why ? t`This needs a reason; it is kept with your name.` : t`A field is wrong.`,
      wrong,
    );
  return body;
}

function sentValue({ name, kind }: ActionField, text: string, wrong: Record<string, string>): unknown {
  if (kind === 'yesNo') return text === 'yes';
  if (kind === 'number') return text.replace(',', '.');
  if (kind === 'instant') return new Date(text).toISOString();
  if (kind !== 'json') return text;
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    wrong[name] = t`is not JSON (${why}); expected something like { "cost": 12 }`;
    return undefined;
  }
}

/** `values.cost` is the field cost within values. */
function put(body: Record<string, unknown>, [name = '', ...inner]: readonly string[], value: unknown): void {
  if (inner.length === 0) body[name] = value;
  else {
    const within = { ...(body[name] as object | undefined) };
    put(within, inner, value);
    body[name] = within;
  }
}

/** What the API says of the fields for which this one stands. */
export function wrongAt(
  { name, parts = [], saysFor = [] }: ActionField,
  fields: FieldValues,
): string | undefined {
  return [name, ...parts, ...saysFor].flatMap((each) => fields[each] ?? [])[0];
}
