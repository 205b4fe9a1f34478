// One thing done for many: at a rate, some at a time, with an outcome for each as soon as there is one.
import { expect, test } from 'vitest';
import { eachAtOnce } from '../../processes/at-once.ts';

const HALF_AN_HOUR = 1 / 1_800;

test('no more begin in a second than are asked for', async () => {
  const begun: number[] = [];
  const act = async () => begun.push(performance.now());
  for await (const { outcome } of eachAtOnce([1, 2, 3, 4, 5, 6], act, { perSecond: 20 }))
    expect(outcome.done).toBe(true);
  const [first = 0] = begun;
  // Two go at once, and a timer may be a millisecond early.
  expect((begun.at(-1) ?? 0) - first).toBeGreaterThan(4 * 49);
});

test('an outcome comes at once, also where the next turn is far away', async () => {
  const begun: number[] = [];
  const act = async (item: number) => begun.push(item);
  const stopping = new AbortController();
  const outcomes = eachAtOnce([1, 2, 3], act, { perSecond: HALF_AN_HOUR, interrupted: stopping.signal });
  expect((await outcomes.next()).value).toMatchObject({ item: 1, outcome: { done: true } });
  expect((await outcomes.next()).value).toMatchObject({ item: 2 });
  const last = outcomes.next();
  stopping.abort();
  expect((await last).done).toBe(true);
  expect(begun).toEqual([1, 2]);
});

test('no more than so many are under way, and one that fails does not stop the others', async () => {
  let underWay = 0;
  let most = 0;
  const act = async (item: number) => {
    underWay += 1;
    most = Math.max(most, underWay);
    await new Promise((resolve) => setImmediate(resolve));
    underWay -= 1;
    if (item === 2) throw new Error('two');
  };
  const outcomes = new Map<number, boolean>();
  for await (const { item, outcome } of eachAtOnce([1, 2, 3, 4, 5], act, { atOnce: 2 }))
    outcomes.set(item, outcome.done);
  expect([most, [...outcomes].sort()]).toEqual([
    2,
    [
      [1, true],
      [2, false],
      [3, true],
      [4, true],
      [5, true],
    ],
  ]);
});

test('what goes wrong with the list of items itself is thrown', async () => {
  const items = async function* () {
    yield 1;
    throw new Error('the search failed');
  };
  const all = async () => {
    for await (const { item } of eachAtOnce(items(), async () => null)) expect(item).toBe(1);
  };
  await expect(all()).rejects.toThrow('the search failed');
});
