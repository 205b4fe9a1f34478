// One thing done for many flows: some at a time, and one that fails does not stop the others.

import { Pace } from '../shared/routing/pace.ts';

/** Enough at a time to hide the delay of a distant server, few enough for a small server. */
const AT_ONCE = 16;

interface EachOptions {
  readonly interrupted?: AbortSignal | undefined;
  readonly atOnce?: number;
  /** How many begin in a second, at most; as many as there is room for if absent. */
  readonly perSecond?: number | undefined;
}

interface ItemOutcome<Item, Value> {
  readonly item: Item;
  readonly outcome:
    | { readonly done: true; readonly value: Value }
    | { readonly done: false; readonly error: unknown };
}

/** In the order of completion, each at once. After an interruption it starts no more, and leaves these out. */
export async function* eachAtOnce<Item, Value>(
  items: AsyncIterable<Item> | Iterable<Item>,
  act: (item: Item) => Promise<Value>,
  { interrupted, atOnce = AT_ONCE, perSecond }: EachOptions = {},
): AsyncGenerator<ItemOutcome<Item, Value>, void, void> {
  const turns = turnsOf(items, interrupted, perSecond);
  type Outcome = ItemOutcome<Item, Value>;
  const under = new Set<Promise<() => Outcome>>();
  const begun = (item: Item) => {
    const promise = tried(item, act).then((outcome) => () => {
      under.delete(promise);
      return outcome;
    });
    under.add(promise);
  };
  const next = () => {
    const turn = turns.next().then((given) => ({ given }));
    // Read once there is room for it.
    turn.catch(() => undefined);
    return turn;
  };
  let coming: ReturnType<typeof next> | undefined = next();
  try {
    while (coming || under.size > 0) {
      const awaited = coming && under.size < atOnce ? [coming] : [];
      const came: (() => Outcome) | Awaited<typeof coming> = await Promise.race([...under, ...awaited]);
      if (typeof came === 'function') yield came();
      else if (came?.given.done !== false) coming = undefined;
      else {
        begun(came.given.value);
        coming = next();
      }
    }
  } finally {
    await turns.return();
  }
}

/** Each item when its turn comes. */
async function* turnsOf<Item>(
  items: AsyncIterable<Item> | Iterable<Item>,
  interrupted: AbortSignal | undefined,
  perSecond: number | undefined,
): AsyncGenerator<Item, void, void> {
  const pace = perSecond === undefined ? undefined : new Pace(perSecond);
  for await (const item of items) {
    await pace?.turn(interrupted);
    if (interrupted?.aborted) return;
    yield item;
  }
}

async function tried<Item, Value>(
  item: Item,
  act: (item: Item) => Promise<Value>,
): Promise<ItemOutcome<Item, Value>> {
  try {
    return { item, outcome: { done: true, value: await act(item) } };
  } catch (error) {
    return { item, outcome: { done: false, error } };
  }
}
