// All there is, each in a process of its own that can be killed: worker, service, receiver, Temporal, Postgres, and the
// ways between them. What the test itself asks, it asks by ways of its own, on which nothing befalls.
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import type { Kysely } from 'kysely';
import { freePort, LOOPBACK } from '../../scripts/ports.ts';
import { type Database, openDatabase } from '../../service/storage/database.ts';
import { productionBundle } from '../support/bundles.ts';
import { callerAs } from '../support/caller.ts';
import { type Killable, Part } from './part.ts';
import type { Plan } from './plan.ts';
import { type Installed, oneMachine, type PartName, starts, type WayName } from './processes.ts';
import { type Twice, twice } from './twice.ts';
import { Way } from './way.ts';

export interface World<Parts extends string = string, Ways extends string = string> extends AsyncDisposable {
  /** Has the data and the logs of all processes; whoever is done with them removes it. */
  readonly folder: string;
  readonly parts: Readonly<Record<Parts, Killable>>;
  readonly ways: Readonly<Record<Ways, Way>>;
  readonly twice: Twice;
  readonly serviceAddress: string;
  /** On which nothing befalls. */
  readonly database: Kysely<Database>;
  readonly client: Client;
}

export interface OneMachine extends World<PartName, WayName> {
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
  const ways = {
    workerToService: await Way.to(ports.service),
    serviceToReceiver: await Way.to(relay.port),
    workerToTemporal: await Way.to(ports.temporal),
    receiverToTemporal: await Way.to(ports.temporal),
    serviceToPostgres: await Way.to(ports.postgres),
  };
  started.defer(async () => void (await Promise.all(Object.values(ways).map((way) => way.close()))));
  const bundle = await productionBundle();
  const installed: Installed = { folder, ports, ways, bundle, callbackKey: CALLBACK_KEY, databaseUrl: '' };
  const part = (name: PartName) => new Part(starts[name](installed));
  const parts = {
    worker: part('worker'),
    service: part('service'),
    receiver: part('receiver'),
    temporal: part('temporal'),
    postgres: part('postgres'),
  };
  started.defer(async () => void (await Promise.all(oneMachine.parts.map((name) => parts[name].stop()))));
  await Promise.all([parts.postgres.up(), parts.temporal.up()]);
  await Promise.all([parts.service.up(), parts.receiver.up(), parts.worker.up()]);

  const url = installed.databaseUrl;
  const database = openDatabase({ url, connections: 20, onBrokenConnection: () => undefined });
  started.defer(() => database.destroy());
  const temporalAddress = `${LOOPBACK}:${ports.temporal}`;
  const connection = await Connection.connect({ address: temporalAddress });
  started.defer(() => connection.close());
  const serviceAddress = `http://${LOOPBACK}:${ports.service}`;
  // Every second plan without the extra fields: what they say must not be missed.
  await configureAddress(serviceAddress, ways.serviceToReceiver, seed % 2 === 0);
  const stack = started.move();
  return {
    folder,
    parts,
    ways,
    twice: relay,
    serviceAddress,
    temporalAddress,
    databaseUrl: url,
    database,
    client: new Client({ connection }),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

async function configureAddress(serviceAddress: string, { port }: Way, extraFields: boolean): Promise<void> {
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
