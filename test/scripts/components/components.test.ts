// Parts of a local installation: started in order, stopped in reverse, all of them, whatever happens to one.
import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { type Component, runComponents, type Say } from '../../../scripts/components/components.ts';
import { freePort } from '../../../scripts/ports.ts';

/** Parts that write down what is done to them. */
function installation() {
  const log: string[] = [];
  const asked = new AbortController();
  const component = (name: string, more: Partial<Component> = {}): Component => ({
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
  return {
    log,
    asked,
    component,
    run: (...components: Component[]) => runComponents(components, { asked: asked.signal, say }),
  };
}

test('parts start in order, each with its line, and stop in reverse when asked', async () => {
  const { log, asked, component, run } = installation();
  const last = component('b', {
    start: async () => {
      asked.abort();
      return component('b').start(() => {});
    },
  });
  await run(component('a'), last);
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

test('a component that does not start stops those that have, and is named with its reason', async () => {
  const { log, component, run } = installation();
  const broken = component('b', { start: () => Promise.reject(new Error('no disk')) });
  await expect(run(component('a'), broken, component('c'))).rejects.toThrow('b does not start: no disk');
  expect(log).toEqual(['start a', 'a: line of a', 'lockerflow: stopping', 'stop a']);
});

test('a component that fails to stop does not keep the others from being stopped', async () => {
  const { log, asked, component, run } = installation();
  const stubborn = component('b', {
    start: async () => {
      asked.abort();
      return { ...(await component('b').start(() => {})), stop: () => Promise.reject(new Error('it hangs')) };
    },
  });
  await expect(run(component('a'), stubborn)).rejects.toThrow('b does not stop: it hangs');
  expect(log.at(-1)).toBe('stop a');
});

test('every port in use is named with the variable that sets it, before anything starts', async () => {
  const { log, component, run } = installation();
  const port = await freePort();
  const other = createServer().listen(port, '127.0.0.1');
  onTestFinished(() => void other.close());
  await once(other, 'listening');
  const taken = component('b', { ports: { SERVICE_PORT: port } });
  const line = `Port ${port} is in use: end the program that uses it, or set SERVICE_PORT to another`;
  await expect(run(component('a'), taken)).rejects.toThrow(line);
  expect(log).toEqual([]);
});

test('parts of one step start and stop at the same time, and one that fails lets the others be stopped', async () => {
  const { log, component } = installation();
  const say: Say = () => undefined;
  const both = Promise.withResolvers<void>();
  let started = 0;
  // Each waits for the other one.
  const waiting = (name: string) =>
    component(name, {
      start: async () => {
        started += 1;
        if (started === 2) both.resolve();
        await both.promise;
        return component(name).start(() => {});
      },
    });
  const broken = component('c', { start: () => Promise.reject(new Error('no disk')) });
  const asked = new AbortController().signal;
  await expect(
    runComponents([component('a'), [waiting('b1'), waiting('b2'), broken]], { asked, say }),
  ).rejects.toThrow('c does not start: no disk');
  expect(log.slice(0, 3)).toEqual(['start a', 'start b1', 'start b2']);
  expect(log.slice(3, 5).sort()).toEqual(['stop b1', 'stop b2']);
  expect(log.at(5)).toBe('stop a');
});
