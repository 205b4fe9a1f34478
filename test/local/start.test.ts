// `npm start`, less its set-up: brings up the real parts, says where they are, and stops them on Ctrl-C.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { freePort, isListening } from '../../local/ports.ts';
import { temporaryFolder } from '../support/set-up-process.ts';

async function start(env: Readonly<Record<string, string>>, ...options: string[]) {
  const home = await temporaryFolder();
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../local/start.ts'), ...options], {
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

const PORTS = [
  'POSTGRES_PORT',
  'SERVICE_PORT',
  'TEMPORAL_PORT',
  'TEMPORAL_UI_PORT',
  'CALLBACK_PORT',
  'WORKER_PORT',
] as const;

async function freePorts(): Promise<Record<(typeof PORTS)[number], string>> {
  const ports = new Set<number>();
  while (ports.size < PORTS.length) ports.add(await freePort());
  const values = [...ports].map(String);
  return Object.fromEntries(PORTS.map((name, index) => [name, values[index]])) as never;
}

// A start of everything, on two cores that other tests keep busy.
const PATIENCE_MS = 240_000;
const BOTH_STARTS_MS = 2.5 * PATIENCE_MS;

test(
  'everything comes up, the demo ends Done, and an impatient Ctrl-C stops all of it; its data survives',
  async () => {
    const home = await temporaryFolder();
    const ports = await freePorts();
    const first = await start({ ...ports, LOCKERFLOW_HOME: home });
    await vi.waitUntil(() => /everything is up|lockerflow: /.test(first.said()), { timeout: PATIENCE_MS });
    expect(first.said()).toContain(
      'demo: Done: issue Completed, intake Completed, circularStock ReadyForPickup',
    );
    const ui = `http://127.0.0.1:${ports.TEMPORAL_UI_PORT}`;
    expect(first.said()).toContain(`127.0.0.1:${ports.TEMPORAL_PORT}, Web UI ${ui}`);
    expect((await fetch(ui)).status).toBe(200);
    first.child.kill('SIGINT');
    first.child.kill('SIGINT');
    expect(await first.exit).toBe(0);
    for (const port of Object.values(ports)) expect(await isListening(Number(port))).toBe(false);

    const second = await start({ ...ports, LOCKERFLOW_HOME: home }, '--no-demo');
    await vi.waitUntil(() => /Worker: |lockerflow: /.test(second.said()), { timeout: PATIENCE_MS });
    const process = /workflows\/(demo-[0-9a-f]{8})/.exec(first.said())?.[1];
    const listed = await fetch(`${ui}/api/v1/namespaces/default/workflows/${process}`);
    expect(await listed.json()).toMatchObject({
      workflowExecutionInfo: { status: 'WORKFLOW_EXECUTION_STATUS_COMPLETED' },
    });
    second.child.kill('SIGTERM');
    expect(await second.exit).toBe(0);
    expect(second.said()).not.toContain('demo:');
  },
  BOTH_STARTS_MS,
);

test('a port in use is told in one line', async () => {
  const port = await freePort();
  const other = createServer().listen(port, '127.0.0.1');
  onTestFinished(() => void other.close());
  await once(other, 'listening');
  const { exit, said } = await start({ ...(await freePorts()), TEMPORAL_PORT: `${port}` });
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
