// Parts of a local installation: started in order, stopped in reverse, all of them, whatever happens to one. One that has ended
// by itself is started again, later each time, until it keeps dying.
import { expect, test, vi } from 'vitest';
import { type Component, NeedsPerson, type Say } from '../../../local/components/component.ts';
import { runComponents, type Step } from '../../../local/components/run-components.ts';
import type { Patience } from '../../../local/components/supervise.ts';

const soon = { timeout: 30_000 };
const quick: Patience = { firstMs: 1, lastMs: 4, jitter: 0, maxDeaths: 4, recoveredAfterMs: 60_000 };

/** Parts that write down what is done to them, and whose starts, deaths and stops the test sees and causes. */
function installation() {
  const log: string[] = [];
  const asked = new AbortController();
  const ask = () => asked.abort();
  /** @param starting may throw, by the number of the start */
  function part(name: string, starting: (start: number) => unknown = () => undefined) {
    const seen = { starts: 0, stops: 0, alive: 0 };
    let die: (words: string) => void = () => undefined;
    const component: Component = {
      name,
      ports: {},
      logFile: `/home/${name}.log`,
      async start() {
        seen.starts += 1;
        log.push(`start ${name}`);
        await starting(seen.starts);
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
          log.push(`stop ${name}`);
          end('stopped');
        };
        return { line: `line of ${name}`, ended, stop, kill: stop };
      },
    };
    return { component, seen, die: (words: string) => die(words) };
  }
  function run(components: readonly Step[], patience = quick) {
    const say: Say = (name, words, level = 'info') => void log.push(`${level} ${name}: ${words}`);
    const { promise: isUp, resolve } = Promise.withResolvers<void>();
    const onceUp = async () => resolve();
    const done = runComponents(components, { asked: asked.signal, say, onceUp, patience }).then(
      () => 'stopped',
      (error: Error) => error.message,
    );
    return { done, up: () => isUp };
  }
  return { log, ask, part, run };
}

const noDisk = () => Promise.reject(new Error('no disk'));

test('parts start in order, each with its line, and stop in reverse when asked', async () => {
  const { log, ask, part, run } = installation();
  expect(await run([part('a').component, part('b', ask).component]).done).toBe('stopped');
  expect(log).toEqual([
    'start a',
    'info a: line of a',
    'start b',
    'info b: line of b',
    'info lockerflow: stopping',
    'stop b',
    'stop a',
  ]);
});

test('a component that does not start stops those that have, and is named with its reason', async () => {
  const { log, part, run } = installation();
  const { done } = run([part('a').component, part('b', noDisk).component, part('c').component]);
  expect(await done).toBe('b does not start: no disk');
  expect(log).toEqual(['start a', 'info a: line of a', 'start b', 'info lockerflow: stopping', 'stop a']);
});

test('a component that fails to stop does not keep the others from being stopped', async () => {
  const { log, ask, part, run } = installation();
  const { component } = part('b', ask);
  const hangs = () => Promise.reject(new Error('it hangs'));
  const stubborn = {
    ...component,
    start: async (say: Parameters<Component['start']>[0]) => ({
      ...(await component.start(say)),
      stop: hangs,
    }),
  };
  expect(await run([part('a').component, stubborn]).done).toBe('b does not stop: it hangs');
  expect(log.at(-1)).toBe('stop a');
});

test('parts of one step start and stop at the same time, and one that fails lets the others be stopped', async () => {
  const { log, part, run } = installation();
  const both = Promise.withResolvers<void>();
  let started = 0;
  const waitsForTheOther = () => {
    started += 1;
    if (started === 2) both.resolve();
    return both.promise;
  };
  const step = [
    part('b1', waitsForTheOther).component,
    part('b2', waitsForTheOther).component,
    part('c', noDisk).component,
  ];
  expect(await run([part('a').component, step]).done).toBe('c does not start: no disk');
  expect(log.slice(2, 5)).toEqual(['start b1', 'start b2', 'start c']);
  const stops = log.filter((line) => line.startsWith('stop'));
  expect([stops.slice(0, 2).sort(), stops.slice(2)]).toEqual([['stop b1', 'stop b2'], ['stop a']]);
});

test('a component that dies is told and started again, and the others stay up', async () => {
  const { log, ask, part, run } = installation();
  const [a, b] = [part('a'), part('b')];
  const { done, up } = run([a.component, b.component]);
  await up();
  a.die('out of memory');
  await vi.waitUntil(() => a.seen.starts === 2 && log.some((line) => line.includes('up again')), soon);
  expect(log).toContain('error a: has ended: out of memory; it is started again in 0.001 s');
  expect(b.seen).toEqual({ starts: 1, stops: 0, alive: 1 });
  ask();
  expect(await done).toBe('stopped');
  expect([a.seen.alive, b.seen.alive]).toEqual([0, 0]);
});

test('a component that keeps dying stops all, and is named with its log file and its last words', async () => {
  const { log, part, run } = installation();
  const [a, b] = [part('a'), part('b', (start) => (start > 1 ? noDisk() : undefined))];
  const { done, up } = run([a.component, b.component]);
  await up();
  b.die('killed');
  expect(await done).toBe(
    'b has ended 4 times in a row, the last time with: no disk; its log is /home/b.log',
  );
  const waits = log.flatMap((line) => /again in ([\d.]+) s/.exec(line)?.[1] ?? []);
  expect(waits).toEqual(['0.001', '0.002', '0.004']);
  expect([a.seen.alive, b.seen.alive]).toEqual([0, 0]);
});

test('deaths long after each other do not add up', async () => {
  const { ask, part, run } = installation();
  const a = part('a');
  const { done, up } = run([a.component], { ...quick, recoveredAfterMs: 0 });
  await up();
  for (let death = 1; death <= 6; death++) {
    a.die('again');
    await vi.waitUntil(() => a.seen.starts === death + 1 && a.seen.alive === 1, soon);
  }
  ask();
  expect(await done).toBe('stopped');
});

test('a component that ends because all are to stop is not started again', async () => {
  const { ask, part, run } = installation();
  const [a, b] = [part('a'), part('b')];
  const { done, up } = run([a.component, b.component]);
  await up();
  ask();
  await done;
  expect([a.seen, b.seen]).toEqual([
    { starts: 1, stops: 1, alive: 0 },
    { starts: 1, stops: 1, alive: 0 },
  ]);
});

test('where a person must do something first, the components that he needs for it stay up', async () => {
  const { log, ask, part, run } = installation();
  const stuck = part('b', () => Promise.reject(new NeedsPerson('make another secret: npm run …')));
  const [a, c] = [part('a'), part('c')];
  const { done } = run([a.component, stuck.component, c.component]);
  await vi.waitUntil(() => log.some((line) => line.includes('stay up')), soon);
  expect(log).toContain('error lockerflow: make another secret: npm run …');
  expect([a.seen.alive, c.seen.starts]).toEqual([1, 0]);
  ask();
  expect(await done).toBe('stopped');
  expect(a.seen.alive).toBe(0);
});
