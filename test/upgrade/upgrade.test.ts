// An upgrade under load, and the way back: the cluster runs the last release while people and programs go on. Service,
// receivers and workers change one by one to the next release, which has a new definition of Issue, migrations and changed SQL
// functions; then back. The steps are those of docs/operate.md, "Upgrading with flows running". `npm run prove -- test/upgrade`.
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import type { Run } from '../../local/cluster/options.ts';
import { missingPrograms } from '../../local/cluster/programs.ts';
import { shape } from '../../local/cluster/shape.ts';
import { type ClusterWorld, startCluster } from '../chaos/cluster/world.ts';
import { wrongInLedgers } from '../chaos/ended-right.ts';
import { untilThere } from '../chaos/patience.ts';
import { type PlannedFlow, planOf } from '../chaos/plan.ts';
import { allThatIsWrong, playAll, untilOutboxIsEmpty } from '../chaos/play-plan.ts';
import { Progress } from '../chaos/progress.ts';
import { type Checkout, nextCheckout, releasedCheckout } from './checkouts.ts';
import { Probes } from './probes.ts';
import { Programs } from './programs.ts';

const run = promisify(execFile);
const TIMEOUT_MS = 3_600_000;
const SEED = 20261121;
/** Flows of people that are open at a time, and programs. */
const LANES = 3;
const PROGRAMS = 2;
/** Before the next instance changes: a flow that begins, an action, an end is a step. */
const STEPS_BETWEEN = 2;

const began = performance.now();
const say = (words: string) =>
  process.stdout.write(`upgrade: ${Math.round((performance.now() - began) / 1_000)} s: ${words}\n`);

const instances = (name: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${name} ${index + 1}`);
const services = instances('Service', shape.service);
const receivers = instances('Receiver', shape.receiver);
const workers = instances('Worker', shape.worker);

/** Stories of all flows, again and again. Of Issue there are the probes. */
function* storiesUntil(isOver: () => boolean): Generator<PlannedFlow> {
  for (let seed = SEED; ; seed += 1)
    for (const flow of planOf(seed, { flows: 40, kills: 0, faults: 0 }, { parts: [], ways: [] }).flows) {
      if (isOver()) return;
      if (flow.story.flow !== 'Issue') yield flow;
    }
}

function workerOf({ project, bundle, name }: Checkout, dark?: string): Run {
  const env = { WORKER_BUILD_ID: name, WORKER_WORKFLOW_BUNDLE: bundle };
  return { project, env: { ...env, ...(dark && { WORKER_DARK_DEFINITIONS: dark }) } };
}

const programOf = ({ project }: Checkout): Run => ({ project, env: { SERVICE_UNSEALED_KEYS: 'accept' } });

/** The commands of a checkout, as its operator types them. */
function operatorOf({ project }: Checkout, { temporalAddress, databaseUrl }: ClusterWorld) {
  const env = { PATH: process.env.PATH, TEMPORAL_ADDRESS: temporalAddress, DATABASE_URL: databaseUrl };
  const type = async (entry: string, words: readonly string[]) => {
    const { stdout } = await run(process.execPath, [join(project, entry), ...words], { env, cwd: project });
    return stdout.trim();
  };
  return {
    lockerflow: (...words: string[]) => type('client/command-line/main.ts', words),
    service: (...words: string[]) => type('service/main.ts', words),
  };
}

test('service, receivers and workers change one by one to the next release and back, while people and programs go on', {
  timeout: TIMEOUT_MS,
}, async ({ skip }) => {
  const missing = await missingPrograms();
  if (missing.length > 0)
    return skip(`${missing.join(', ')} are not built yet: npm run cluster -- --only-build`);
  const folder = await mkdtemp(join(tmpdir(), 'lockerflow-upgrade-'));
  say(`data, logs and checkouts are in ${folder}, and stay there if anything is wrong`);
  const former = await releasedCheckout(folder);
  const next = await nextCheckout(folder);
  say(`from ${former.name} to this checkout with ${next.definition}`);

  let current = former.name;
  const running: Record<string, Run> = {};
  for (const name of [...services, ...receivers]) running[name] = programOf(former);
  for (const name of workers) running[name] = workerOf(former);
  await using world = await startCluster(
    { repeats: [null, 3, null] },
    {
      ...{ folder, bundle: Promise.resolve(former.bundle), currentBuildId: () => current },
      runs: (name) => running[name] ?? programOf(former),
    },
  );
  say('all is up');
  const [formerOperator, operator] = [operatorOf(former, world), operatorOf(next, world)];

  let isOver = false;
  const progress = new Progress();
  const playing = playAll(world, { seed: SEED, flows: storiesUntil(() => isOver) }, progress, LANES);
  const programs = await Programs.at(world.serviceAddress);
  const calling = programs.run(world.database, PROGRAMS);
  const end = () => {
    isOver = true;
    programs.end();
  };
  onTestFinished(end);
  /** No further step is taken once something is wrong. */
  const goOn = async () => {
    if (programs.wrong.length > 0) throw new Error(programs.wrong.join('; '));
    if (await progress.reached(progress.steps + STEPS_BETWEEN)) return;
    const { wrong } = await playing;
    throw new Error(`the flows of people do not go on: ${wrong.join('; ')}`);
  };
  const change = async (names: readonly string[], to: Run) => {
    for (const name of names) {
      running[name] = to;
      progress.befall();
      await world.parts[name]?.replace();
      progress.befall();
      await goOn();
      say(`${name} runs from ${to.project.split('/').at(-1)} ${to.env.WORKER_DARK_DEFINITIONS ?? ''}`);
    }
  };
  const makeCurrent = async (checkout: Checkout) => {
    await operator.lockerflow('setup', '--current-build-id', checkout.name);
    current = checkout.name;
    await goOn();
  };
  /** The last one goes when the others have the work. */
  const changeWorkers = async (checkout: Checkout, to: Run) => {
    await change(workers.slice(0, -1), to);
    await makeCurrent(checkout);
    await change(workers.slice(-1), to);
  };

  const probes = await Probes.of(world, progress);
  await goOn();
  const begunBefore = await probes.begin('begun-before');
  const lyingBefore = await probes.begin('lying-before');
  await probes.dropOff(lyingBefore);
  const throughout = await probes.begin('throughout');
  for (const probe of [begunBefore, lyingBefore, throughout])
    expect(await probes.definition(probe)).toBe(next.former);

  say('the upgrade: replay, setup, migrate');
  await operator.lockerflow('replay', '--open');
  await operator.lockerflow('setup');
  expect(await operator.service('migrate')).toContain('-next-release.sql');
  await change(services, programOf(next));
  await change(receivers, programOf(next));
  await changeWorkers(next, workerOf(next, next.definition));
  const begunDark = await probes.begin('begun-dark');
  expect(await probes.definition(begunDark)).toBe(next.former);
  await change(workers, workerOf(next));

  const begunNew = await probes.begin('begun-new');
  const openNew = await probes.begin('open-new');
  for (const probe of [begunNew, openNew]) expect(await probes.definition(probe)).toBe(next.definition);
  await probes.dropOff(begunNew);
  expect(await probes.result(begunNew)).toMatchObject({
    ...{ outcome: 'Done', shipments: { issue: { stateCode: 'ReadyForPickup' } } },
  });
  // What began before goes on waiting for the pick-up.
  for (const probe of [begunBefore, throughout]) {
    await probes.dropOff(probe);
    expect(await probes.isOpenIn(probe, 'ReadyForPickup')).toBe(true);
  }
  for (const probe of [begunBefore, lyingBefore, begunDark]) {
    if (probe === begunDark) await probes.dropOff(probe);
    await probes.pickUp(probe);
    expect(await probes.result(probe)).toMatchObject({
      ...{ outcome: 'Done', shipments: { issue: { stateCode: 'Completed' } } },
    });
  }

  say('and back: dark first, then the services and the receivers');
  await change(workers, workerOf(next, next.definition));
  const darkAgain = await probes.begin('dark-again');
  expect(await probes.definition(darkAgain)).toBe(next.former);
  await change(services, programOf(former));
  await change(receivers, programOf(former));
  // The former workers lack the new definition: its processes end first.
  const ofNext = ['list', '--open', '--definition', next.definition, '--json'];
  await untilThere('the process on the new definition in the list', async () =>
    (await operator.lockerflow(...ofNext)).includes(openNew.key) ? true : undefined,
  );
  await probes.dropOff(openNew);
  expect(await probes.result(openNew)).toMatchObject({ outcome: 'Done' });
  await untilThere('an empty list of the new definition', async () =>
    (await operator.lockerflow(...ofNext)).includes('"key"') ? undefined : true,
  );
  // Afterwards no worker can replay them.
  const wrongOnNext = await wrongInLedgers(world, await probes.followed(next.definition));
  await changeWorkers(former, workerOf(former));

  const begunAfter = await probes.begin('begun-after');
  expect(await probes.definition(begunAfter)).toBe(next.former);
  for (const probe of [throughout, darkAgain, begunAfter]) {
    if (probe !== throughout) await probes.dropOff(probe);
    expect(await probes.isOpenIn(probe, 'ReadyForPickup')).toBe(true);
    await probes.pickUp(probe);
    expect(await probes.result(probe)).toMatchObject({ outcome: 'Done' });
  }
  for (const probe of [begunNew, openNew]) await probes.pickUp(probe);

  end();
  await calling;
  const { flows, wrong } = await playing;
  await untilOutboxIsEmpty(world);
  say(
    `${flows.length} flows of people ended; ${programs.requests} requests of programs, ${programs.booked.length} bookings; sent again: ${JSON.stringify(programs.again)}`,
  );
  expect([
    ...wrong,
    ...programs.wrong,
    ...(await bookedTwice(world, programs.booked)),
    ...wrongOnNext,
    ...(await allThatIsWrong(
      world,
      flows,
      await probes.followed(next.former),
      await probes.followed(next.definition),
    )),
  ]).toEqual([]);
  expect(await formerOperator.lockerflow('list', '--phase', 'NeedsPerson', '--json')).not.toContain(
    '"workflowId"',
  );
  await world[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

async function bookedTwice({ database }: ClusterWorld, caseNumbers: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ caseNumber: string; count: number }>`
    select reference_case_no as "caseNumber", count(*)::int as count from shipments
    where reference_case_no like 'program-%' group by 1
  `.execute(database);
  const counts = new Map(rows.map(({ caseNumber, count }) => [caseNumber, count]));
  const known = caseNumbers.filter((each) => counts.get(each) !== 1);
  return [
    ...known.map((each) => `${each} is there ${counts.get(each) ?? 0} times`),
    ...(counts.size === caseNumbers.length ? [] : [`${counts.size} booked, ${caseNumbers.length} answered`]),
  ];
}
