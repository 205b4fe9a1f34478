// What differs between two versions of a flow file, in meaning: comments, formatting and the order of keys are no difference.
import { ownOf } from '../../../engine/chart/messages.ts';
import { type ActionData, type FlowFile, type Json, type JsonObject, listOf } from '../flow-file.ts';
import { type FormerNames, formerNames } from '../machine/former-names.ts';
import { targetOf } from '../reading/walk.ts';
import { type Change, change, howOf } from './change.ts';
import { type Compared, compared, isMap, isSame, kindOf, type Side, type StateAt } from './compared.ts';
import { fieldChanges, invokeChanges } from './invoke-changes.ts';
import { formerIdsOf, transitionChanges } from './transition-changes.ts';

export interface Comparison {
  readonly flow: string;
  readonly changes: readonly Change[];
}

/** @param names what the parts were called in the old file, where the new one does not say it itself */
export function comparison(
  before: FlowFile,
  after: FlowFile,
  names: FormerNames = formerNames(after),
): Comparison {
  const both = compared(before, after, names);
  const within = both.now.states.flatMap((now) => {
    const old = both.old.byPath.get(both.origins.get(now.path) ?? ' ');
    if (!old) return [];
    const ids = formerIdsOf(both, old, now);
    return [
      ...ownChanges(both, old, now),
      ...invokeChanges(old, now, ids),
      ...transitionChanges(both, old, now, ids),
    ];
  });
  return { flow: after.name, changes: [...stateChanges(both), ...within, ...dataChanges(before, after)] };
}

function stateChanges({ old, now, images, origins }: Compared): Change[] {
  const changes = now.states.flatMap(({ path, keys }): Change[] => {
    const former = origins.get(path);
    if (former === undefined) return [change('state', 'added', path)];
    const was = former.split('.');
    const isElsewhere = images.get(was.slice(0, -1).join('.')) !== keys.slice(0, -1).join('.');
    if (keys.length === 0 || (!isElsewhere && was.at(-1) === keys.at(-1))) return [];
    return [change('state', isElsewhere ? 'moved' : 'renamed', path, { before: former, after: path })];
  });
  const removed = old.states.filter(({ path }) => !images.has(path));
  return [...changes, ...removed.map(({ path }) => change('state', 'removed', path))];
}

/** What a state itself is and does, without its invokes and transitions. */
function ownChanges(compared: Compared, old: StateAt, now: StateAt): Change[] {
  const { path } = now;
  const [was, is] = [kindOf(old.state), kindOf(now.state)];
  const lists = (['entry', 'exit'] as const).flatMap((part) => {
    const [before, after] = [old, now].map(({ state }) =>
      listOf<ActionData>(state[part]),
    ) as unknown as Json[];
    return isSame(before, after) ? [] : [change(part, 'changed', path, { before, after } as object)];
  });
  const [first, then] = [initialOf(compared.old, old), initialOf(compared.now, now)];
  const isInitialOther = (first === null ? null : (compared.images.get(first) ?? `-${first}`)) !== then;
  return [
    ...(was === is ? [] : [change('kind', 'changed', path, { before: was, after: is })]),
    ...(isInitialOther ? [change('initial', 'changed', path, { before: first, after: then })] : []),
    ...historyChanges(compared, old, now),
    ...lists,
    ...(path !== '' && !isSame(old.state.output, now.state.output)
      ? [
          change('output', howOf(old.state.output, now.state.output), path, {
            before: old.state.output ?? null,
            after: now.state.output ?? null,
          }),
        ]
      : []),
    ...textChanges(old, now),
  ];
}

function initialOf({ states }: Side, { state, keys }: StateAt): string | null {
  if (state.initial === undefined) return null;
  const path = [...keys, state.initial].join('.');
  return states.find((each) => each.path === path)?.path ?? null;
}

function historyChanges({ old, now, images }: Compared, was: StateAt, is: StateAt): Change[] {
  if (was.state.type !== 'history' || is.state.type !== 'history') return [];
  const target = ({ states }: Side, { state, ...from }: StateAt) =>
    state.target === undefined
      ? null
      : (targetOf(state.target, { state, ...from }, states)?.keys.join('.') ?? null);
  const [before, after] = [target(old, was), target(now, is)];
  const [depth, deeper] = [was.state.history ?? 'shallow', is.state.history ?? 'shallow'];
  const isSameTarget = (before === null ? null : (images.get(before) ?? null)) === after;
  if (depth === deeper && isSameTarget) return [];
  const words = (kind: string, path: string | null) => (path === null ? kind : `${kind}, else ${path}`);
  return [
    change('history', 'changed', is.path, { before: words(depth, before), after: words(deeper, after) }),
  ];
}

function textChanges({ state: before }: StateAt, { state: after, path }: StateAt): Change[] {
  const texts = (state: StateAt['state']): JsonObject => ({
    ...('meaning' in state && { meaning: String(state.meaning) }),
    ...(state.title !== undefined && { title: state.title }),
    ...(state.description !== undefined && { description: state.description }),
    ...(state.tags !== undefined && { tags: listOf<string>(state.tags) }),
  });
  return fieldChanges(texts(before), texts(after)).map(([name, one, other]) =>
    change('text', howOf(one, other), path, { name, before: one ?? null, after: other ?? null }),
  );
}

/** Field by field: as a whole they are too long to be read. */
function namedChanges(part: 'calendar' | 'schedule', before: object, after: object): Change[] {
  return fieldChanges(before as JsonObject, after as JsonObject).flatMap(([name, one, other]) => {
    if (!isMap(one ?? null) || !isMap(other ?? null))
      return [change(part, howOf(one, other), '', { name, before: one ?? null, after: other ?? null })];
    return fieldChanges(one as JsonObject, other as JsonObject).map(([field, was, is]) =>
      change(part, howOf(was, is), '', { name, field, before: was ?? null, after: is ?? null }),
    );
  });
}

function dataChanges(before: FlowFile, after: FlowFile): Change[] {
  const context = fieldChanges(before.context ?? {}, after.context ?? {}).map(([name, one, other]) =>
    change('context', howOf(one, other), '', { name, before: one ?? null, after: other ?? null }),
  );
  const [was, is] = [before.output, after.output];
  const result = isSame(was, is)
    ? []
    : [change('result', howOf(was, is), '', { before: was ?? null, after: is ?? null })];
  const { calendars = {}, schedules = {} } = before;
  const others = [
    ...namedChanges('calendar', calendars, after.calendars ?? {}),
    ...namedChanges('schedule', schedules, after.schedules ?? {}),
  ];
  return [
    ...context,
    ...others,
    ...schemaChanges('input', before.input ?? {}, after.input ?? {}),
    ...result,
    ...schemaChanges('resultSchema', before.result ?? {}, after.result ?? {}),
  ];
}

/** By the fields of the request, or of the result; what else a schema says is one change. */
function schemaChanges(part: 'input' | 'resultSchema', before: JsonObject, after: JsonObject): Change[] {
  const [was, is] = [inputFields(before), inputFields(after)];
  const fields = fieldChanges(was, is).map(([name, one, other]) => {
    return change(part, howOf(one, other), '', { name, before: one ?? null, after: other ?? null });
  });
  const others = ({ properties: _, required: __, ...rest }: JsonObject) => rest;
  const [one, other] = [others(before), others(after)];
  return isSame(one, other)
    ? fields
    : [...fields, change(part, 'changed', '', { before: one, after: other })];
}

interface Field extends JsonObject {
  readonly required: boolean;
  readonly schema: Json;
}

function inputFields({ properties, required }: JsonObject): Readonly<Record<string, Field>> {
  const schemas = isMap(properties) ? properties : {};
  const needed = Array.isArray(required) ? (required as readonly string[]) : [];
  const names = new Set([...Object.keys(schemas), ...needed]);
  return Object.fromEntries(
    [...names].map((name) => [name, { required: needed.includes(name), schema: ownOf(schemas, name) ?? {} }]),
  );
}
