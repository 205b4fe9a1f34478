// A program as a child process: what it says is kept, and it is gone after a stop, willing or not. Real processes.
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { expect, test, vi } from 'vitest';
import { type ChildOptions, startChild, startNode, untilReady } from '../../local/child-process.ts';
import { isAlive } from '../support/processes/local-program.ts';

function program(script: string, options: ChildOptions = {}) {
  const log = new PassThrough();
  const firstLine = once(createInterface(log), 'line').then(([line]) => String(line));
  return { ...startChild(process.execPath, ['-e', script], { ...options, log }), firstLine };
}

const WAIT = 'setInterval(() => {}, 1000); console.log(process.pid);';

test('the last output of a program that ends by itself is reported', async () => {
  const { ended } = program('console.log("first"); console.error("no such file"); process.exit(3)');
  expect((await ended).split('\n').sort()).toEqual(['first', 'no such file']);
});

test('of a long output, the beginning and the end are reported', async () => {
  const { ended } = program(
    'console.log("the reason"); console.log("x".repeat(20_000)); console.log("the end")',
  );
  const said = await ended;
  expect(said).toMatch(/^the reason\n.*\n\[\.\.\.\]\n.*\nthe end$/s);
  expect(said.length).toBeLessThan(10_000);
});

test('a program that cannot be run is reported as ended', async () => {
  expect(await startChild('/no/such/program', []).ended).toContain('/no/such/program');
  const { ended, processId } = startChild('/no/such/program', [], { cwd: '/no/such/folder' });
  expect([await processId, await ended]).toEqual([Number.NaN, expect.stringContaining('ENOENT')]);
});

test('a program is asked with the signal that it wants', async () => {
  const { firstLine, stop, ended } = program(
    `process.on('SIGINT', () => { console.log('fast'); process.exit() }); ${WAIT}`,
    { stopSignal: 'INT' },
  );
  await firstLine;
  await stop();
  expect(await ended).toContain('fast');
});

test('the number of the program itself is told, not that of the shell', async () => {
  const { firstLine, stop, processId } = program(WAIT);
  expect(await processId).toBe(Number(await firstLine));
  await stop();
});

test('a program that does not want to stop is killed', async () => {
  const { firstLine, stop } = program(`process.on('SIGTERM', () => {}); ${WAIT}`, { stopWithinSeconds: 1 });
  const pid = Number(await firstLine);
  await stop();
  expect(isAlive(pid)).toBe(false);
});

test('a program does not outlive its supervisor', async () => {
  const { firstLine, ended } = program(
    `console.log(process.ppid, process.pid); setInterval(() => {}, 1000);`,
  );
  const [supervisor, pid] = String(await firstLine)
    .split(' ')
    .map(Number);
  process.kill(Number(supervisor), 'SIGKILL');
  await ended;
  // Its parent has gone: for a moment it may still be listed, dead, until the system takes it off.
  await vi.waitUntil(() => !isAlive(Number(pid)), { timeout: 60_000 });
});

test('a program ends when the process that started it is killed', async () => {
  const module = JSON.stringify(join(import.meta.dirname, '../../local/child-process.ts'));
  const owner = startNode([
    '--input-type=module',
    '-e',
    `const { startNode } = await import(${module});
     startNode(['-e', ${JSON.stringify(WAIT)}], { log: process.stdout });`,
  ]);
  const pid = Number(await owner.until(() => /^\d+(?=\n)/.exec(owner.out())?.[0]));
  expect(isAlive(pid)).toBe(true);
  process.kill(await owner.processId, 'SIGKILL');
  await vi.waitUntil(() => !isAlive(pid), { timeout: 60_000 });
});

test('a program that ends before it says what is waited for is reported with all that it said', async () => {
  const script = 'console.log("half"); console.error("no disk"); process.exitCode = 3';
  const child = startNode(['-e', script]);
  await expect(child.logged('started')).rejects.toThrow(/has ended: (half\nno disk|no disk\nhalf)$/);
  expect([await child.exitCode, child.out(), child.err()]).toEqual([3, 'half\n', 'no disk\n']);
});

test('a program that never says what is waited for is reported with what it said instead', async () => {
  await using child = startNode(['-e', `console.log('half'); setInterval(() => {}, 1000);`]);
  await child.says('half');
  await expect(child.until(() => child.out().includes('ready'), 50)).rejects.toThrow(
    /has not said what .*ready.* looks for within 0.05 s: half$/,
  );
});

test('the line of a log is found once it is whole, also one that came before', async () => {
  const half =
    'process.stdout.write(\'{"msg":"started",\'); process.stdin.on("data", (more) => console.log(String(more)))';
  await using child = startNode(['-e', half], { input: 'open' });
  const started = child.logged('started');
  await child.says('started');
  child.stdin?.write('"port":7}');
  expect(await started).toEqual({ msg: 'started', port: 7 });
  expect(await child.logged('started')).toEqual({ msg: 'started', port: 7 });
});

test('one that does not get ready in time is stopped, and says so', async () => {
  const child = startNode(['-e', WAIT]);
  expect(await untilReady(child, async () => false, 500)).toMatch(/^it was not ready after 0.5 s/);
  expect(child.hasEnded()).toBe(true);
});
