// The engines that the benchmark compares do the same: each flow makes the same calls at the service, books once, ends with
// the same result, and survives a kill -9 of its worker. The short form plays one of them. The long form plays all: Restate
// and DBOS where the cache has them (`npm run bench -- engines` installs them), Temporal on Postgres where its programs are built.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cachedPrograms, missingPrograms } from '../../../../local/cluster/programs.ts';
import { startDbos } from '../../../../tools/bench/engines/dbos-engine.ts';
import { begun, type Engine, reported, requestOf } from '../../../../tools/bench/engines/engine.ts';
import { FLOW, reportsOf } from '../../../../tools/bench/engines/full-circle.ts';
import { type LockerService, startLockerService } from '../../../../tools/bench/engines/locker-service.ts';
import { areOthersInstalled, othersFolder } from '../../../../tools/bench/engines/others.ts';
import { startRestate } from '../../../../tools/bench/engines/restate-engine.ts';
import {
  bundleIn,
  type Kind,
  startDevelopmentServer,
  startProductionServer,
  startTemporalEngine,
} from '../../../../tools/bench/engines/temporal-engines.ts';
import { isLongSuite } from '../../../support/suite.ts';

const root = join(import.meta.dirname, '.../../..');
// Bundles, and the start of a server, on two cores that other tests keep busy.
const PATIENCE_MS = 600_000;

const stack = new AsyncDisposableStack();
let home: string;
let locker: LockerService;
const bundles = new Map<Kind, Promise<string>>();
/** Once, where a test needs it. */
function bundled(kind: Kind): Promise<string> {
  const bundle = bundles.get(kind) ?? bundleIn(home, kind, 'development');
  bundles.set(kind, bundle);
  return bundle;
}

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'lockerflow-test-'));
  stack.defer(() => rm(home, { recursive: true, force: true }));
  locker = stack.use(await startLockerService());
}, PATIENCE_MS);

afterAll(() => stack.disposeAsync(), PATIENCE_MS);

const IN_LONG_FORM = 'in the long suite only: npm run test:long';
const noOthers = async () => {
  if (!isLongSuite) return IN_LONG_FORM;
  return areOthersInstalled() ? '' : 'not in the cache yet: npm run bench -- engines';
};

async function onDevelopmentServer(kind: Kind, own: AsyncDisposableStack): Promise<Engine> {
  const server = own.use(await startDevelopmentServer(await mkdtemp(join(home, 'temporal-'))));
  return startTemporalEngine({ kind, server, bundle: await bundled(kind), lockerUrl: locker.url });
}

async function onProductionServer(kind: Kind, own: AsyncDisposableStack): Promise<Engine> {
  const folder = await mkdtemp(join(home, 'temporal-'));
  const server = own.use(await startProductionServer(folder, cachedPrograms()));
  return startTemporalEngine({ kind, server, bundle: await bundled(kind), lockerUrl: locker.url });
}

const engines = [
  {
    name: 'declared on Temporal',
    missing: async () => (isLongSuite ? '' : IN_LONG_FORM),
    start: (own: AsyncDisposableStack) => onDevelopmentServer('declared', own),
  },
  {
    name: 'by hand on Temporal',
    missing: async () => '',
    start: (own: AsyncDisposableStack) => onDevelopmentServer('by hand', own),
  },
  {
    name: 'declared on Temporal on Postgres',
    missing: async () => {
      if (!isLongSuite) return IN_LONG_FORM;
      return (await missingPrograms()).length > 0 ? 'not built yet: npm run cluster -- --only-build' : '';
    },
    start: (own: AsyncDisposableStack) => onProductionServer('declared', own),
  },
  { name: 'by hand on Restate', missing: noOthers, start: () => startRestate(home, locker.url) },
  { name: 'by hand on DBOS', missing: noOthers, start: () => startDbos(home, locker.url) },
] as const;

test.for(engines)(
  '$name: a flow whose worker is killed books once, and ends as everywhere',
  { timeout: PATIENCE_MS },
  async ({ name, missing, start }, { skip }) => {
    const reason = await missing();
    if (reason !== '') return skip(`${name}: ${reason}`);
    await using own = new AsyncDisposableStack();
    const engine = own.use(await start(own));
    const flowId = `${name.replaceAll(' ', '-')}-1`;
    const [first, second, third, ...others] = reportsOf(requestOf(flowId).priorShipmentUid);
    if (!first || !second || !third) throw new TypeError('expected five reports');
    await begun(engine, flowId);
    await reported(engine, flowId, first);
    await reported(engine, flowId, second);
    // The engine has taken it, and the worker dies: perhaps before the flow has seen it, perhaps after.
    await engine.report(flowId, third);
    await engine.worker.kill();
    await engine.worker.start();
    for (const report of others) await reported(engine, flowId, report);
    expect(await engine.result(flowId)).toEqual(resultOf(flowId));
    expect(sorted(await locker.calls())).toEqual(sorted(callsOf(flowId)));
  },
);

function resultOf(flowId: string) {
  const { priorShipmentUid } = requestOf(flowId);
  const last = new Map(reportsOf(priorShipmentUid).map((report) => [report.shipmentUid, report]));
  const shipment = (shipmentUid: string) => {
    const { stateCode, stateStart } = last.get(shipmentUid) ?? {};
    return { shipmentUid, stateCode, stateStart, pupUid: 'pup-central', lockerName: '7' };
  };
  const shipments = {
    issue: shipment(priorShipmentUid),
    intake: shipment(`${priorShipmentUid}-intake`),
    circularStock: shipment(`${priorShipmentUid}-circular`),
  };
  expect(Object.values(shipments).map(({ stateCode }) => stateCode)).toEqual([
    'Completed',
    'Completed',
    'ReadyForPickup',
  ]);
  return { outcome: 'Done', shipments, overdue: [], itemsLeft: [], unassigned: [] };
}

function callsOf(flowId: string) {
  const request = requestOf(flowId);
  const { priorShipmentUid } = request;
  const own = { referenceCaseNo: flowId };
  const asked = [priorShipmentUid, `${priorShipmentUid}-intake`, `${priorShipmentUid}-circular`];
  return [
    {
      operation: `CreateLocalShipmentAs${FLOW}`,
      request: { ...request, issue: own, return: { ...own, referenceNo: `${flowId}/intake` } },
      hasKey: true,
    },
    ...asked.map((shipmentUid) => ({
      operation: 'GetShipments',
      request: { pageNo: 1, pageSize: 1, shipmentUid },
      hasKey: false,
    })),
  ];
}

/** The listings of a booking are asked at the same time. */
const sorted = (calls: readonly { readonly request: unknown }[]) =>
  calls.toSorted((one, two) => JSON.stringify(one.request).localeCompare(JSON.stringify(two.request)));

test(
  'the workers of Restate and DBOS fit the types of their packages',
  async ({ skip }) => {
    const reason = await noOthers();
    if (reason !== '') return skip(reason);
    const paths = Object.fromEntries(
      await Promise.all(['@restatedev/restate-sdk', '@dbos-inc/dbos-sdk'].map(typesOf)),
    );
    const project = join(home, 'tsconfig.json');
    const compilerOptions = { paths, typeRoots: [join(root, 'node_modules/@types')] };
    const files = ['restate', 'dbos'].map((each) =>
      join(root, `tools/bench/engines/others/${each}-worker.ts`),
    );
    const all = { extends: join(root, 'tsconfig.json'), compilerOptions, include: [], exclude: [], files };
    await writeFile(project, JSON.stringify(all));
    const tsc = promisify(execFile)(join(root, 'node_modules/.bin/tsc'), ['-p', project]);
    expect((await tsc.catch(({ stdout }: { stdout: string }) => ({ stdout }))).stdout).toBe('');
  },
  PATIENCE_MS,
);

/** The root's `tsc` leaves these workers out: it does not know where their packages are. */
async function typesOf(name: string): Promise<[string, string[]]> {
  const folder = join(othersFolder(), 'node_modules', name);
  const { exports } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  return [name, [join(folder, String(exports['.'].import).replace(/\.js$/, '.d.ts'))]];
}
