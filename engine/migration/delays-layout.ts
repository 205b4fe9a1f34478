// Which delay of a state replaces which, where both machines have the state. That it is a guess matters only for delays that have
// fired: any other counts from the moment at which the state was entered, whatever it was before.
import type { AnyStateNode } from 'xstate';
import { pathOf } from '../chart/chart-view.ts';
import type { Findings, ImageOf, Running } from './images.ts';
import type { Plan } from './plan.ts';

/** A delay of a state that is carried. */
export interface Delay {
  readonly node: AnyStateNode;
  readonly eventType: string;
  /** As the chart names it. */
  readonly name: string;
  readonly delay: unknown;
}

export interface DelaysLayout {
  readonly paired: readonly { readonly old: Delay; readonly now: Delay }[];
  readonly added: readonly Delay[];
  readonly removed: readonly Delay[];
}

interface LayoutInput {
  readonly carried: ReadonlyMap<AnyStateNode, AnyStateNode>;
  readonly imageOf: ImageOf;
  readonly plan: Plan;
  readonly running: Running;
}

type IsPair = (old: Delay, now: Delay) => boolean;

export function delaysLayout(
  { carried, imageOf, plan, running }: LayoutInput,
  { obstacles }: Findings,
): DelaysLayout {
  const isOpen: IsPair = ({ eventType }) => running.delays.has(eventType);
  const all = [...carried].map(([node, origin]) => {
    const hasSameTarget: IsPair = (old, now) => {
      const targets = targetsOf(old).map((target) => imageOf(target)?.id);
      return (
        targets.length > 0 &&
        targets.join() ===
          targetsOf(now)
            .map(({ id }) => id)
            .join()
      );
    };
    const planned = (old: Delay) => plan.timers?.[`${pathOf(origin)} ${old.name}`];
    const layout = pairs(origin, node, [
      (old, now) => planned(old) === now.name,
      (old, now) => old.name === now.name,
      hasSameTarget,
      isOpen,
    ]);
    const fired = layout.removed.find((each) => !isOpen(each, each));
    const [first] = layout.added;
    if (fired && first)
      obstacles.push({
        code: 'TimerUnclear',
        at: pathOf(origin),
        reason: `the delay ${fired.name} of ${pathOf(origin)} has fired, and ${layout.added.map(({ name }) => name).join(' or ')} may replace it`,
        remedy: `say which: timers: { '${pathOf(origin)} ${fired.name}': '${first.name}' }`,
      });
    return layout;
  });
  return {
    paired: all.flatMap(({ paired }) => paired),
    added: all.flatMap(({ added }) => added),
    removed: all.flatMap(({ removed }) => removed),
  };
}

/** By the first rule by which each is the only one for the other. */
function pairs(origin: AnyStateNode, node: AnyStateNode, rules: readonly IsPair[]): DelaysLayout {
  const paired: { old: Delay; now: Delay }[] = [];
  let removed = delaysIn(origin);
  let added = delaysIn(node);
  for (const isPair of rules)
    for (const old of removed) {
      const [now, another] = added.filter((each) => isPair(old, each));
      if (!now || another || removed.filter((each) => isPair(each, now)).length > 1) continue;
      paired.push({ old, now });
      removed = removed.filter((each) => each !== old);
      added = added.filter((each) => each !== now);
    }
  return { paired, added, removed };
}

function delaysIn(node: AnyStateNode): Delay[] {
  const byType = new Map(node.after.map(({ eventType, delay }) => [eventType, delay]));
  return [...byType].map(([eventType, delay]) => ({ node, eventType, name: String(delay), delay }));
}

const targetsOf = ({ node, eventType }: Delay): readonly AnyStateNode[] =>
  node.after
    .filter((each) => each.eventType === eventType)
    .flatMap(({ target = [] }) => target as readonly AnyStateNode[]);
