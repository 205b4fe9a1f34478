// Keys and secrets that change under a running service: rotation refuses no live token, revocation takes effect soon.
import { decodeProtectedHeader } from 'jose';
import { beforeEach, expect, test } from 'vitest';
import { createLog } from '../../../service/log.ts';
import { inTransaction } from '../../../service/storage/transaction.ts';
import { ApiClients, hashClientSecret, REVOCATION_DELAY_MS } from '../../../service/token/api-clients.ts';
import { ClientAuthentication } from '../../../service/token/client-authentication.ts';
import {
  KEY_REFRESH_MS,
  rotateSigningKey,
  SigningKeys,
  UNKNOWN_KEY_REFRESH_MS,
} from '../../../service/token/signing-keys.ts';
import { accessToken, callerAs, post } from '../../support/caller.ts';
import { createTestService } from '../../support/service.ts';
import { writtenByService } from '../../support/service-command.ts';
import { useInFile } from '../../support/use.ts';
import { grant, tokenRequest } from './token-request.ts';

// One issuer for all instances, as behind a load balancer.
const url = 'http://lockers.example';
/** By how much the clock of all instances is before that of the machine. */
let aheadMs = 0;
const service = useInFile(() => createTestService({ url }, { now: () => performance.now() + aheadMs }));
// Each test begins with instances that read all again.
beforeEach(() => {
  aheadMs += KEY_REFRESH_MS;
});

const rotate = (atOnce: boolean) =>
  inTransaction(service.database, (transaction) =>
    rotateSigningKey(transaction, service.settings.encryption, atOnce),
  );
const anotherInstance = () => service.anotherInstance();

async function takes(address: string, token: string): Promise<boolean> {
  const reply = await post(`${address}/v1/Account/GetAccount`, '{}', {
    'content-type': 'application/json',
    authorization: `Bearer ${token}`,
  });
  return reply.status === 200;
}

const publishedKeys = async (address: string): Promise<string[]> => {
  const { keys } = (await (await fetch(`${address}/.well-known/jwks.json`)).json()) as {
    keys: { kid: string; d?: string }[];
  };
  for (const key of keys) expect(key.d).toBeUndefined();
  return keys.map(({ kid }) => kid);
};

const keyOf = (token: string) => decodeProtectedHeader(token).kid;

// assumptions: The wire, Signing keys
test('a new signing key is published first, signs later, and refuses no token of the old one', async () => {
  const before = await accessToken(service.address);
  const newKey = await rotate(false);
  await using published = await anotherInstance();
  expect(await publishedKeys(published.address)).toContain(newKey);
  expect(keyOf(await accessToken(published.address))).toBe(keyOf(before));
  await service.database
    .updateTable('signing_keys')
    .set({ signs_from: new Date() })
    .where('key_id', '=', newKey)
    .execute();
  await using signing = await anotherInstance();
  const after = await accessToken(signing.address);
  expect(keyOf(after)).toBe(newKey);
  expect(await takes(signing.address, before)).toBe(true);
  // The first instance read its keys before there was the new one: it looks again when it meets it.
  aheadMs += UNKNOWN_KEY_REFRESH_MS;
  expect(await takes(service.address, after)).toBe(true);
});

test('a key that is given up at once refuses its tokens, soon also on an instance that has read it', async () => {
  const before = await accessToken(service.address);
  expect(await takes(service.address, before)).toBe(true);
  await rotate(true);
  await using fresh = await anotherInstance();
  expect(await takes(fresh.address, before)).toBe(false);
  expect(await takes(fresh.address, await accessToken(fresh.address))).toBe(true);
  expect(await publishedKeys(fresh.address)).not.toContain(keyOf(before));
  aheadMs += KEY_REFRESH_MS;
  expect(await takes(service.address, before)).toBe(false);
});

test('several instances that start at once make one key', async () => {
  await service.database.deleteFrom('signing_keys').execute();
  const instances = Array.from(
    { length: 8 },
    () => new SigningKeys(service.database, service.settings.encryption),
  );
  const signing = await Promise.all(instances.map((keys) => keys.current()));
  expect(new Set(signing.map(({ keyId }) => keyId)).size).toBe(1);
  const stored = await service.database.selectFrom('signing_keys').select('key_id').execute();
  expect(stored).toHaveLength(1);
});

// assumptions: The wire, Revocation
test('a revoked client gets no token and its live tokens are soon refused', async () => {
  const call = await callerAs(service.address, 'other');
  expect((await call('GetAccount', {})).status).toBe(200);
  const revoked = { revoked_at: new Date() };
  await service.database.updateTable('api_clients').set(revoked).where('client_id', '=', 'other').execute();
  aheadMs += REVOCATION_DELAY_MS;
  expect((await call('GetAccount', {})).status).toBe(401);
  const reply = await tokenRequest(service.address, {
    ...grant,
    client_id: 'other',
    client_secret: 'other-secret',
  });
  expect(reply).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
});

const client = async (...words: string[]) =>
  JSON.parse(await writtenByService(['--json', 'client', ...words], { DATABASE_URL: service.url }));

// assumptions: The wire, Revocation
test('tokens end with the secret that they came from, on each instance, and those of the other secret go on', async () => {
  const { clientSecret: first } = await client('create', 'demo', 'demo-rotating');
  const { clientSecret: second } = await client('rotate', 'demo-rotating');
  await using other = await anotherInstance();
  const [old, current] = await Promise.all(
    [first, second].map((secret) => accessToken(service.address, 'demo-rotating', secret)),
  );
  const answers = (token = '') => Promise.all([service, other].map(({ address }) => takes(address, token)));
  expect(await answers(old)).toEqual([true, true]);
  expect(await answers(current)).toEqual([true, true]);
  await client('retire', 'demo-rotating', '--yes');
  aheadMs += REVOCATION_DELAY_MS;
  expect(await answers(old)).toEqual([false, false]);
  expect(await answers(current)).toEqual([true, true]);
  // A third secret takes the place of the first; the tokens of the first stay refused.
  await client('rotate', 'demo-rotating');
  aheadMs += REVOCATION_DELAY_MS;
  expect(await answers(old)).toEqual([false, false]);
});

test('a stored secret is a salted hash and nothing else', async () => {
  const rows = await service.database.selectFrom('client_secrets').selectAll().execute();
  for (const { hash } of rows) expect(hash).toMatch(/^sha256\$[^$]{24}\$[^$]{44}$/);
  expect(JSON.stringify(rows)).not.toContain('demo-secret');
  expect(hashClientSecret('demo-secret')).not.toBe(hashClientSecret('demo-secret'));
});

test('a stored secret of another form opens nothing and harms nobody', async () => {
  const { database } = service;
  const other = 'scrypt$16384$8$1$c2FsdA==$a2V5';
  await database.insertInto('client_secrets').values({ client_id: 'demo', slot: 2, hash: other }).execute();
  expect((await tokenRequest(service.address, { ...grant, client_secret: other })).status).toBe(401);
  expect((await tokenRequest(service.address, grant)).status).toBe(200);
});

test('many clients that are asked for at once cost two questions to the database', async () => {
  const { counted, questions } = countedDatabase();
  const clients = new ApiClients(counted);
  const names = Array.from({ length: 500 }, (_, index) => `made-up-${index}`);
  const found = await Promise.all([...names, 'demo', 'demo'].map((name) => clients.find(name)));
  expect(found.map((client) => client?.clientId).filter(Boolean)).toEqual(['demo', 'demo']);
  expect(questions()).toBe(2);
});

test('a wrong secret asks the database once, whether its client is there, has been seen, or is not', async () => {
  const { counted, questions } = countedDatabase();
  const authentication = new ClientAuthentication(new ApiClients(counted), createLog('silent'));
  const asked = async (clientId: string, clientSecret: string) => {
    const before = questions();
    await authentication.authenticate({ clientId, clientSecret }, '127.0.0.1').catch(() => undefined);
    return questions() - before;
  };
  expect(await asked('demo', 'wrong')).toBe(1);
  expect(await asked('demo', 'demo-secret')).toBe(0);
  expect(await asked('demo', 'wrong')).toBe(1);
  expect(await asked('made-up', 'wrong')).toBe(1);
});

function countedDatabase() {
  let questions = 0;
  const counted = service.database.withPlugin({
    transformQuery: ({ node }) => {
      questions += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  return { counted, questions: () => questions };
}
