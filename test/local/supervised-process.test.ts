// A supervised program: its last words are told, and it is gone after a stop, willing or not. Real processes.
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { expect, test, vi } from 'vitest';
import { type SupervisedOptions, startSupervised } from '../../local/supervised-process.ts';
import { isAlive } from '../support/processes/local-program.ts';

function program(script: string, options: SupervisedOptions = {}) {
  const log = new PassThrough();
  const firstLine = once(createInterface(log), 'line').then(([line]) => String(line));
  return { ...startSupervised(process.execPath, ['-e', script], { ...options, log }), firstLine };
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
  expect(await startSupervised('/no/such/program', []).ended).toContain('/no/such/program');
  const { ended, processId } = startSupervised('/no/such/program', [], { cwd: '/no/such/folder' });
  expect([await processId, await ended]).toEqual([Number.NaN, expect.stringContaining('ENOENT')]);
});

test('a program is gone after its stop', async () => {
  const { firstLine, stop } = program(WAIT);
  const pid = Number(await firstLine);
  await stop();
  expect(isAlive(pid)).toBe(false);
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
