// `npm start`, less its set-up: brings up the real parts, says where they are, and stops them on Ctrl-C. In the smoke test
// it gets the bundle that other tests have, and a worker is killed in the second start of the first test; in the long suite
// it builds its own, and each part that is killed has a start of its own.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { LockerFlows } from '../../client/locker-flows.ts';
import { examples } from '../../contract/operations/examples.ts';
import { isListening } from '../../local/ports.ts';
import { PORTS, start } from '../scripts/npm-start.ts';
import { productionBundle } from '../support/bundles.ts';
import { callerAs } from '../support/caller.ts';
import { freePorts, isAlive, processesUnder } from '../support/processes/local-program.ts';
import { writtenByService } from '../support/service-command.ts';
import { temporaryFolder } from '../support/set-up-process.ts';
import { connectClient } from '../support/temporal.ts';

async function stillListening(ports: Readonly<Record<string, string>>): Promise<string[]> {
  const named = await Promise.all(
    Object.entries(ports).map(async ([name, port]) => ((await isListening(Number(port))) ? [name] : [])),
  );
  return named.flat();
}

/** What the console tells of the person who opens the printed link; another one cannot use it again. */
async function signedInBy(said: string): Promise<unknown> {
  const [, address = '', secret = ''] = /(http:\S+)\/#sign-in=(\S+)/.exec(said) ?? [];
  const signIn = () =>
    fetch(`${address}/api/sign-in/link`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: address },
      body: JSON.stringify({ secret }),
    });
  const answer = await signIn();
  expect((await signIn()).status).toBe(401);
  const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? '';
  return (await fetch(`${address}/api/me`, { headers: { cookie } })).json();
}

// A start of everything, on two cores that other tests keep busy.
const PATIENCE_MS = 300_000;
const BOTH_STARTS_MS = 2.5 * PATIENCE_MS;

test(
  'everything comes up, the demo ends Done, and an impatient Ctrl-C stops all of it; its data and open flows survive',
  async () => {
    const settings = { LOCKERFLOW_HOME: await temporaryFolder() };
    const ports = await freePorts(PORTS);
    const first = await start({ ...ports, ...settings });
    await vi.waitUntil(() => /everything is up|^lockerflow: /m.test(first.said()), { timeout: PATIENCE_MS });
    expect(first.said()).toContain(
      'demo: Done: issue Completed, intake Completed, circularStock ReadyForPickup',
    );
    expect(first.said()).toContain(
      `client demo, secret demo-secret, token http://127.0.0.1:${ports.SERVICE_PORT}/connect/token`,
    );
    const ui = `http://127.0.0.1:${ports.TEMPORAL_UI_PORT}`;
    expect(first.said()).toContain(`127.0.0.1:${ports.TEMPORAL_PORT}, Web UI ${ui}`);
    expect((await fetch(ui)).status).toBe(200);
    expect(await signedInBy(first.said())).toMatchObject({
      user: { roles: ['look', 'decide', 'administer'] },
    });
    const shipmentUid = await startIssue(ports.TEMPORAL_PORT);
    // What a part warns of is told here too, and not only in its log.
    await expect(startRefused(ports.TEMPORAL_PORT)).rejects.toThrow('InvalidPupUid');
    await vi.waitUntil(
      () => /^warn +Worker: .*\(a flow that is refused\): .*InvalidPupUid/m.test(first.said()),
      { timeout: PATIENCE_MS },
    );
    await first.signal('SIGINT');
    await first.signal('SIGINT');
    expect(await first.exitCode).toBe(0);
    expect(await stillListening(ports)).toEqual([]);

    const second = await start({ ...ports, ...settings }, '--no-demo');
    await vi.waitUntil(() => /everything is up|^lockerflow: /m.test(second.said()), { timeout: PATIENCE_MS });
    const process = /workflows\/(demo-[0-9a-f]{8})/.exec(first.said())?.[1];
    const listed = await fetch(`${ui}/api/v1/namespaces/default/workflows/${process}`);
    expect(await listed.json()).toMatchObject({
      workflowExecutionInfo: { status: 'WORKFLOW_EXECUTION_STATUS_COMPLETED' },
    });
    await isStartedAgain(second, 'Worker', /worker\/main\.ts/);
    // What was open goes on: its callbacks find it, and a worker takes them.
    const call = await callerAs(`http://127.0.0.1:${ports.SERVICE_PORT}`);
    for (const unlockGoal of ['DropOff', 'PickUp'])
      expect((await call('UnlockShipmentLocker', { shipmentUid, unlockGoal })).body.success).toBe(true);
    await withFlows(ports.TEMPORAL_PORT, async (flows) =>
      expect(await flows.handle(KEY).result()).toMatchObject({ outcome: 'Done' }),
    );
    // What `npm start` tells is enough to run the service's own commands.
    const DATABASE_URL = (await readFile(join(settings.LOCKERFLOW_HOME, 'postgres', 'url'), 'utf8')).trim();
    expect(await writtenByService(['tenant', 'list'], { DATABASE_URL })).toContain('demo');
    // As when its terminal is closed: nobody reads any more what it says.
    second.stdout?.destroy();
    second.stderr?.destroy();
    await second.signal('SIGHUP');
    expect(await second.exitCode).toBe(0);
    expect(await stillListening(ports)).toEqual([]);
    expect(second.said()).not.toContain('demo:');
  },
  BOTH_STARTS_MS,
);

test(
  'with --service-only only the service, its database and its walls start, and accept the printed credentials',
  async () => {
    const ports = await freePorts(PORTS);
    const { signal, exitCode, said } = await start(ports, '--service-only');
    await vi.waitUntil(() => /the service is up|^lockerflow: /m.test(said()), { timeout: PATIENCE_MS });
    const [, client_id = '', client_secret = '', token = ''] =
      /client (\S+), secret (\S+), token (\S+)/.exec(said()) ?? [];
    const body = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret });
    expect(await (await fetch(token, { method: 'POST', body })).json()).toMatchObject({
      access_token: expect.any(String),
    });
    expect(await stillListening(ports)).toEqual(['POSTGRES_PORT', 'SERVICE_PORT', 'WALL_PORT']);
    await signal('SIGINT');
    expect(await exitCode).toBe(0);
    expect(await stillListening(ports)).toEqual([]);
  },
  BOTH_STARTS_MS,
);

test('a service that is killed is started again; with its client retired, a person is told what to do, and can do it', {
  tags: 'long',
  timeout: BOTH_STARTS_MS,
}, async () => {
  const home = await temporaryFolder();
  const ports = await freePorts(PORTS);
  const first = await start({ ...ports, LOCKERFLOW_HOME: home }, '--service-only');
  await vi.waitUntil(() => /the service is up|^lockerflow: /m.test(first.said()), { timeout: PATIENCE_MS });
  const programs = await processesUnder(await first.processId);
  process.kill(programs.find(({ args }) => args.includes('service/main.ts'))?.pid ?? 0, 'SIGKILL');
  await vi.waitUntil(() => first.said().includes('Service: is up again'), { timeout: PATIENCE_MS });
  expect(first.said()).toMatch(/^error Service: has ended: .*; it is started again in 1 s$/m);
  expect((await fetch(`http://127.0.0.1:${ports.SERVICE_PORT}/health/ready`)).status).toBe(200);
  const DATABASE_URL_FILE = join(home, 'postgres', 'url');
  const administer = async (...words: string[]) =>
    await writtenByService(words, { DATABASE_URL: (await readFile(DATABASE_URL_FILE, 'utf8')).trim() });
  await administer('client', 'rotate', 'demo');
  await administer('client', 'retire', 'demo', '--yes');
  await first.signal('SIGINT');
  expect(await first.exitCode).toBe(0);

  // As from the shell in which that was done.
  const second = await start({ ...ports, LOCKERFLOW_HOME: home, DATABASE_URL_FILE }, '--no-demo');
  await vi.waitUntil(() => /stay up for that|^lockerflow: /m.test(second.said()), { timeout: PATIENCE_MS });
  expect(second.said()).toContain('DATABASE_URL_FILE names the Postgres of this installation');
  expect(second.said()).toMatch(
    /^error lockerflow: the service does not take the API client demo .*npm run -s service -- client rotate demo/m,
  );
  expect(second.said()).toContain('Postgres, Service, Wall, Temporal stay up for that');
  expect(await administer('client', 'rotate', 'demo')).toContain('demo');
  await second.signal('SIGINT');
  expect(await second.exitCode).toBe(0);
  expect(await stillListening(ports)).toEqual([]);
});

const KEY = 'a flow that outlives a stop';

async function withFlows<Result>(
  temporalPort: string,
  work: (flows: LockerFlows) => Promise<Result>,
): Promise<Result> {
  const { client, close } = await connectClient(`127.0.0.1:${temporalPort}`);
  return await work(new LockerFlows(client)).finally(close);
}

/** Gives its shipment, once it is booked. */
const startIssue = (temporalPort: string): Promise<string> =>
  withFlows(temporalPort, async (flows) => {
    const request = { ...examples.CreateLocalShipmentAsIssue.request, allowLargerLockers: true };
    const flow = await flows.start('Issue', KEY, { request });
    const uid = async () => (await flow.progress()).shipments.issue?.shipmentUid;
    return vi.waitUntil(uid, { timeout: PATIENCE_MS });
  });

const startRefused = (temporalPort: string) =>
  withFlows(temporalPort, async (flows) => {
    const request = { ...examples.CreateLocalShipmentAsIssue.request, pupUid: 'pup-nowhere' };
    return (await flows.start('Issue', 'a flow that is refused', { request })).result();
  });

type Started = Awaited<ReturnType<typeof start>>;

/** Kills it, and gives the processes of before and after. */
async function isStartedAgain({ processId, said }: Started, name: string, program: RegExp) {
  const before = await processesUnder(await processId);
  process.kill(before.find(({ args }) => program.test(args))?.pid ?? 0, 'SIGKILL');
  await vi.waitUntil(() => said().includes(`${name}: is up again`), { timeout: PATIENCE_MS });
  expect(said()).toMatch(new RegExp(`^error ${name}: has ended: .*; it is started again in 1 s$`, 'm'));
  const again = await processesUnder(await processId);
  expect(again.some(({ args }) => program.test(args))).toBe(true);
  return [...before, ...again];
}

// One of our own and one that is not; how each of them is watched is the same.
test.each([
  ['Worker', /worker\/main\.ts/],
  ['Temporal', /server start-dev/],
] as const)(
  'when %s is killed, it is named and started again, and a Ctrl-C stops all',
  { tags: 'long', timeout: BOTH_STARTS_MS },
  async (name, program) => {
    const ports = await freePorts(PORTS);
    const bundled = { WORKER_WORKFLOW_BUNDLE: await productionBundle() };
    const started = await start({ ...ports, ...bundled }, '--no-demo');
    const { signal, exitCode, said } = started;
    await vi.waitUntil(() => /Worker: |^lockerflow: /m.test(said()), { timeout: PATIENCE_MS });
    const all = await isStartedAgain(started, name, program);
    await signal('SIGINT');
    expect(await exitCode).toBe(0);
    expect(await stillListening(ports)).toEqual([]);
    // The guards of its programs end right after them.
    await expect.poll(() => all.filter(({ pid }) => isAlive(pid)), { timeout: 10_000 }).toEqual([]);
  },
);
