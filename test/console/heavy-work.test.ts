// Work that takes seconds never holds up the thread that answers requests, and is bounded in time and number. Nobody who asks
// for much of it holds up another.
import { once } from 'node:events';
import { connect } from 'node:net';
import fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { addRoute, apiRoute, type RoutePlace } from '../../console/api/route.ts';
import { currentRequester, type Requester } from '../../console/heavy/fair-queue.ts';
import { HeavyWork, type Input, TooHeavy } from '../../console/heavy/heavy-work.ts';
import type { Arrow, DrawnState } from '../../engine/chart/drawing.ts';

const state = (path: readonly string[], children: readonly DrawnState[] = []): DrawnState => ({
  path,
  title: null,
  kind: 'atomic',
  initial: null,
  tags: [],
  children,
});

/** With thousands of arrows its layout takes minutes. */
function chart(states: number, arrows: number): Input<'draw'> {
  const paths = Array.from({ length: states }, (_, index) => [`s${index}`]);
  const arrow = (index: number): Arrow => ({
    from: paths[(index * 7) % states] as string[],
    // Each turn leads elsewhere: arrows between the same two states are one.
    to: paths[(index * 13 + 5 + 3 * Math.floor(index / states)) % states] as string[],
    label: `e${index}`,
    words: `e${index}`,
  });
  const root = state(
    [],
    paths.map((path) => state(path)),
  );
  return { root, arrows: Array.from({ length: arrows }, (_, index) => arrow(index)) };
}

test('a chart that takes too long to draw is given up, holds up nobody, and the next one is drawn', async () => {
  const work = new HeavyWork({ threads: 1, maxMs: 6_000 });
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
  const work = new HeavyWork({ threads: 1, maxWaiting: 2 });
  const asked = Array.from({ length: 4 }, () => work.do('draw', chart(2, 1)));
  const came = await Promise.allSettled(asked);
  expect(came.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected']);
  expect(came[3]).toMatchObject({ reason: { status: 429, error: 'TooManyRequests' } });
});

test('flow files are read and checked there as they are here, with their errors', async () => {
  const work = new HeavyWork({ threads: 1 });
  const texts = [{ path: 'a', text: 'name: A\nmeaning: One.\nstates: { on: {} }' }];
  const contents = await work.do('contents', texts);
  const { lines } = await work.do('check', { texts, contents, published: [], connectors: null });
  expect(lines.join()).toContain('a: ');
  expect(contents).toEqual([expect.objectContaining({ name: 'A' })]);
});

const asked = (caller: string, work: () => Promise<unknown>, isGone = () => false) =>
  currentRequester.run({ caller, isGone }, work);

test('callers take turns, and of one a few wait: more are refused', async () => {
  const work = new HeavyWork({ threads: 1 });
  const order: string[] = [];
  const draw = (caller: string) =>
    asked(caller, () => work.do('draw', chart(2, 1))).then(
      () => order.push(caller),
      ({ status, message }) => order.push(`${caller} ${status} ${message}`),
    );
  await Promise.all(['anna', 'anna', 'anna', 'anna', 'anna', 'anna', 'bram', 'anna', 'bram'].map(draw));
  const refused = 'anna 429 4 of your charts and files wait for their turn. Try again later.';
  expect(order).toEqual([refused, refused, 'anna', 'bram', 'anna', 'bram', 'anna', 'anna', 'anna']);
});

test('work of a request that is gone is not begun, and has no place', async () => {
  const work = new HeavyWork({ threads: 1, maxPerCaller: 1 });
  let isGone = false;
  const draw = () =>
    asked(
      'anna',
      () => work.do('draw', chart(2, 1)),
      () => isGone,
    );
  const runs = draw();
  const waits = draw();
  await expect(draw()).rejects.toMatchObject({ status: 429 });
  isGone = true;
  const other = asked('anna', () => work.do('draw', chart(3, 2)));
  await expect(waits).rejects.toMatchObject({ error: 'ClientClosedRequest' });
  expect(await Promise.all([runs, other])).toHaveLength(2);
});

test('while files are checked, a thread is left for drawings', { timeout: 60_000 }, async () => {
  const work = new HeavyWork({ threads: 2 });
  // Takes a hundred times as long as the drawing, on any machine.
  const text = `name: A\nmeaning: One.\n`.concat('# x\n- [a, b]\n'.repeat(4_000));
  const texts = Array.from({ length: 10 }, (_, index) => ({ path: `f${index}`, text }));
  const order: string[] = [];
  const reading = (caller: string) =>
    asked(caller, () => work.do('contents', texts)).then(() => order.push('files'));
  const readings = ['anna', 'bram'].map(reading);
  const drawing = asked('carl', () => work.do('draw', chart(2, 1))).then(() => order.push('chart'));
  await Promise.all([...readings, drawing]);
  expect(order).toEqual(['chart', 'files', 'files']);
});

test('what a request asks for is asked for by its caller, and is gone with its connection', async () => {
  const app = fastify();
  onTestFinished(() => app.close());
  app.decorateRequest('caller', { getter: () => ({ id: 'anna' }) as never });
  const came = Promise.withResolvers<Requester | undefined>();
  const place = { app } as unknown as RoutePlace;
  const words = { name: 'x', path: '/v1/x', right: 'read', tag: 'Flows', summary: 'x', answers: {} } as const;
  addRoute(
    place,
    apiRoute({
      ...words,
      method: 'GET',
      handle: async () => {
        came.resolve(currentRequester.getStore());
        return await new Promise(() => undefined);
      },
    }),
  );
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }));
  const socket = connect(Number(port), '127.0.0.1');
  await once(socket, 'connect');
  socket.write('GET /v1/x HTTP/1.1\r\nHost: x\r\n\r\n');
  const asker = await came.promise;
  expect([asker?.caller, asker?.isGone()]).toEqual(['anna', false]);
  socket.destroy();
  await expect.poll(() => asker?.isGone(), { timeout: 10_000 }).toBe(true);
});
