// What the log never says, whatever is requested: codes, tokens, keys and people. And what it says of a failure: its kind,
// words and place, never the row of the database that it was about.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { operationNames, operationRow } from '../../contract/index.ts';
import { examples } from '../../contract/operations/examples.ts';
import { startCallbackSender } from '../../service/callbacks/delivery/callback-sender.ts';
import { createLog, namedIn } from '../../service/log.ts';
import { accessToken, callerWith, post } from '../support/caller.ts';
import { withDatabase } from '../support/database.ts';
import { startReceiver } from '../support/receiver.ts';
import { createTestService } from '../support/service.ts';
import { grant, tokenRequest } from './token/token-request.ts';

test('a failure of the database is logged without personal data, also as a cause', async () => {
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => void lines.push(line) });
  await withDatabase(async ({ database }) => {
    const failure: Error = await sql`
      insert into accounts (account_id, user_uid, user_name, email_address)
      select account_id, user_uid, user_name, email_address from accounts where user_uid = 'user-anna'
    `
      .execute(database)
      .catch((error) => error);
    // Postgres itself tells the offending row, personal data and all.
    expect(JSON.stringify(failure)).toMatch(/"detail":"Key .*already exists/);
    log.error({ err: failure }, 'at once');
    log.error({ err: new Error('could not be written', { cause: failure }) }, 'as a cause');
  });
  expect(lines).toHaveLength(2);
  for (const line of lines) {
    expect(line).toContain('duplicate key value violates unique constraint');
    expect(line).toContain('"code":"23505"');
    expect(line).not.toContain('already exists');
  }
});

/** No other text of a line can be one of them by chance. */
const person = {
  firstName: 'Quirina',
  lastName: 'Zeldenrust',
  userName: 'quirina-z',
  emailAddress: 'quirina@zeldenrust.example',
  phoneNumber: '+31 6 98765432',
  streetName: 'Zwarteweg',
  mailbox: 'bus 7 bis',
};
const secrets = {
  authKey: 'a key that the tenant has chosen',
  pinCode: '918273',
  onBehalfOf: 'desk-of-quirina',
  idempotencyKey: 'key-of-quirina',
  wrongSecret: 'a-secret-with-a-typing-mistake',
};

/** The operation's example, with this person and these secrets in all fields that could have such. */
const personal = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(personal);
  if (typeof value !== 'object' || value === null) return value;
  const named: Record<string, string> = { ...person, ...secrets };
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, named[name] ?? personal(each)]),
  );
};

test('whatever is requested, also wrongly, the log has no code, token, key or personal data', async () => {
  await using receiver = await startReceiver();
  await using service = await createTestService();
  const { address, logLines, settings, database, switchBoard } = service;
  const token = await accessToken(address);
  const call = callerWith(address, token);
  const log = createLog('debug', { write: (line) => void (logLines as object[]).push(JSON.parse(line)) });
  const headers = { 'x-on-behalf-of': secrets.onBehalfOf, 'idempotency-key': secrets.idempotencyKey };

  // A shipment with a person, its codes, and a callback of it.
  const { body: configured } = await call('ConfigureCallback', {
    url: receiver.url,
    authType: 'HMAC',
    resetKey: true,
  });
  receiver.answer = () => (receiver.received.length < 2 ? 401 : 200);
  const sender = startCallbackSender(settings, { database, switchBoard, log });
  const made = { ...examples.CreateAccount.request, ...person };
  expect((await call('CreateAccount', made)).body).toMatchObject({ success: true });
  const { body: booked } = await call('CreateLocalShipment', examples.CreateLocalShipment.request);
  const { shipmentUid } = booked;
  const { body: codes } = await call('GetShipmentAccessCode', { shipmentUid });
  const unlock = { shipmentUid, unlockGoal: 'DropOff', pinCode: codes.deliveryCode };
  expect((await call('UnlockShipmentLocker', { ...unlock, pinCode: secrets.pinCode })).status).toBe(403);
  expect((await call('UnlockShipmentLocker', unlock)).body).toMatchObject({ success: true });
  await expect.poll(() => receiver.accepted.length, { timeout: 60_000 }).toBe(1);
  await sender.stop();

  // Every operation, as it should be and as it should not be.
  for (const name of operationNames) {
    const request = personal(examples[name].request) as object;
    await call(name, request, headers);
    await call(name, { ...request, pageSize: person.emailAddress, [person.emailAddress]: 1 }, headers);
  }
  const bearer = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const path = `${address}${operationRow('CreateAccount').path}`;
  await post(path, `{"emailAddress": "${person.emailAddress}`, bearer);
  await post(`${path}?emailAddress=${person.emailAddress}`, JSON.stringify(made), bearer);
  await post(`${address}/${person.emailAddress}?token=${token}`, '{}', bearer);
  await post(path, JSON.stringify(made), { ...bearer, authorization: `Bearer ${token}x` });
  for (const wrong of [
    { ...grant, client_secret: secrets.wrongSecret },
    // The secret stands in the place of the client id.
    { ...grant, client_id: secrets.wrongSecret, client_secret: 'demo' },
    { ...grant, [secrets.wrongSecret]: 'demo-secret' },
  ])
    for (let times = 0; times < 7; times++) await tokenRequest(address, wrong);

  const written = logLines.map((line) => JSON.stringify(line));
  // It has a line for each of them.
  expect(written.length).toBeGreaterThan(operationNames.length * 2);
  expect(written.join()).toContain('wrong client credentials again and again');
  expect(written.join()).toContain('callback refused');
  const never = [
    ...Object.values(person),
    ...Object.values(secrets),
    ...[token, token.split('.')[2], 'demo-secret'],
    ...[configured.authKey, codes.pickUpCode, codes.deliveryCode],
  ];
  for (const text of never) {
    expect(typeof text === 'string' && text.length > 4, String(text)).toBe(true);
    // Six digits may be a part of a time or of a uid.
    const alone = new RegExp(`(?<![0-9a-f-])${String(text).replaceAll(/\W/g, '\\$&')}(?![0-9a-f-])`);
    expect(written.filter((line) => alone.test(line))).toEqual([]);
  }
});

test('a process writes its log to the standard output, and loses no line when it ends', async () => {
  const module = join(import.meta.dirname, '../../service/log.ts');
  const script = `
    const { createLog } = await import(${JSON.stringify(module)});
    createLog('info').info('the last word');
    process.exit();`;
  const words = ['--input-type=module', '--eval', script];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, words);
  expect(JSON.parse(stdout)).toMatchObject({ part: 'service', level: 30, msg: 'the last word' });
  expect(stderr).toBe('');
});

test('a line names the shipments and the case numbers of a request and its answer, also those of details', () => {
  const details = { referenceCaseNo: 'case-2', referenceNo: 'no-2' };
  const request = {
    priorShipmentUid: 'a',
    referenceCaseNo: 'case-1',
    toUserUid: 'user-anna',
    return: details,
  };
  expect(namedIn(request, { shipmentUids: ['b', 'a'], lockerName: '7' })).toEqual({
    shipmentUids: ['a', 'b'],
    caseNumbers: ['case-1', 'case-2'],
  });
  expect(namedIn({ shipmentUid: '', swapsShipmentUid: null, details: null })).toEqual({});
});
