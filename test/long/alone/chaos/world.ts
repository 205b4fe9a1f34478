// All there is, each in a process of its own that can be killed: worker, service, receiver, Temporal, Postgres, and the
// links between them. What the test itself asks, it asks by links of its own, on which nothing befalls.
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import type { Kysely } from 'kysely';
import { freePort, LOOPBACK } from '../../../../local/ports.ts';
import { type Database, openDatabase } from '../../../../service/storage/database.ts';
import { productionBundle } from '../../../support/bundles.ts';
import { callerAs } from '../../../support/caller.ts';
import { Link } from './link.ts';
import type { Plan } from './plan.ts';
import { type ComponentName, type Installed, type LinkName, oneMachine, starts } from './processes.ts';
import { type Killable, SupervisedProcess } from './supervised-process.ts';
import { type Twice, twice } from './twice.ts';

export interface World<Components extends string = string, Links extends string = string>
  extends AsyncDisposable {
  /** Has the data and the logs of all processes; whoever is done with them removes it. */
  readonly folder: string;
  readonly components: Readonly<Record<Components, Killable>>;
  readonly links: Readonly<Record<Links, Link>>;
  readonly twice: Twice;
  readonly serviceAddress: string;
  /** On which nothing befalls. */
  readonly database: Kysely<Database>;
  readonly client: Client;
}

export interface OneMachine extends World<ComponentName, LinkName> {
  readonly temporalAddress: string;
  /** On which nothing befalls. */
  readonly databaseUrl: string;
}

const CALLBACK_KEY = 'whsec_dGhlIGtleSBvZiBhbGwgdGhhdCB0aGVyZSBpcyEhIQ==';

export async function startWorld({ repeats, seed }: Pick<Plan, 'repeats' | 'seed'>): Promise<OneMachine> {
  await using started = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'lockerflow-chaos-'));
  const ports = {
    postgres: await freePort(),
    temporal: await freePort(),
    service: await freePort(),
    receiver: await freePort(),
  };
  const relay = await twice(ports.receiver, repeats);
  started.defer(() => relay.close());
  const links = {
    workerToService: await Link.to(ports.service),
    serviceToReceiver: await Link.to(relay.port),
    workerToTemporal: await Link.to(ports.temporal),
    receiverToTemporal: await Link.to(ports.temporal),
    serviceToPostgres: await Link.to(ports.postgres),
  };
  started.defer(async () => void (await Promise.all(Object.values(links).map((link) => link.close()))));
  const bundle = await productionBundle();
  const installed: Installed = { folder, ports, links, bundle, callbackKey: CALLBACK_KEY, databaseUrl: '' };
  const component = (name: ComponentName) => new SupervisedProcess(starts[name](installed));
  const components = {
    worker: component('worker'),
    service: component('service'),
    receiver: component('receiver'),
    temporal: component('temporal'),
    postgres: component('postgres'),
  };
  started.defer(
    async () => void (await Promise.all(oneMachine.components.map((name) => components[name].stop()))),
  );
  await Promise.all([components.postgres.up(), components.temporal.up()]);
  await Promise.all([components.service.up(), components.receiver.up(), components.worker.up()]);

  const url = installed.databaseUrl;
  const database = openDatabase({ url, connections: 20, onBrokenConnection: () => undefined });
  started.defer(() => database.destroy());
  const temporalAddress = `${LOOPBACK}:${ports.temporal}`;
  const connection = await Connection.connect({ address: temporalAddress });
  started.defer(() => connection.close());
  const serviceAddress = `http://${LOOPBACK}:${ports.service}`;
  // Every second plan without the extra fields: what they say must not be missed.
  await configureAddress(serviceAddress, links.serviceToReceiver, seed % 2 === 0);
  const stack = started.move();
  return {
    folder,
    components,
    links,
    twice: relay,
    serviceAddress,
    temporalAddress,
    databaseUrl: url,
    database,
    client: new Client({ connection }),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

async function configureAddress(serviceAddress: string, { port }: Link, extraFields: boolean): Promise<void> {
  const call = await callerAs(serviceAddress);
  const url = `http://${LOOPBACK}:${port}/callbacks`;
  const { body } = await call('ConfigureCallback', {
    url,
    authType: 'HMAC',
    authKey: CALLBACK_KEY,
    extraFields,
  });
  if (body.success !== true) throw new Error(`the address was not taken: ${JSON.stringify(body)}`);
}
