// What differs in the transitions of a state: in what causes them, in their order, and in each of them.
import { delaysLayout } from '../../../engine/migration/delays-layout.ts';
import { durationMs } from '../duration.ts';
import { type ActionData, type GuardData, type Json, listOf } from '../flow-file.ts';
import { invokesOf, type TransitionAt, type Trigger, targetsOf, transitionsOf } from '../reading/walk.ts';
import { type Change, change, howOf } from './change.ts';
import { type Compared, isSame, type StateAt } from './compared.ts';

/** A transition of a state; `index` counts those with the same cause. */
interface TransitionOf {
  readonly state: StateAt;
  readonly trigger: Trigger;
  readonly index: number;
  readonly transition: TransitionAt['transition'];
}

type Group = readonly TransitionOf[];

/** By the new id of an invoke, the old one. */
export type FormerIds = ReadonlyMap<string, string>;

export function transitionChanges(
  compared: Compared,
  old: StateAt,
  now: StateAt,
  formerIds: FormerIds,
): Change[] {
  const [before, after] = [groupsOf(old), groupsOf(now)];
  const causes = new Map<string, string>();
  for (const [key, [{ trigger }]] of after) {
    const former = formerKeys(compared, old, now, trigger, formerIds).find((each) => before.has(each));
    if (former !== undefined) causes.set(key, former);
  }
  const kept = new Set(causes.values());
  const gone = [...before].filter(([key]) => !kept.has(key)).map(([, group]) => group);
  const all = [...after].flatMap(([key, group]) => {
    const origin = before.get(causes.get(key) ?? '');
    return origin ? compareGroups(compared, now.path, origin, group) : oneSided(now.path, group, 'added');
  });
  return [...all, ...gone.map((group) => oneSided(now.path, group, 'removed'))];
}

/** By what causes them. */
function groupsOf(state: StateAt): Map<string, readonly [TransitionOf, ...TransitionOf[]]> {
  const groups = new Map<string, [TransitionOf, ...TransitionOf[]]>();
  for (const { trigger, transition } of transitionsOf(state)) {
    const key = keyOf(trigger);
    const known = groups.get(key);
    const one = { state, trigger, transition, index: known?.length ?? 0 };
    if (known) known.push(one);
    else groups.set(key, [one]);
  }
  return groups;
}

const keyOf = (trigger: Trigger): string => `${trigger.kind} ${nameOf(trigger) ?? ''}`;

function nameOf(trigger: Trigger): string | null {
  if (trigger.kind === 'on') return trigger.event;
  if (trigger.kind === 'after') return trigger.delay;
  return 'id' in trigger ? trigger.id : null;
}

/** What the same cause may have been called in the old file, the likeliest first. */
function formerKeys(
  compared: Compared,
  old: StateAt,
  now: StateAt,
  trigger: Trigger,
  formerIds: FormerIds,
): string[] {
  const keys = (names: readonly string[]) => names.map((name) => `${trigger.kind} ${name}`);
  if (trigger.kind === 'after') return keys(formerDelays(compared, old, now, trigger.delay));
  if (trigger.kind === 'on') return keys(formerEvents(compared, trigger.event, formerIds));
  return 'id' in trigger ? keys([formerIds.get(trigger.id) ?? trigger.id]) : [keyOf(trigger)];
}

function formerEvents({ names }: Compared, event: string, formerIds: FormerIds): string[] {
  const was = Object.entries(names.events).flatMap(([former, name]) => (name === event ? [former] : []));
  const ofInvoke = [...formerIds].flatMap(([id, former]) =>
    event.startsWith(`${id}.`) ? [`${former}${event.slice(id.length)}`] : [],
  );
  return [...was, ...ofInvoke, event];
}

/** As a migration pairs the delays of a process in which none of them has fired. */
function formerDelays({ imageOf, names }: Compared, old: StateAt, now: StateAt, delay: string): string[] {
  const types = old.inMachine.after.map(({ eventType }) => eventType);
  const { paired } = delaysLayout(
    {
      carried: new Map([[now.inMachine, old.inMachine]]),
      imageOf,
      plan: names,
      running: { actors: new Set(), delays: new Set(types) },
    },
    { obstacles: [], notes: [] },
  );
  return paired.flatMap((pair) => (pair.now.name === delay ? [pair.old.name] : []));
}

/** Its cause, in words: `on collected`, `after P7D`, `desk done`. */
function formatTrigger(trigger: Trigger): string {
  if (trigger.kind === 'on') return `on ${trigger.event}`;
  if (trigger.kind === 'after') return `after ${trigger.delay}`;
  if ('id' in trigger) return `${trigger.id} ${trigger.kind === 'invokeDone' ? 'done' : 'failed'}`;
  return trigger.kind === 'onDone' ? 'done' : 'always';
}

const partOf = {
  on: 'event',
  after: 'delay',
  always: 'always',
  onDone: 'done',
  invokeDone: 'answer',
  invokeError: 'answer',
} as const;

function oneSided(path: string, group: Group, how: 'added' | 'removed'): Change {
  const [first] = group as [TransitionOf];
  const { trigger } = first;
  const name = 'id' in trigger ? formatTrigger(trigger) : nameOf(trigger);
  return change(partOf[trigger.kind], how, path, { name });
}

function compareGroups(compared: Compared, path: string, before: Group, after: Group): Change[] {
  const [{ trigger: was }, { trigger: is }] = [before[0], after[0]] as [TransitionOf, TransitionOf];
  const matched = matchedIn(compared, before, after);
  const known = new Set(matched.values());
  const changes: Change[] = causeChange(path, was, is);
  const name = formatTrigger(is);
  for (const now of after) {
    const old = matched.get(now);
    if (old) changes.push(...transitionChange(compared, path, old, now));
    else changes.push(change('transition', 'added', path, { name, after: targetWords(compared, now) }));
  }
  for (const old of before)
    if (!known.has(old))
      changes.push(change('transition', 'removed', path, { name, before: targetWords(compared, old) }));
  const order = after.flatMap((each) => matched.get(each)?.index ?? []);
  if (order.some((index, place) => place > 0 && index < (order[place - 1] as number)))
    changes.push(change('order', 'changed', path, { name }));
  return changes;
}

/** The event has another name, or the delay another length. */
function causeChange(path: string, was: Trigger, is: Trigger): Change[] {
  const [before, after] = [nameOf(was), nameOf(is)];
  if (before === after || is.kind === 'invokeDone' || is.kind === 'invokeError') return [];
  if (is.kind === 'on') return [change('event', 'renamed', path, { name: after, before, after })];
  if (isSameLength(before, after)) return [];
  return [change('delay', 'changed', path, { name: after, before, after })];
}

/** Written in two ways, such as `P1D` and `PT24H`. */
export function isSameLength(before: Json, after: Json): boolean {
  const was = durationMs(before);
  return was !== null && was === durationMs(after);
}

/** The same first, then those that lead to the same state, then by their order. */
function matchedIn(compared: Compared, before: Group, after: Group): Map<TransitionOf, TransitionOf> {
  const matched = new Map<TransitionOf, TransitionOf>();
  const rules: ((old: TransitionOf, now: TransitionOf) => boolean)[] = [
    (old, now) => isSame(meaningOf(compared, old), meaningOf(compared, now)),
    (old, now) => isSame(targetsIn(compared, old), targetsIn(compared, now)),
    () => true,
  ];
  for (const isMatch of rules)
    for (const now of after) {
      if (matched.has(now)) continue;
      const taken = new Set(matched.values());
      const old = before.find((each) => !taken.has(each) && isMatch(each, now));
      if (old) matched.set(now, old);
    }
  return matched;
}

function transitionChange(compared: Compared, path: string, old: TransitionOf, now: TransitionOf): Change[] {
  const [was, is] = [meaningOf(compared, old), meaningOf(compared, now)];
  const name = formatTrigger(now.trigger);
  const changes: Change[] = [];
  if (!isSame(was.guard, is.guard)) {
    const [before, after] = [old.transition.guard, now.transition.guard];
    changes.push(
      change('guard', howOf(before, after), path, {
        name,
        before: (before ?? null) as Json,
        after: (after ?? null) as Json,
      }),
    );
  }
  if (!isSame(was.targets, is.targets)) {
    const [before, after] = [targetWords(compared, old), targetWords(compared, now)];
    changes.push(change('target', 'changed', path, { name, before, after }));
  }
  if (was.reenter !== is.reenter)
    changes.push(change('reenter', 'changed', path, { name, before: was.reenter, after: is.reenter }));
  if (!isSame(was.actions, is.actions))
    changes.push(change('actions', 'changed', path, { name, before: was.actions, after: is.actions }));
  return changes;
}

interface Meaning {
  readonly targets: readonly string[];
  readonly guard: GuardData | null;
  readonly actions: Json;
  readonly reenter: boolean;
}

function meaningOf(compared: Compared, each: TransitionOf): Meaning {
  const { guard, actions, reenter = false } = each.transition;
  return {
    targets: targetsIn(compared, each),
    guard: guard === undefined ? null : renamedGuard(compared, each, guard),
    actions: listOf<ActionData>(actions) as unknown as Json,
    reenter,
  };
}

/** By the paths of the new file, where it has them. */
const targetsIn = ({ images, ...compared }: Compared, each: TransitionOf): string[] =>
  pathsOf(compared, each).map((path) => (isOld(compared, each) ? (images.get(path) ?? `-${path}`) : path));

const isOld = ({ old }: Pick<Compared, 'old'>, { state }: TransitionOf): boolean =>
  old.byPath.get(state.path) === state;

function pathsOf({ old, now }: Pick<Compared, 'old' | 'now'>, each: TransitionOf): string[] {
  const { states } = isOld({ old }, each) ? old : now;
  return targetsOf(each.transition, each.state, states).map(({ keys }) => keys.join('.'));
}

/** As the file that has it calls them; null: it stays where it is. */
const targetWords = (compared: Compared, each: TransitionOf): string | null =>
  pathsOf(compared, each).join(', ') || null;

/** `stateIn` names a state, which may be called otherwise now. */
function renamedGuard({ old, images }: Compared, each: TransitionOf, guard: GuardData): GuardData {
  if (!isOld({ old }, each)) return guard;
  return JSON.parse(JSON.stringify(guard), (key, value: unknown) =>
    key === 'state' && typeof value === 'string' ? (images.get(value) ?? value) : value,
  ) as GuardData;
}

/** The ids of the invokes of two states: by the new one, the old one. */
export function formerIdsOf({ names }: Compared, old: StateAt, now: StateAt): Map<string, string> {
  const former = new Map<string, string>();
  const [before, after] = [invokesOf(old), invokesOf(now)];
  for (const [index, { id, invoke }] of before.entries()) {
    const named = after.find((each) => each.id === (names.invokes[id] ?? id));
    const there = after[index];
    const isByPlace = invoke.id === undefined && there !== undefined && there.invoke.id === undefined;
    const found = named ?? (isByPlace ? there : undefined);
    if (found && !former.has(found.id)) former.set(found.id, id);
  }
  return former;
}
