// Parts of a local installation: started in order, stopped in reverse, all of them, whatever happens to one.
import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { type Part, runParts, type Say } from '../../../scripts/parts/parts.ts';
import { freePort } from '../../../scripts/ports.ts';

/** Parts that write down what is done to them. */
function installation() {
  const log: string[] = [];
  const asked = new AbortController();
  const part = (name: string, more: Partial<Part> = {}): Part => ({
    name,
    ports: {},
    async start() {
      log.push(`start ${name}`);
      const { promise: ended } = Promise.withResolvers<string>();
      const stop = async () => void log.push(`stop ${name}`);
      return { line: `line of ${name}`, ended, stop, kill: stop };
    },
    ...more,
  });
  const say: Say = (name, words) => void log.push(`${name}: ${words}`);
  return { log, asked, part, run: (...parts: Part[]) => runParts(parts, { asked: asked.signal, say }) };
}

test('parts start in order, each with its line, and stop in reverse when asked', async () => {
  const { log, asked, part, run } = installation();
  const last = part('b', {
    start: async () => {
      asked.abort();
      return part('b').start(() => {});
    },
  });
  await run(part('a'), last);
  expect(log).toEqual([
    'start a',
    'a: line of a',
    'start b',
    'b: line of b',
    'lockerflow: stopping',
    'stop b',
    'stop a',
  ]);
});

test('a part that does not start stops those that have, and is named with its reason', async () => {
  const { log, part, run } = installation();
  const broken = part('b', { start: () => Promise.reject(new Error('no disk')) });
  await expect(run(part('a'), broken, part('c'))).rejects.toThrow('b does not start: no disk');
  expect(log).toEqual(['start a', 'a: line of a', 'lockerflow: stopping', 'stop a']);
});

test('a part that fails to stop does not keep the others from being stopped', async () => {
  const { log, asked, part, run } = installation();
  const stubborn = part('b', {
    start: async () => {
      asked.abort();
      return { ...(await part('b').start(() => {})), stop: () => Promise.reject(new Error('it hangs')) };
    },
  });
  await expect(run(part('a'), stubborn)).rejects.toThrow('b does not stop: it hangs');
  expect(log.at(-1)).toBe('stop a');
});

test('every port in use is named with the variable that sets it, before anything starts', async () => {
  const { log, part, run } = installation();
  const port = await freePort();
  const other = createServer().listen(port, '127.0.0.1');
  onTestFinished(() => void other.close());
  await once(other, 'listening');
  const taken = part('b', { ports: { SERVICE_PORT: port } });
  const line = `Port ${port} is in use: end the program that uses it, or set SERVICE_PORT to another`;
  await expect(run(part('a'), taken)).rejects.toThrow(line);
  expect(log).toEqual([]);
});

test('parts of one step start and stop at the same time, and one that fails lets the others be stopped', async () => {
  const { log, part } = installation();
  const say: Say = () => undefined;
  const both = Promise.withResolvers<void>();
  let started = 0;
  // Each waits for the other one.
  const waiting = (name: string) =>
    part(name, {
      start: async () => {
        started += 1;
        if (started === 2) both.resolve();
        await both.promise;
        return part(name).start(() => {});
      },
    });
  const broken = part('c', { start: () => Promise.reject(new Error('no disk')) });
  const asked = new AbortController().signal;
  await expect(runParts([part('a'), [waiting('b1'), waiting('b2'), broken]], { asked, say })).rejects.toThrow(
    'c does not start: no disk',
  );
  expect(log.slice(0, 3)).toEqual(['start a', 'start b1', 'start b2']);
  expect(log.slice(3, 5).sort()).toEqual(['stop b1', 'stop b2']);
  expect(log.at(5)).toBe('stop a');
});
