// Random edits of random charts. Every state keeps its number through all edits, so that a test knows what has become of it
// without asking the engine.
import type { Plan } from '../../../engine/migration-plan.ts';
import type { Random } from '../../support/random.ts';
import {
  aimsFor,
  type Chart,
  historyOf,
  idOf,
  isHistory,
  type Part,
  type PartAt,
  partsOf,
  statesOf,
  stepTo,
  targetsFor,
} from './random-charts.ts';

/** Another chart, and what an operator has to say about it: what became of names, and what is given up. */
export interface Edited {
  readonly chart: Chart;
  readonly plan: Required<Pick<Plan, 'states' | 'invokes' | 'leave'>>;
}

/** @param occupied the paths of active states, which most edits change */
export function edited(random: Random, before: Chart, occupied: readonly string[]): Edited {
  const chart = structuredClone(before);
  let last = 10_000;
  const invokes: Record<string, string> = {};
  const active = new Set(
    partsOf(before).flatMap(({ part, path }) => (occupied.includes(path) ? [part.number] : [])),
  );
  for (let count = 1 + random(9); count > 0; count--) {
    const all = partsOf(chart).filter((each) => !isHistory(each.part));
    const near = all.filter((each) => active.has(each.part.number) || active.has(each.parent.number));
    const some = near.length > 0 && random(4) > 0 ? near : all;
    const { part, parent } = some[random(some.length)] as PartAt;
    const targets = targetsFor(chart, part, parent);
    const target = () => targets[random(targets.length)] as number;
    const aims = aimsFor(chart, part, parent);
    const aim = () => aims[random(aims.length)] as number;
    /** Most of what is to be changed is where the process is. */
    const nearWith = (has: (each: Part) => boolean): Part => {
      const found = near.filter((each) => has(each.part));
      return (found[random(Math.max(1, found.length))] ?? { part }).part;
    };
    const leaf = (key: string): Part => {
      last += 1;
      return {
        number: last,
        key: `${key}${last}`,
        on: { e0: stepTo(random, target()) },
        after: [{ ms: 1 + random(2_000), target: target() }],
        states: [],
      };
    };
    const edits: (() => void)[] = [
      ...[1, 2, 3].map(() => () => {
        const one = nearWith(({ after }) => after.length > 0);
        one.after = one.after.map((each) => (random(4) === 0 ? each : { ...each, ms: 1 + random(4_000) }));
      }),
      ...[1, 2].map(() => () => {
        chart.soon = 1 + random(3_000);
      }),
      () => {
        part.after = part.after.filter(() => random(2) === 0);
      },
      // Another delay, which becomes the timer of the present one.
      () => {
        if (part.after.length > 1) return;
        const timer = part.after[0]?.timer;
        part.after = part.after.map(({ timer: _, ...others }) => others);
        part.after.push({
          ms: 2_001 + random(500),
          target: random(2) === 0 ? null : target(),
          ...(timer !== undefined && { timer }),
        });
      },
      () => {
        delete part.on[`e${random(4)}`];
      },
      () => {
        part.on[`e${random(4)}`] = stepTo(random, aim());
      },
      () => {
        nearWith(({ invoke }) => invoke !== undefined).invoke = undefined;
      },
      () => {
        last += 1;
        part.invoke ??= { id: `i${last}`, src: 'charge', onDone: target() };
      },
      () => {
        if (part.invoke) part.invoke.src = random(2) === 0 ? 'Order' : 'refund';
      },
      ...[1, 2, 3, 4].map(() => () => {
        part.always = random(4) === 0 ? undefined : { to: aim(), above: 0 };
      }),
      () => {
        part.isCounted = !part.isCounted;
      },
      // What a state remembers: added, renamed, or removed.
      () => {
        last += 1;
        const histories = part.states.filter(isHistory);
        const [one] = histories;
        const first = statesOf(part)[0]?.number;
        if (!one && first !== undefined) part.states.push(historyOf(last, random(2) === 0, first));
        else if (one && random(2) === 0) one.key = `r${last}`;
        else part.states = statesOf(part);
      },
      () => {
        if (part.invoke) part.invoke.onDone = target();
      },
      // Renamed, sometimes to what another state was called.
      () => {
        last += 1;
        const former = partsOf(before).find((each) => each.part.number === part.number)?.parent;
        const free = (former?.states ?? [])
          .map(({ key }) => key)
          .find((key) => parent.states.every((each) => each.key !== key));
        part.key = random(2) === 0 && free !== undefined ? free : `r${last}`;
      },
      () => {
        if (statesOf(parent).length > (parent === chart ? 2 : 1) && part.number !== parent.initial)
          parent.states = parent.states.filter((each) => each !== part);
      },
      // Moved into another state.
      () => {
        const within = new Set(partsOf(part).map((each) => each.part));
        const others = all.filter(
          (each) =>
            each.part !== part &&
            each.part !== parent &&
            !within.has(each.part) &&
            each.part.states.length > 0,
        );
        const other = others[random(Math.max(1, others.length))]?.part;
        if (!other || parent === chart || part.number === parent.initial || statesOf(parent).length < 2)
          return;
        if (other.states.some(({ key }) => key === part.key)) return;
        parent.states = parent.states.filter((each) => each !== part);
        other.states.push(part);
      },
      () => {
        if (part.states.length > 0) part.states.push(leaf('n'));
      },
      () => {
        if (part.states.length > 0) return;
        part.states = [leaf('x'), leaf('y')];
        part.initial = part.states[0]?.number as number;
      },
      () => {
        if (part.type !== 'parallel' && part.states.length > 0)
          part.initial = statesOf(part)[random(statesOf(part).length)]?.number as number;
      },
    ];
    (edits[random(edits.length)] as () => void)();
  }
  // What may run there is called otherwise, or is gone.
  for (const { part } of partsOf(chart))
    if (active.has(part.number) && part.invoke?.id !== undefined && random(2) === 0) {
      last += 1;
      if (random(3) === 0) part.invoke = undefined;
      else part.invoke.id = `i${last}`;
    }
  const now = new Map(partsOf(chart).map((each) => [each.part.number, each]));
  for (const { part, path } of partsOf(before)) {
    const image = now.get(part.number);
    if (!part.invoke || !image?.part.invoke) continue;
    const [was, is] = [idOf(part.invoke, path), idOf(image.part.invoke, image.path)];
    const isNamed = part.invoke.id !== undefined && image.part.invoke.id !== undefined;
    // Where an author forgets to say it, the process is refused while the invoke runs.
    if (was !== is && isNamed && random(4) > 0) invokes[was] = is;
  }
  // Sometimes an invoke that has gone from its state, or has become another one, is given up.
  const ended = partsOf(before).flatMap(({ part, path }) => {
    const image = now.get(part.number)?.part;
    const isGone = part.invoke && image && image.invoke?.src !== part.invoke.src;
    return part.invoke && isGone && random(2) === 0 ? [idOf(part.invoke, path)] : [];
  });
  const leave = [...leaveIn(random, before, chart, occupied), ...ended];
  return { chart, plan: { states: statesIn(before, chart), invokes, leave } };
}

/** What a person says: only where the path alone would not find it. */
function statesIn(before: Chart, chart: Chart): Record<string, string> {
  const now = new Map(partsOf(chart).map(({ part, path }) => [part.number, path]));
  const states: Record<string, string> = {};
  for (const { part, parent, path } of partsOf(before)) {
    const [image, around] = [now.get(part.number), parent.number === 0 ? '' : now.get(parent.number)];
    const byKey = around === '' ? part.key : `${around}.${part.key}`;
    if (image !== undefined && image !== byKey) states[path] = image;
  }
  return states;
}

/** What is gone, and sometimes a state that is still there: it is left, and perhaps entered again. */
function leaveIn(random: Random, before: Chart, chart: Chart, occupied: readonly string[]): string[] {
  const now = new Set(partsOf(chart).map(({ part }) => part.number));
  const given = random(3) === 0 ? occupied[random(occupied.length)] : undefined;
  const gone = partsOf(before).flatMap(({ part, path }) =>
    !now.has(part.number) && random(2) === 0 ? [path] : [],
  );
  return given === undefined ? gone : [...gone, given];
}
