// Compares the invokes of a state in two versions of a flow file: flows, operations, calls, and questions to people.
import type { InvokeData, Json, JsonObject } from '../flow-file.ts';
import { attemptsOf } from '../machine/start.ts';
import { type InvokeAt, invokesOf } from '../reading/walk.ts';
import { type Change, change, howOf } from './change.ts';
import { isMap, isSame, type StateAt } from './compared.ts';
import { type FormerIds, isSameLength } from './transition-changes.ts';

export function invokeChanges(old: StateAt, now: StateAt, formerIds: FormerIds): Change[] {
  const [before, after] = [invokesOf(old), invokesOf(now)];
  const kept = new Set(formerIds.values());
  return [
    ...after.flatMap((each) => {
      const origin = before.find(({ id }) => id === formerIds.get(each.id));
      const { src } = each.invoke;
      return origin
        ? changesOf(now.path, origin, each)
        : [change('invoke', 'added', now.path, { name: each.id, after: src })];
    }),
    ...before
      .filter(({ id }) => !kept.has(id))
      .map(({ id, invoke: { src } }) => change('invoke', 'removed', now.path, { name: id, before: src })),
  ];
}

function changesOf(path: string, old: InvokeAt, now: InvokeAt): Change[] {
  const name = now.id;
  const [before, after] = [old.invoke.src, now.invoke.src];
  return [
    ...(old.id === now.id
      ? []
      : [change('invoke', 'renamed', path, { name, before: old.id, after: now.id })]),
    ...(before === after ? inputChanges(path, name, old.invoke, now.invoke) : []),
    ...(before === after ? [] : [change('invoke', 'changed', path, { name, before, after })]),
  ];
}

function inputChanges(path: string, name: string, old: InvokeData, now: InvokeData): Change[] {
  const [before, after] = [withRetries(old), withRetries(now)];
  const part = now.src === 'ask' ? 'question' : 'invokeInput';
  if (!isMap(before) || !isMap(after))
    return isSame(before, after) ? [] : [change(part, 'changed', path, { name, before, after })];
  if (part === 'question') return questionChanges(path, name, before, after);
  return fieldChanges(before, after).map(([field, one, other]) =>
    change(part, howOf(one, other), path, { name, field, before: one ?? null, after: other ?? null }),
  );
}

/** The retries of a call are compared as fields of its input. */
function withRetries(invoke: InvokeData): Json {
  const { input = {} } = invoke;
  return isMap(input) ? { ...input, ...(attemptsOf(invoke) as JsonObject) } : input;
}

function questionChanges(path: string, name: string, before: JsonObject, after: JsonObject): Change[] {
  return fieldChanges(before, after).flatMap(([field, one, other]) => {
    if (field === 'within' && isSameLength(one ?? null, other ?? null)) return [];
    const isOfFields = field === 'fields' && isMap(one ?? {}) && isMap(other ?? {});
    const changed = isOfFields
      ? fieldChanges((one ?? {}) as JsonObject, (other ?? {}) as JsonObject)
      : [[null, one, other] as const];
    return changed.map(([inner, was, is]) =>
      change('question', howOf(was, is), path, {
        name,
        field: inner === null ? field : `${field}.${inner}`,
        before: was ?? null,
        after: is ?? null,
      }),
    );
  });
}

/** Undefined: the field is absent. */
type FieldChange = readonly [field: string, before: Json | undefined, after: Json | undefined];

export function fieldChanges(before: JsonObject, after: JsonObject): FieldChange[] {
  const fields = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...fields].flatMap((field): FieldChange[] => {
    const [one, other] = [own(before, field), own(after, field)];
    return isSame(one, other) ? [] : [[field, one, other]];
  });
}

const own = (map: JsonObject, field: string): Json | undefined =>
  Object.hasOwn(map, field) ? map[field] : undefined;
