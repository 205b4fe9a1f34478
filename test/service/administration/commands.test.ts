// The command line for those who run the service, on a real database: what it makes is used over HTTP.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { callerAs, callerWith, type Reply } from '../../support/caller.ts';
import { withDatabase } from '../../support/database.ts';
import { createTestService, type TestService } from '../../support/service.ts';
import { writtenByService } from '../../support/service-command.ts';
import { eachSampled } from '../../support/suite.ts';
import { tokenRequest } from '../token/token-request.ts';

let service: TestService;
beforeAll(async () => {
  // As those who run it would: a production service, without the demo tenants' command line.
  service = await createTestService({ mode: 'production' });
  await succeeded('tenant', 'create', 'acme', '--name', 'Acme', '--email', 'dispatch@acme.example');
});
afterAll(() => service[Symbol.asyncDispose]());

const { SERVICE_ENCRYPTION_KEY } = process.env;
const run = (databaseUrl: string, words: readonly string[]) =>
  writtenByService(words, { DATABASE_URL: databaseUrl, SERVICE_ENCRYPTION_KEY });

const succeeded = (...words: string[]): Promise<string> => run(service.url, words);

async function json(...args: string[]): Promise<Record<string, unknown>> {
  return z.record(z.string(), z.unknown()).parse(JSON.parse(await succeeded('--json', ...args)));
}

async function refused(...words: string[]): Promise<string> {
  const outcome = await run(service.url, words).catch((error: unknown) => error);
  if (outcome instanceof Error) return outcome.message;
  throw new Error(`Expected ${words.join(' ')} to be refused, but it said ${String(outcome)}`);
}

const grant = (
  clientId: string,
  clientSecret: unknown,
  { address }: { readonly address: string } = service,
): Promise<Reply> =>
  tokenRequest(address, {
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: String(clientSecret),
  });

test('the commands of docs/service.md work in their order', async () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/service.md'), 'utf8');
  const commands = [...page.matchAll(/^ {4}npm run -s service -- ([^<\n]+)$/gm)].map(
    // What a command writes into a file, it writes here too.
    ([, words = '']) => words.replace(/ > \S+$/, ''),
  );
  expect(commands.length).toBeGreaterThan(7);
  await withDatabase(async ({ url }) => {
    for (const command of commands) await run(url, command.split(' '));
    const { lockers } = JSON.parse(await run(url, ['--json', 'locker', 'list', 'acme', 'acme-hall']));
    expect(lockers).toHaveLength(24);
  });
});

test('a tenant made by command books a locker installed by command with a client made by command', async () => {
  await succeeded(...'pick-up-point create acme acme-hall --name Hall --time-zone Europe/Paris'.split(' '));
  const box = ['--size', 'M', '--inside', '38x25x60'];
  await succeeded('locker', 'install', 'acme', 'acme-hall', ...box, '--names', '1-2');
  const { clientSecret } = await json('client', 'create', 'acme', 'acme-booking');
  const { body: token } = await grant('acme-booking', clientSecret);
  const call = callerWith(service.address, String(token.access_token));
  const main = await call('GetAccount', {});
  expect(main.body).toMatchObject({ emailAddress: 'dispatch@acme.example', canManageUser: true });
  const booking = {
    PupUid: 'acme-hall',
    AllowLargerLockers: false,
    AllowOverflowLockers: false,
    Dimension: { width: 10, height: 10, length: 10 },
  };
  expect((await call('CreateLocalShipmentAsStock', booking)).body).toMatchObject({
    success: true,
    error: null,
  });
  const lockers = await succeeded('locker', 'list', 'acme', 'acme-hall');
  expect(lockers.split('\n')).toEqual([
    'locker       name  size  inside           state',
    'acme-hall-1  1     M     25 x 38 x 60 cm  booked',
    'acme-hall-2  2     M     25 x 38 x 60 cm  free',
    '',
  ]);
  await succeeded('locker', 'out-of-order', 'acme', 'acme-hall-2');
  expect((await call('CreateLocalShipmentAsStock', booking)).body).toMatchObject({
    error: 'NoLockerAvailable',
  });
  await succeeded('locker', 'in-order', 'acme', 'acme-hall-2');
  expect((await call('CreateLocalShipmentAsStock', booking)).body).toMatchObject({ success: true });
});

test('every making command is the same done twice', async () => {
  const commands = [
    'tenant create twice --name Twice --email twice@example.com',
    'pick-up-point create twice twice-a --name A --time-zone UTC --country-code NL',
    'pick-up-point create twice twice-b --name B --time-zone UTC',
    'pick-up-point overflow twice twice-a twice-b',
    'locker install twice twice-a --size S --inside 38x12x60 --names A1,A2,B1-3',
    'locker out-of-order twice twice-a-A1',
    'locker emptied twice twice-a-A1',
  ];
  for (const command of commands) await succeeded(...command.split(' '));
  const before = await succeeded('locker', 'list', 'twice', 'twice-a');
  for (const command of commands) await succeeded(...command.split(' '));
  expect(await succeeded('locker', 'list', 'twice', 'twice-a')).toBe(before);
  expect(before.split('\n')).toHaveLength(7);
  const overflow = await service.database
    .selectFrom('overflow_pick_up_points as overflow')
    .innerJoin('pick_up_points as pup', 'pup.pick_up_point_id', 'overflow.overflow_pick_up_point_id')
    .innerJoin('pick_up_points as from', 'from.pick_up_point_id', 'overflow.pick_up_point_id')
    .where('from.pup_uid', '=', 'twice-a')
    .select('pup.pup_uid')
    .execute();
  expect(overflow).toEqual([{ pup_uid: 'twice-b' }]);
});

test('a secret is shown once; rotation keeps the old one until it is retired; revocation ends all', async () => {
  const { clientSecret: first } = await json('client', 'create', 'acme', 'acme-rotating');
  expect(await json('client', 'create', 'acme', 'acme-rotating')).toEqual({
    tenantUid: 'acme',
    clientId: 'acme-rotating',
    created: false,
  });
  const { clientSecret: second } = await json('client', 'rotate', 'acme-rotating');
  expect(second).not.toBe(first);
  for (const secret of [first, second]) expect((await grant('acme-rotating', secret)).status).toBe(200);
  expect(await refused('client', 'rotate', 'acme-rotating')).toContain('retire the older one first');
  await succeeded('client', 'retire', 'acme-rotating', '--yes');
  expect(await succeeded('client', 'retire', 'acme-rotating', '--yes')).toContain(
    'only one secret, unchanged',
  );
  await using fresh = await service.anotherInstance();
  const asked = (secret: unknown) => grant('acme-rotating', secret, fresh);
  expect((await asked(first)).status).toBe(401);
  expect((await asked(second)).status).toBe(200);
  const listed = await succeeded('--json', 'client', 'list', 'acme');
  for (const secret of [first, second]) expect(listed).not.toContain(String(secret));
  expect(listed).not.toContain('scrypt');
  await succeeded('client', 'revoke', 'acme-rotating', '--yes');
  await succeeded('client', 'revoke', 'acme-rotating', '--yes');
  await using later = await service.anotherInstance();
  expect((await grant('acme-rotating', second, later)).status).toBe(401);
  expect(await refused('client', 'rotate', 'acme-rotating')).toContain('was revoked');
  expect(await refused('client', 'create', 'acme', 'acme-rotating')).toContain('was revoked');
});

test('a signing key is rotated without refusing live tokens', async () => {
  const call = await callerAs(service.address, 'demo');
  const { keyId } = await json('signing-key', 'rotate');
  const keys = await service.database.selectFrom('signing_keys').select('key_id').execute();
  expect(keys.map(({ key_id }) => key_id)).toContain(keyId);
  expect((await call('GetAccount', {})).status).toBe(200);
});

test.each([
  ['pick-up-point create acme pup-central --name x --time-zone UTC', 'belongs to another tenant'],
  ['pick-up-point overflow acme pup-central', 'no pick up point pup-central'],
  ['locker out-of-order acme pup-central-1', 'no locker pup-central-1'],
  ['locker list acme pup-central', 'no pick up point pup-central'],
  ['client create acme demo', 'belongs to another tenant'],
])('a command for another tenant is refused and changes nothing: %s', async (command, words) => {
  const before = await everything();
  expect(await refused(...command.split(' '))).toContain(words);
  expect(await everything()).toEqual(before);
});

const wrongCommands: readonly (readonly [command: string, words: string])[] = [
  ['tenant create new --name x --email nonsense', 'email'],
  ['tenant create new --name x --email anna@example.com', 'Another account has'],
  ['tenant create new --name x', '--email'],
  ['pick-up-point create demo p --name x --time-zone Mars', 'time zone'],
  ['pick-up-point create demo p --name x --time-zone UTC --country-code XX', 'ISO 3166'],
  ['pick-up-point overflow demo pup-central pup-central', 'itself'],
  ['pick-up-point overflow demo pup-central pup-station pup-station', 'twice'],
  ['locker install demo pup-central --size M --inside 38x25 --names 1', '38x25x60'],
  ['locker install demo pup-central --size M --inside 1x1x1 --names 90', 'not 1 x 1 x 1'],
  ['locker install demo pup-central --size M --inside 38x25x60 --names 9-1', 'must go up'],
  ['locker install demo pup-central --size M --inside 38x25x60 --names 1 --uid-prefix x-', 'taken'],
  ['tenant fly', 'fly'],
];

eachSampled(
  test,
  wrongCommands,
  3,
)('a wrong command names its error and changes nothing: %s', async (command, words) => {
  const before = await everything();
  expect(await refused(...command.split(' '))).toContain(words);
  expect(await everything()).toEqual(before);
});

const everything = async () => [
  await service.database.selectFrom('tenants').selectAll().orderBy('tenant_id').execute(),
  await service.database.selectFrom('pick_up_points').selectAll().orderBy('pick_up_point_id').execute(),
  await service.database.selectFrom('overflow_pick_up_points').selectAll().execute(),
  await service.database.selectFrom('lockers').selectAll().orderBy('locker_id').execute(),
  await service.database.selectFrom('locker_sizes').selectAll().orderBy('locker_size_id').execute(),
  await service.database.selectFrom('api_clients').selectAll().orderBy('client_id').execute(),
  await service.database.selectFrom('client_secrets').selectAll().orderBy('hash').execute(),
];

test('a command on a schema of another version says so, and migrate brings it up to date', async () => {
  await withDatabase(async ({ url, database }) => {
    for (const table of ['migrations', 'function_schemas']) await database.schema.dropTable(table).execute();
    await expect(run(url, ['tenant', 'list'])).rejects.toThrow(/schema lacks 0001-.*: run migrate/);
  });
  expect(await json('migrate')).toEqual({ applied: [] });
});
