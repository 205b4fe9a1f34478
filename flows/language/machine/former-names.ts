// What the parts of a flow file were called in the versions before it.
import type { Plan } from '../../../engine/migration/plan.ts';
import {
  type FlowFile,
  type InvokeData,
  invokeIdOf,
  listOf,
  type StateData,
  type TransitionData,
} from '../flow-file.ts';

export type FormerNames = Required<Pick<Plan, 'states' | 'invokes' | 'events'>>;

/** The former names in a file, as they were in the version before it. */
export function formerNames(file: FlowFile): FormerNames {
  const all = allStates(file, []);
  const states = all.flatMap(({ state: { was }, keys }) =>
    was === undefined ? [] : [[was, keys.join('.')]],
  );
  const invokes = allInvokes(file).flatMap(({ id, invoke: { was } }) =>
    was === undefined ? [] : [[was, id]],
  );
  const events = all.flatMap(({ state: { on = {} } }) =>
    Object.entries(on).flatMap(([type, given]) =>
      listOf<string | TransitionData>(given as TransitionData).flatMap((each) =>
        typeof each === 'object' && each.was !== undefined ? [[each.was, type]] : [],
      ),
    ),
  );
  return {
    states: Object.fromEntries(states),
    invokes: Object.fromEntries(invokes),
    events: Object.fromEntries(events),
  };
}

interface StateAt {
  readonly state: StateData;
  readonly keys: readonly string[];
}

const allStates = (state: StateData, keys: readonly string[]): StateAt[] => [
  { state, keys },
  ...Object.entries(state.states ?? {}).flatMap(([key, inner]) => allStates(inner, [...keys, key])),
];

const invokesOf = ({ invoke }: StateData, keys: readonly string[]): { id: string; invoke: InvokeData }[] =>
  listOf(invoke).map((each, index) => ({ id: invokeIdOf(each, keys, index), invoke: each }));

export const allInvokes = (file: FlowFile): { id: string; invoke: InvokeData }[] =>
  allStates(file, []).flatMap(({ state, keys }) => invokesOf(state, keys));

/** From what they are called before the first of some versions, one after the other, to what they are called in the last. */
export const chainedNames = (versions: readonly FormerNames[]): FormerNames =>
  versions.reduce<FormerNames>(
    (first, then) => ({
      states: chained(first.states, then.states),
      invokes: chained(first.invokes, then.invokes),
      events: chained(first.events, then.events),
    }),
    { states: {}, invokes: {}, events: {} },
  );

/** For a process that goes to an earlier version. */
export function inverse({ states, invokes, events }: FormerNames): FormerNames {
  const turned = (names: Names): Names =>
    Object.fromEntries(Object.entries(names).map(([old, now]) => [now, old]));
  return { states: turned(states), invokes: turned(invokes), events: turned(events) };
}

type Names = Readonly<Record<string, string>>;

/** A name within a renamed one, such as the path of an inner state, is renamed with it. */
function chained(first: Names, then: Names): Names {
  const back = Object.fromEntries(Object.entries(first).map(([old, now]) => [now, old]));
  const onward = Object.entries(first).map(([old, now]) => [old, renamed(now, then)]);
  const later = Object.entries(then).map(([old, now]) => [renamed(old, back), now]);
  return { ...Object.fromEntries(later), ...Object.fromEntries(onward) };
}

/** What a name, or the path of a state within a renamed one, is called now. */
export function renamed(name: string, names: Names): string {
  const around = Object.keys(names)
    .filter((each) => name === each || name.startsWith(`${each}.`))
    .sort((one, other) => other.length - one.length)[0];
  return around === undefined ? name : `${names[around]}${name.slice(around.length)}`;
}
