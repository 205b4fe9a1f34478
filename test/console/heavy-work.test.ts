// Work that takes seconds never holds up the thread that answers requests, and is bounded in time and number.
import { expect, test } from 'vitest';
import { HeavyWork, type Input, TooHeavy } from '../../console/heavy/heavy-work.ts';
import type { Arrow, DrawnState } from '../../driver/chart/drawing.ts';

const state = (path: readonly string[], children: readonly DrawnState[] = []): DrawnState => ({
  ...{ path, kind: 'atomic', initial: null, tags: [], children },
});

/** With thousands of arrows its layout takes minutes. */
function chart(states: number, arrows: number): Input<'draw'> {
  const paths = Array.from({ length: states }, (_, index) => [`s${index}`]);
  const arrow = (index: number): Arrow => ({
    from: paths[(index * 7) % states] as string[],
    // Each turn leads elsewhere: arrows between the same two states are one.
    to: paths[(index * 13 + 5 + 3 * Math.floor(index / states)) % states] as string[],
    words: `e${index}`,
  });
  const root = state(
    [],
    paths.map((path) => state(path)),
  );
  return {
    ...{ id: 'x', name: 'Chart', descriptions: new Map() },
    drawing: { root, arrows: Array.from({ length: arrows }, (_, index) => arrow(index)) },
  };
}

test('a chart that takes too long to draw is given up, holds up nobody, and the next one is drawn', async () => {
  const work = new HeavyWork({ threads: 1, mostMs: 6_000 });
  expect((await work.do('draw', chart(2, 1))).states).toHaveLength(3);
  let ticks = 0;
  const ticking = setInterval(() => ticks++, 10);
  await expect(work.do('draw', chart(200, 6_000))).rejects.toThrow(TooHeavy);
  clearInterval(ticking);
  // Drawn in this thread, it would have let none through.
  expect(ticks).toBeGreaterThan(10);
  expect((await work.do('draw', chart(3, 2))).states).toHaveLength(4);
});

test('more than so many that wait are refused', async () => {
  const work = new HeavyWork({ threads: 1, mostWaiting: 2 });
  const asked = Array.from({ length: 4 }, () => work.do('draw', chart(2, 1)));
  const came = await Promise.allSettled(asked);
  expect(came.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected']);
  expect(came[3]).toMatchObject({ reason: { status: 429, error: 'TooManyRequests' } });
});

test('flow files are read and checked there as they are here, with their errors', async () => {
  const work = new HeavyWork({ threads: 1 });
  const texts = [{ path: 'a', text: 'name: A\nmeaning: One.\nstates: { on: {} }' }];
  const contents = await work.do('contents', texts);
  const { lines } = await work.do('check', { texts, contents, published: { files: [] }, connectors: null });
  expect(lines.join()).toContain('a: ');
  expect(contents).toEqual([expect.objectContaining({ name: 'A' })]);
});
