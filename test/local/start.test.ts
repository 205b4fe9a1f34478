// `npm start`, less its set-up: brings up the real parts, says where they are, and stops them on Ctrl-C.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { freePort, isListening } from '../../local/ports.ts';
import { temporaryFolder } from '../support/set-up-process.ts';

async function start(env: Readonly<Record<string, string>>) {
  const home = await temporaryFolder();
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../local/start.ts')], {
    env: { ...process.env, LOCKERFLOW_HOME: home, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
  const exit = once(child, 'close').then(([code]) => code);
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exit;
  });
  return { child, exit, said: () => said };
}

test('everything comes up, and an impatient Ctrl-C stops all of it cleanly', async () => {
  const [port, uiPort] = [await freePort(), await freePort()];
  const { child, exit, said } = await start({ TEMPORAL_PORT: `${port}`, TEMPORAL_UI_PORT: `${uiPort}` });
  await vi.waitUntil(() => said().includes('Temporal: '), { timeout: 20_000 });
  expect(said()).toContain(`127.0.0.1:${port}, Web UI http://127.0.0.1:${uiPort}`);
  expect((await fetch(`http://127.0.0.1:${uiPort}`)).status).toBe(200);
  child.kill('SIGINT');
  child.kill('SIGINT');
  expect(await exit).toBe(0);
  expect([await isListening(port), await isListening(uiPort)]).toEqual([false, false]);
});

test('a port in use is told in one line', async () => {
  const port = await freePort();
  const other = createServer().listen(port, '127.0.0.1');
  onTestFinished(() => void other.close());
  await once(other, 'listening');
  const { exit, said } = await start({ TEMPORAL_PORT: `${port}`, TEMPORAL_UI_PORT: `${await freePort()}` });
  expect(await exit).toBe(1);
  expect(said()).toBe(`lockerflow: port ${port} for Temporal is in use (set TEMPORAL_PORT to another)\n`);
});

test('every wrong setting is named at once', async () => {
  const { exit, said } = await start({ TEMPORAL_PORT: 'http', TEMPORAL_UI_PORT: '70000' });
  expect(await exit).toBe(1);
  expect(said()).toMatch(
    /^lockerflow: wrong settings: TEMPORAL_PORT is "http" .*; TEMPORAL_UI_PORT is "70000" .*\n$/,
  );
});
