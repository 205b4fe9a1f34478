// What differs between two versions of a flow file, in meaning: comments, formatting, short forms and the order of keys are no
// difference, and a state, an event or an invoke is compared with what it was.
import { ownOf } from '../../../engine/chart/messages.ts';
import {
  type FlowFile,
  type InvokeData,
  invokeIdOf,
  type Json,
  type JsonObject,
  listOf,
  type TransitionData,
  type TransitionsData,
} from '../flow-file.ts';
import { type FormerNames, formerNames, renamed } from '../machine/migration.ts';
import { isMap } from '../reading/report.ts';
import { type Node, nodesOf, targetOf } from '../reading/walk.ts';

export interface Change {
  readonly how: 'added' | 'removed' | 'renamed' | 'changed';
  /** The path of the state in the new version, or of a removed state in the old one. Empty: the flow itself. */
  readonly state: string;
  /** What of it, such as `on.returned.guard` or `invoke.desk.input.within`; null: the state as a whole. */
  readonly field: string | null;
  readonly before: Json;
  readonly after: Json;
}

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
  const [old, now] = [meanings(before, names), meanings(after, NO_NAMES)];
  const changes = [...now].flatMap(([state, { path, data }]): Change[] => {
    const was = old.get(state);
    if (!was) return [{ how: 'added', state, field: null, before: null, after: null }];
    return [
      ...(was.path === path
        ? []
        : [{ how: 'renamed', state, field: null, before: was.path, after: path } as const]),
      ...eventsRenamed(was.events, data).map(([type, event]) => {
        return { how: 'renamed', state, field: `on.${event}`, before: type, after: event } as const;
      }),
      ...differences(was.data, data, []).map((each) => ({ state, ...each })),
    ];
  });
  const gone = [...old].filter(([state]) => !now.has(state));
  return {
    flow: after.name,
    changes: [
      ...changes,
      ...gone.map(([, { path }]) => {
        return { how: 'removed', state: path, field: null, before: null, after: null } as const;
      }),
    ],
  };
}

const NO_NAMES: FormerNames = { states: {}, invokes: {}, events: {} };

/** What a state is and does, without the states within it. */
interface Meaning {
  readonly path: string;
  readonly data: JsonObject;
  /** From the names of its events to what they are called now, where that differs. */
  readonly events: ReadonlyMap<string, string>;
}

/** By their paths, as they are called now. */
function meanings(file: FlowFile, names: FormerNames): Map<string, Meaning> {
  const nodes = nodesOf(file);
  const found = new Map<string, Meaning>();
  for (const node of nodes) {
    const path = node.keys.join('.');
    const state = renamed(path, names.states);
    const types = Object.keys(node.state.on ?? {});
    const events = new Map(types.map((type) => [type, names.events[type] ?? type]));
    // A state that was renamed to this one goes before another of this name.
    if (!found.has(state) || state !== path)
      found.set(state, { path, data: meaningOf(node, nodes, names), events });
  }
  return found;
}

function eventsRenamed(events: Meaning['events'], { on = {} }: JsonObject): (readonly [string, string])[] {
  return [...events].filter(([type, event]) => type !== event && isMap(on) && Object.hasOwn(on, event));
}

/** In one form, whichever short form the file has, and with the names of now. */
function meaningOf(node: Node, nodes: readonly Node[], names: FormerNames): JsonObject {
  const { states: _, was: __, on = {}, after = {}, always, onDone, invoke, ...rest } = node.state;
  const { id: ___, entry, exit, tags, initial, target, type, ...others } = rest;
  const placeOf = (named: string): string => {
    const found = targetOf(named, node, nodes);
    return found ? renamed(found.keys.join('.'), names.states) : named;
  };
  const ways = (given: TransitionsData | undefined) =>
    sole(
      listOf<string | TransitionData>(given as TransitionData | undefined).map((each) => {
        const {
          was: ___,
          reenter,
          target: to,
          actions,
          ...more
        } = typeof each === 'string' ? { target: each } : each;
        return {
          ...more,
          target: sole(listOf(to).map(placeOf)),
          actions: sole(listOf(actions)),
          ...(reenter && { reenter }),
        };
      }),
    );
  const invoked = (each: InvokeData, index: number) => {
    const { was: ___, id: ____, ...more } = each;
    const id = invokeIdOf(each, node.keys, index);
    const isUnnamed = each.id === undefined;
    const known = names.invokes[id] ?? (isUnnamed ? renamed(id, names.states) : id);
    return [known, { ...more, onDone: ways(each.onDone), onError: ways(each.onError) }];
  };
  const eachOf = (map: Readonly<Record<string, TransitionsData>>, nameOf = (name: string) => name) =>
    Object.fromEntries(Object.entries(map).map(([name, given]) => [nameOf(name), ways(given)]));
  const data = {
    ...others,
    ...(type !== 'atomic' && type !== 'compound' && { type }),
    initial: initial === undefined ? undefined : placeOf(`.${initial}`),
    target: target === undefined ? undefined : placeOf(target),
    on: eachOf(on, (event) => names.events[event] ?? event),
    after: eachOf(after),
    always: ways(always),
    onDone: ways(onDone),
    entry: sole(listOf(entry)),
    exit: sole(listOf(exit)),
    tags: sole(listOf(tags)),
    invoke: Object.fromEntries(listOf(invoke).map(invoked)),
  };
  // Without what is undefined.
  return JSON.parse(JSON.stringify(data)) as JsonObject;
}

function sole<Item>(all: readonly Item[]): Item | readonly Item[] | undefined {
  return all.length < 2 ? all[0] : all;
}

function differences(
  before: Json | undefined,
  after: Json | undefined,
  path: readonly (string | number)[],
): Omit<Change, 'state'>[] {
  const isBoth = (isIt: (value: Json | undefined) => boolean) => isIt(before) && isIt(after);
  const areAlike = Array.isArray(before) && Array.isArray(after) && before.length === after.length;
  if (isBoth(isMap) || areAlike) {
    const [one, other] = [before, after] as [JsonObject, JsonObject];
    const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
    return [...keys].flatMap((key) => differences(ownOf(one, key), ownOf(other, key), [...path, key]));
  }
  if (before === after) return [];
  const how = after === undefined ? 'removed' : 'changed';
  return [
    {
      how: before === undefined ? 'added' : how,
      field: path.join('.'),
      before: before ?? null,
      after: after ?? null,
    },
  ];
}

const LONGEST_VALUE = 80;

function valueWords(value: Json): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE - 1)}…` : text;
}

const signs = { added: '+', removed: '-', renamed: '~', changed: '~' } as const;

function formatChange({ how, field, before, after }: Change): string {
  const value = how === 'added' ? after : before;
  const words =
    how === 'added' || how === 'removed'
      ? valueWords(value)
      : `${valueWords(before)} -> ${valueWords(after)}${how === 'renamed' ? ' (renamed)' : ''}`;
  return `      ${signs[how]} ${field}: ${words}`;
}

function formatState(state: string, own: Change | undefined): string {
  if (!own) return `  ~ ${state || 'the flow'}`;
  return own.how === 'renamed'
    ? `  ~ ${String(own.before)} -> ${state} (renamed)`
    : `  ${signs[own.how]} ${state} ${own.how}`;
}

export function formatDiff({ flow, changes }: Comparison): string {
  if (changes.length === 0) return `${flow}: no difference in meaning`;
  const states = [...new Set(changes.map(({ state }) => state))];
  return [
    `${flow}: ${changes.length} ${changes.length === 1 ? 'change' : 'changes'}`,
    ...states.flatMap((state) => {
      const all = changes.filter((each) => each.state === state);
      const fields = all.filter(({ field }) => field !== null);
      return [
        formatState(
          state,
          all.find(({ field }) => field === null),
        ),
        ...fields.map(formatChange),
      ];
    }),
  ].join('\n');
}
