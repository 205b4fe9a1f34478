// `npm run morning`: an installation of its own, as `npm start` brings one up, with a morning at its desk: some 85 cases, two walls,
// and what may go wrong with both. For whoever tries the console as a desk operator would. It stays up until Ctrl-C.
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connectTemporal } from '../client/connect.ts';
import { LockerFlows } from '../client/locker-flows.ts';
import { type LockerSettings, lockerSettings } from '../local/api-settings.ts';
import { say } from '../local/components/component.ts';
import { consoleComponent, serviceComponents, temporalComponent } from '../local/components/installation.ts';
import { EXAMPLES, keyOfCallbacks, orchestratorComponents } from '../local/components/orchestrator.ts';
import { runComponents } from '../local/components/run-components.ts';
import { urlFile } from '../local/database-url.ts';
import { LOOPBACK } from '../local/ports.ts';
import { aloneIn } from '../local/run-installation.ts';
import { removeInstallationFile, writeInstallationFile } from '../local/running-installation.ts';
import { type LocalSettings, readLocalSettings } from '../local/settings.ts';
import { ensureLockers } from '../service/administration/lockers.ts';
import { ensurePickUpPoint } from '../service/administration/pick-up-points.ts';
import { tenantIdOf } from '../service/administration/tenants.ts';
import { openDatabase } from '../service/storage/database.ts';
import { inTransaction } from '../service/storage/transaction.ts';
import { shutdownSignal } from '../shared/terminal/shutdown-signal.ts';
import { processTerminal } from '../shared/terminal/terminal.ts';
import { AtTheWalls } from './morning/at-the-walls.ts';
import { ConsoleUser, linkFor } from './morning/console-user.ts';
import { type LossyWay, lossyWay } from './morning/lossy-way.ts';
import { makeMorning } from './morning/make-morning.ts';
import { outside } from './morning/outside.ts';

const SUMMARY = [
  'Central (24 lockers): a stuck door, a door that stands open, an item left behind. Station (12): full, and unplugged. Harbour (20): free',
  'twelve starts failed, two bookings are in doubt, a flow file has halted, a recall runs, and two parcels have no process',
  'Message… and Send a mechanic… go to a receiver of this program, which says here what it gets',
  'noor had the night: she cancelled three, extended one, judged one, and left two notes',
];

const asked = new AbortController();
void shutdownSignal('SIGHUP').then(() => asked.abort());

try {
  const settings = readLocalSettings({
    ...process.env,
    LOCKERFLOW_HOME: process.env.LOCKERFLOW_HOME ?? join(import.meta.dirname, '../.lockerflow/morning'),
  });
  const locker = lockerSettings(settings);
  if (!locker.isOurs || settings.databaseUrl !== undefined)
    throw new Error(
      'The morning is made on an installation of its own: unset LOCKER_API_URL and DATABASE_URL',
    );
  await aloneIn(settings.home, () => runMorning(settings, locker));
  process.exit(0);
} catch (error) {
  processTerminal('morning').complain(error instanceof Error ? error.message : String(error));
  process.exit(1);
}

async function runMorning(settings: LocalSettings, locker: LockerSettings): Promise<void> {
  await using beyond = await outside(settings.home);
  // Console and worker have the variables of this process.
  Object.assign(process.env, beyond.env);
  await using way = await lossyWay(`${locker.env.LOCKER_API_URL}`);
  const webConsole = consoleComponent(settings, locker);
  const components = [
    ...serviceComponents(settings),
    temporalComponent(settings),
    ...orchestratorComponents(settings, workersOf(locker, way), {
      key: await keyOfCallbacks(settings),
      flowFolder: EXAMPLES,
    }),
    webConsole.component,
  ];
  try {
    await runComponents(components, {
      asked: asked.signal,
      say,
      onceUp: async () => {
        await writeInstallationFile(settings, locker);
        await madeOnce(settings, locker, way);
        for (const line of SUMMARY) say('morning', line);
        for (const name of ['mila', 'noor'])
          say('morning', `${name} signs in, once: ${linkFor(settings.home, name)}`);
        say(
          'morning',
          `another link: npx lockerflow console-link --home ${settings.home} --name mila --roles look,decide`,
        );
      },
    });
  } finally {
    await removeInstallationFile(settings);
  }
}

/** They call the service by the way on which answers are lost, and do not repeat a booking by its key. */
function workersOf(locker: LockerSettings, way: LossyWay): LockerSettings {
  const LOCKER_CAPABILITIES = 'getShipments,accessCodes,accessMessages';
  return { ...locker, env: { ...locker.env, LOCKER_API_URL: way.address, LOCKER_CAPABILITIES } };
}

/** What an earlier run has made stays as it is. */
async function madeOnce(settings: LocalSettings, locker: LockerSettings, way: LossyWay): Promise<void> {
  const mark = join(settings.home, 'morning');
  if (existsSync(mark)) return say('morning', `${settings.home} has its morning; remove it for another one`);
  say('morning', 'makes the cases, which takes a minute or two');
  await addHarbour(settings.home);
  process.env.TEMPORAL_ADDRESS = `${LOOPBACK}:${settings.temporalPort}`;
  const { client, close } = await connectTemporal();
  await using api = locker.api();
  try {
    await makeMorning({
      api,
      way,
      flows: new LockerFlows(client),
      walls: new AtTheWalls(api, `http://${LOOPBACK}:${settings.wallPort}`, ['pup-central', 'pup-station']),
      noor: await ConsoleUser.signedIn(settings.home, 'noor'),
      offer: (switches) => switchService(`${locker.env.LOCKER_API_URL}`, switches),
    });
  } finally {
    await close();
  }
  await writeFile(mark, '');
}

/** A third pick up point, with room for what does not fit elsewhere; its doors are in the service itself. */
async function addHarbour(home: string): Promise<void> {
  const url = (await readFile(urlFile(home), 'utf8')).trim();
  const database = openDatabase({ url, connections: 1, onBrokenConnection: () => undefined });
  const lockers = Array.from({ length: 20 }, (_, index) => ({
    lockerUid: `pup-harbour-${index + 1}`,
    lockerName: String(index + 1),
  }));
  try {
    await inTransaction(database, async (transaction) => {
      const tenantId = await tenantIdOf(transaction, 'demo');
      await ensurePickUpPoint(transaction, tenantId, {
        pupUid: 'pup-harbour',
        name: 'Harbour',
        city: 'Utrecht',
        countryCode: 'NL',
        timeZone: 'Europe/Amsterdam',
      });
      const size = { size: 'M', width: 38, height: 25, length: 60 };
      await ensureLockers(transaction, tenantId, 'pup-harbour', [{ ...size, lockers }]);
    });
  } finally {
    await database.destroy();
  }
}

async function switchService(service: string, switches: object): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const grant = { grant_type: 'client_credentials', client_id: 'demo', client_secret: 'demo-secret' };
  const token = await fetch(`${service}/connect/token`, {
    method: 'POST',
    body: new URLSearchParams({ ...grant, scope: 'integration_api' }),
  });
  const { access_token } = (await token.json()) as { access_token: string };
  const answer = await fetch(`${service}/sandbox/switches`, {
    method: 'POST',
    headers: { ...headers, authorization: `Bearer ${access_token}` },
    body: JSON.stringify(switches),
  });
  if (!answer.ok) throw new Error(`the service did not take ${JSON.stringify(switches)}`);
}
