// Flows run on the cluster while each of its processes is killed, and the network between them fails. The promises are those of
// chaos on one machine. It needs a build of the cluster: Temporal's production server by its roles, two services and two
// receivers behind the balancer, three workers, on one Postgres.
import { createWriteStream } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { test } from 'vitest';
import { lockerSettings } from '../../../../../local/api-settings.ts';
import type { Say } from '../../../../../local/components/component.ts';
import { runComponents, type Step } from '../../../../../local/components/run-components.ts';
import type { Patience } from '../../../../../local/components/supervise.ts';
import { freePort, LOOPBACK } from '../../../../../local/ports.ts';
import { type LocalSettings, readLocalSettings } from '../../../../../local/settings.ts';
import { clusterOf } from '../../../../../scripts/cluster/cluster.ts';
import type { Between } from '../../../../../scripts/cluster/options.ts';
import { cachedPrograms, missingPrograms } from '../../../../../scripts/cluster/programs.ts';
import { shape, temporalRoles } from '../../../../../scripts/cluster/shape.ts';
import { openDatabase } from '../../../../../service/storage/database.ts';
import { productionBundle } from '../../../../support/bundles.ts';
import { Link } from '../link.ts';
import { chaosSeed, type Plan, planOf, type Targets } from '../plan.ts';
import { playPlan } from '../play-plan.ts';
import { type Twice, twice } from '../twice.ts';
import type { World } from '../world.ts';
import { Member } from './member.ts';

const numbered = (name: string, count: number): string[] =>
  count === 1 ? [name] : Array.from({ length: count }, (_, index) => `${name} ${index + 1}`);

/** The members by the names that the cluster gives them; of its links all. */
const clusterTargets: Targets = {
  components: [
    'Postgres',
    'Balancer',
    ...temporalRoles.flatMap((role) => numbered(`Temporal ${role}`, shape.temporal[role])),
    ...numbered('Service', shape.service),
    ...numbered('Receiver', shape.receiver),
    ...numbered('Worker', shape.worker),
  ],
  links: [
    'workers to services',
    'workers to Temporal',
    'receivers to Temporal',
    'services to Postgres',
    'services to receivers',
    'Temporal to Postgres',
    ...numbered('balancer to service', shape.service),
    ...numbered('balancer to receiver', shape.receiver),
  ],
};

/** As Docker's `restart: unless-stopped`: soon, later each time, and it never gives up. */
const unlessStopped: Patience = {
  firstMs: 100,
  lastMs: 2_000,
  jitter: 0,
  maxDeaths: Number.POSITIVE_INFINITY,
  recoveredAfterMs: 10_000,
};

const VARIABLES = {
  SERVICE_TOKEN_LIFETIME_SECONDS: '86400',
  SERVICE_CALLBACK_TIMEOUT_SECONDS: '4',
  LOCKER_TIMEOUT_SECONDS: '4',
  // Callbacks alone have to do it.
  LOCKER_RECONCILE_SECONDS: '0',
};

async function startCluster({ repeats }: Pick<Plan, 'repeats'>): Promise<World> {
  await using started = new AsyncDisposableStack();
  const settings = await freeSettings(await mkdtemp(join(tmpdir(), 'lockerflow-chaos-cluster-')));
  const { home, temporalPort, servicePort, callbackPort } = settings;
  const relay = await twice(callbackPort, repeats);
  started.defer(() => relay.close());
  const links = await linksThrough(relay);
  started.defer(async () => void (await Promise.all(Object.values(links.all).map((link) => link.close()))));
  Object.assign(process.env, VARIABLES);
  const { steps, databaseUrl } = await clusterOf({
    settings,
    locker: lockerSettings(settings),
    programs: cachedPrograms(),
    bundle: productionBundle(),
    flowFolder: '',
    between: links.between,
  });
  const members = membersOf(steps, (name) => worstMoment(name, relay));
  started.defer(await keptUp(members.steps, home));

  const database = openDatabase({ url: databaseUrl(), connections: 20, onBrokenConnection: () => undefined });
  started.defer(() => database.destroy());
  const connection = await Connection.connect({ address: `${LOOPBACK}:${temporalPort}` });
  started.defer(() => connection.close());
  const stack = started.move();
  return {
    folder: home,
    components: members.byName,
    links: links.all,
    twice: relay,
    database,
    serviceAddress: `http://${LOOPBACK}:${servicePort}`,
    client: new Client({ connection }),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

async function freeSettings(home: string): Promise<LocalSettings> {
  const named = readLocalSettings({});
  const ports: Record<string, number> = {};
  for (const name of Object.keys(named)) if (name.endsWith('Port')) ports[name] = await freePort();
  return { ...named, ...ports, home };
}

/** One link for each that the cluster asks for. Callbacks pass the relay, in which some come twice. */
async function linksThrough(relay: Twice) {
  const all: Record<string, Link> = {};
  const between: Between = async (name, port) => {
    const link = await Link.to(name === 'services to receivers' ? relay.port : port);
    all[name] = link;
    return link.port;
  };
  return { all, between };
}

// Towards the end of a plan there may be no further callback.
const WORST_WITHIN_MS = 5_000;

/** A receiver dies as it has acknowledged a callback: what it has not handed on by then is lost. */
async function worstMoment(name: string, relay: Twice): Promise<void> {
  if (!name.startsWith('Receiver')) return;
  await Promise.race([relay.nextAcknowledged(), delay(WORST_WITHIN_MS)]);
}

/** What is not a target stays away: people's pages have no part in what is promised here. */
function membersOf(steps: readonly Step[], worst: (name: string) => Promise<void>) {
  const byName: Record<string, Member> = {};
  const wanted = steps.map((step) =>
    ('start' in step ? [step] : step)
      .filter(({ name }) => clusterTargets.components.includes(name))
      .map((component) => {
        const member = new Member(component, () => worst(component.name));
        byName[component.name] = member;
        return member.component;
      }),
  );
  const missing = clusterTargets.components.filter((name) => !(name in byName));
  if (missing.length > 0) throw new TypeError(`the cluster has no ${missing.join(', ')}`);
  return { byName, steps: wanted };
}

/** Resolves when all are up, with what stops them. */
async function keptUp(steps: readonly Step[], home: string): Promise<() => Promise<void>> {
  const log = createWriteStream(join(home, 'cluster.log'));
  const say: Say = (component, words, level = 'info') =>
    void log.write(`${new Date().toISOString()} ${level} ${component}: ${words}\n`);
  const asked = new AbortController();
  const up = Promise.withResolvers<void>();
  const onceUp = async () => up.resolve();
  const running = runComponents(steps, { asked: asked.signal, say, onceUp, patience: unlessStopped });
  const ended = running.finally(() => log.end());
  await Promise.race([up.promise, ended]);
  return async () => {
    asked.abort();
    await ended;
  };
}

const { components, links } = clusterTargets;
/** So many of each component and each link. */
const EACH = 2;
const SIZE = {
  flows: 40,
  kills: EACH * components.length,
  faults: EACH * links.length,
};
/** Flows that are open at a time. */
const LANES = 8;
/** As of chaos on one machine, and each server of the cluster takes longer to come back. */
const TIMEOUT_MS = 7_200_000;

const seed = chaosSeed();

test(`${SIZE.flows} flows end right while each process of the cluster is killed ${EACH} times and the network fails ${SIZE.faults} times (seed ${seed})`, {
  timeout: TIMEOUT_MS,
}, async ({ skip }) => {
  const missing = await missingPrograms();
  if (missing.length > 0)
    return skip(`${missing.join(', ')} are not built yet: npm run cluster -- --only-build`);
  await playPlan(planOf(seed, SIZE, clusterTargets), LANES, startCluster);
});
