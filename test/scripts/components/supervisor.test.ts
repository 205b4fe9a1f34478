// A component that has ended by itself is started again, later each time, until it keeps dying.
import { expect, test, vi } from 'vitest';
import {
  type Component,
  NeedsPerson,
  type Patience,
  runComponents,
  type Say,
} from '../../../scripts/components/components.ts';

const soon = { timeout: 30_000 };
const quick: Patience = { firstMs: 1, lastMs: 4, jitter: 0, maxDeaths: 4, recoveredAfterMs: 60_000 };

/** A component whose starts, deaths and stops the test sees and causes. */
function mortal(name: string, { broken = () => false }: { broken?: (start: number) => boolean } = {}) {
  const seen = { starts: 0, stops: 0, alive: 0 };
  let die: (words: string) => void = () => undefined;
  const component: Component = {
    name,
    ports: {},
    logFile: `/home/${name}.log`,
    async start() {
      seen.starts += 1;
      if (broken(seen.starts)) throw new Error('the disk is full');
      const { promise: ended, resolve } = Promise.withResolvers<string>();
      seen.alive += 1;
      let isAlive = true;
      const end = (words: string) => {
        if (isAlive) seen.alive -= 1;
        isAlive = false;
        resolve(words);
      };
      die = end;
      const stop = async () => {
        seen.stops += 1;
        end('stopped');
      };
      return { line: 'a line', ended, stop, kill: stop };
    },
  };
  return { component, seen, die: (words: string) => die(words) };
}

function run(components: readonly Component[], patience = quick) {
  const said: string[] = [];
  const say: Say = (component, words, level = 'info') => void said.push(`${level} ${component}: ${words}`);
  const asked = new AbortController();
  const { promise: isUp, resolve } = Promise.withResolvers<void>();
  const onceUp = async () => resolve();
  const done = runComponents(components, { asked: asked.signal, say, onceUp, patience }).then(
    () => 'stopped',
    (error: Error) => error.message,
  );
  return { said, done, up: () => isUp, ask: () => asked.abort() };
}

test('a component that dies is told and started again, and the others stay up', async () => {
  const [a, b] = [mortal('a'), mortal('b')];
  const { said, done, up, ask } = run([a.component, b.component]);
  await up();
  a.die('out of memory');
  await vi.waitUntil(() => a.seen.starts === 2 && said.some((line) => line.includes('up again')), soon);
  expect(said).toContain('error a: has ended: out of memory; it is started again in 0.001 s');
  expect(b.seen).toEqual({ starts: 1, stops: 0, alive: 1 });
  ask();
  expect(await done).toBe('stopped');
  expect([a.seen.alive, b.seen.alive]).toEqual([0, 0]);
});

test('a component that keeps dying stops all, and is named with its log file and its last words', async () => {
  const [a, b] = [mortal('a'), mortal('b', { broken: (start) => start > 1 })];
  const { said, done, up } = run([a.component, b.component]);
  await up();
  b.die('killed');
  expect(await done).toBe(
    'b has ended 4 times in a row, the last time with: the disk is full; its log is /home/b.log',
  );
  const waits = said.flatMap((line) => /again in ([\d.]+) s/.exec(line)?.[1] ?? []);
  expect(waits).toEqual(['0.001', '0.002', '0.004']);
  expect([a.seen.alive, b.seen.alive]).toEqual([0, 0]);
});

test('deaths long after each other do not add up', async () => {
  const a = mortal('a');
  const { done, up, ask } = run([a.component], { ...quick, recoveredAfterMs: 0 });
  await up();
  for (let death = 1; death <= 6; death++) {
    a.die('again');
    await vi.waitUntil(() => a.seen.starts === death + 1 && a.seen.alive === 1, soon);
  }
  ask();
  expect(await done).toBe('stopped');
});

test('a component that ends because all are to stop is not started again', async () => {
  const [a, b] = [mortal('a'), mortal('b')];
  const { done, up, ask } = run([a.component, b.component]);
  await up();
  ask();
  await done;
  expect([a.seen, b.seen]).toEqual([
    { starts: 1, stops: 1, alive: 0 },
    { starts: 1, stops: 1, alive: 0 },
  ]);
});

test('where a person must do something first, the components that he needs for it stay up', async () => {
  const a = mortal('a');
  const stuck: Component = {
    ...mortal('b').component,
    start: () => Promise.reject(new NeedsPerson('make another secret: npm run …')),
  };
  const c = mortal('c');
  const { said, done, ask } = run([a.component, stuck, c.component]);
  await vi.waitUntil(() => said.some((line) => line.includes('stay up')), soon);
  expect(said).toContain('error lockerflow: make another secret: npm run …');
  expect([a.seen.alive, c.seen.starts]).toEqual([1, 0]);
  ask();
  expect(await done).toBe('stopped');
  expect(a.seen.alive).toBe(0);
});
