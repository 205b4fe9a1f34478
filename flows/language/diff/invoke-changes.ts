// What differs in what runs in a state: flows, operations, calls, and the questions to people.
import type { InvokeData, Json, JsonObject } from '../flow-file.ts';
import type { QuestionFields } from '../machine/question.ts';
import { isWidened } from '../machine/questions.ts';
import { attemptsOf } from '../machine/start.ts';
import { type InvokeAt, invokesOf } from '../reading/walk.ts';
import { type Change, change, howOf } from './change.ts';
import { isMap, isSame, type StateAt } from './compared.ts';
import { type FormerIds, lengthEffect } from './transition-changes.ts';

export function invokeChanges(old: StateAt, now: StateAt, formerIds: FormerIds): Change[] {
  const [before, after] = [invokesOf(old), invokesOf(now)];
  const kept = new Set(formerIds.values());
  return [
    ...after.flatMap((each) => {
      const origin = before.find(({ id }) => id === formerIds.get(each.id));
      const { src } = each.invoke;
      return origin
        ? between(now.path, origin, each)
        : [change('invoke', 'added', now.path, { name: each.id, after: src })];
    }),
    ...before
      .filter(({ id }) => !kept.has(id))
      .map(({ id, invoke: { src } }) => change('invoke', 'removed', now.path, { name: id, before: src })),
  ];
}

function between(path: string, was: InvokeAt, is: InvokeAt): Change[] {
  const name = is.id;
  const [before, after] = [was.invoke.src, is.invoke.src];
  return [
    ...(was.id === is.id ? [] : [change('invoke', 'renamed', path, { name, before: was.id, after: is.id })]),
    ...(before === after ? inputChanges(path, name, was.invoke, is.invoke) : []),
    ...(before === after ? [] : [change('invoke', 'changed', path, { name, before, after })]),
  ];
}

function inputChanges(path: string, name: string, was: InvokeData, is: InvokeData): Change[] {
  const [before, after] = [withAttempts(was), withAttempts(is)];
  const part = is.src === 'ask' ? 'question' : 'invokeInput';
  if (!isMap(before) || !isMap(after))
    return isSame(before, after) ? [] : [change(part, 'changed', path, { name, before, after })];
  if (part === 'question') return questionChanges(path, name, before, after);
  return fieldChanges(before, after).map(([field, one, other]) =>
    change(part, howOf(one, other), path, { name, field, before: one ?? null, after: other ?? null }),
  );
}

/** How a call is tried again is shown beside its input. */
function withAttempts(invoke: InvokeData): Json {
  const { input = {} } = invoke;
  return isMap(input) ? { ...input, ...(attemptsOf(invoke) as JsonObject) } : input;
}

function questionChanges(path: string, name: string, before: JsonObject, after: JsonObject): Change[] {
  return fieldChanges(before, after).flatMap(([field, one, other]) => {
    if (field === 'fields' && isMap(one ?? {}) && isMap(other ?? {}))
      return askedChanges(path, name, (one ?? {}) as JsonObject, (other ?? {}) as JsonObject);
    const effect = field === 'within' ? lengthEffect(one ?? null, other ?? null) : null;
    if (effect === 'same') return [];
    const both = { before: one ?? null, after: other ?? null };
    return [change('question', howOf(one, other), path, { name, field, ...both, effect })];
  });
}

/** It widens if each answer that was possible still is: then a question that is open stays so. */
function askedChanges(path: string, name: string, before: JsonObject, after: JsonObject): Change[] {
  return fieldChanges(before, after).map(([field, one, other]) => {
    const asked = (value: Json | undefined) =>
      (value === undefined ? {} : { [field]: value }) as unknown as QuestionFields;
    const isKnown = [one, other].every((each) => each === undefined || isMap(each));
    const widens = isKnown && isWidened(asked(one), asked(other)) ? 'widens' : 'narrows';
    return change('question', howOf(one, other), path, {
      name,
      field: `fields.${field}`,
      before: one ?? null,
      after: other ?? null,
      effect: isKnown ? widens : null,
    });
  });
}

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
