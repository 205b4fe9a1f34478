// One thing done for many flows: some at a time, and one that fails does not stop the others.
import { Readable } from 'node:stream';
import { Pace } from '../shared/routing/owners.ts';

/** Enough at a time to hide the delay of a distant server, few enough for a small server. */
const AT_ONCE = 16;

interface EachOptions {
  readonly interrupted?: AbortSignal | undefined;
  /** How many begin in a second, at most; as many as there is room for if absent. */
  readonly perSecond?: number | undefined;
}

interface ItemOutcome<Item, Value> {
  readonly item: Item;
  readonly outcome:
    | { readonly done: true; readonly value: Value }
    | { readonly done: false; readonly error: unknown };
}

/** In the order of the items, each as soon as it is known. After an interruption it starts no more, and leaves these out. */
export async function* eachAtOnce<Item, Value>(
  items: AsyncIterable<Item> | Iterable<Item>,
  act: (item: Item) => Promise<Value>,
  { interrupted, perSecond }: EachOptions = {},
): AsyncGenerator<ItemOutcome<Item, Value>, void, void> {
  const tried = (item: Item): Promise<ItemOutcome<Item, Value>> =>
    act(item).then(
      (value) => ({ item, outcome: { done: true, value } }),
      (error) => ({ item, outcome: { done: false, error } }),
    );
  yield* Readable.from(turnsOf(items, interrupted, perSecond)).map(tried, { concurrency: AT_ONCE });
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
