// One thing done for many flows: some at a time, and one that fails does not stop the others.

/** Enough at a time to hide the delay of a distant server, few enough for a small server. */
const AT_ONCE = 16;

export interface EachOptions {
  readonly interrupted?: AbortSignal;
  readonly atOnce?: number;
}

export interface ItemOutcome<Item, Value> {
  readonly item: Item;
  readonly outcome:
    | { readonly done: true; readonly value: Value }
    | { readonly done: false; readonly error: unknown };
}

/** In the order of completion. After an interruption it starts no more, and leaves these out. */
export async function* eachAtOnce<Item, Value>(
  items: AsyncIterable<Item> | Iterable<Item>,
  act: (item: Item) => Promise<Value>,
  { interrupted, atOnce = AT_ONCE }: EachOptions = {},
): AsyncGenerator<ItemOutcome<Item, Value>, void, void> {
  const under = new Set<Promise<ItemOutcome<Item, Value>>>();
  const next = async (): Promise<ItemOutcome<Item, Value>> => {
    const [promise, outcome] = await Promise.race([...under].map(async (one) => [one, await one] as const));
    under.delete(promise);
    return outcome;
  };
  for await (const item of items) {
    if (interrupted?.aborted) break;
    under.add(tried(item, act));
    if (under.size >= atOnce) yield await next();
  }
  while (under.size > 0) yield await next();
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
