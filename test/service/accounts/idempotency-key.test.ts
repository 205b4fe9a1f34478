// @module-tag invariant
// Idempotency-Key on account operations (assumptions: The wire).
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { OperationName } from '../../../contract/index.ts';
import { type Caller, callerAs } from '../../support/caller.ts';
import { createTestService, type TestService } from '../../support/service.ts';
import { newAccount } from './support.ts';

let service: TestService;
let demo: Caller;
let made = 0;
let keyed: (name: OperationName, body: unknown) => ReturnType<Caller>;

beforeAll(async () => {
  service = await createTestService();
  demo = await callerAs(service.address, 'demo');
});
afterAll(() => service[Symbol.asyncDispose]());

beforeEach(() => {
  made += 1;
  keyed = (name, body) => demo(name, body, { 'idempotency-key': `key-${made}` });
});

test.each(['CreateAccount', 'CreateOrGetAccount'] as const)(
  '%s with the same key gets its answer again',
  async (name) => {
    const request = newAccount({ mutationConfig: { canChangeAddress: true } });
    const first = await keyed(name, request);
    const second = await keyed(name, request);
    expect(first.body.success).toBe(true);
    expect([second.status, second.body]).toEqual([first.status, first.body]);
  },
);

test('a change with the same key is made once', async () => {
  const { userUid } = (await demo('CreateAccount', newAccount())).body;
  const move = { userUid, pickUpPointUid: 'pup-station' };
  expect((await keyed('SetAccountPickUpPoint', move)).body.pickUpPointChanged).toBe(true);
  await demo('SetAccountPickUpPoint', { userUid, pickUpPointUid: 'pup-central' });
  expect((await keyed('SetAccountPickUpPoint', move)).body.pickUpPointChanged).toBe(true);
  expect((await demo('GetAccount', { userUid })).body.mainPupUid).toBe('pup-central');
});

test('the same key with another body is InvalidRequest, with status 422', async () => {
  await keyed('CreateAccount', newAccount());
  const { status, body } = await keyed('CreateAccount', newAccount());
  expect([status, body.error]).toEqual([422, 'InvalidRequest']);
});

// assumptions: The wire, Repeated requests
test('a refusal is not kept', async () => {
  const request = newAccount();
  const { userUid } = (await demo('CreateAccount', request)).body;
  expect((await keyed('CreateAccount', request)).body.error).toBe('EmailAlreadyRegistered');
  await demo('RemoveAccount', { userUid });
  expect((await keyed('CreateAccount', request)).body.success).toBe(true);
});

test('20 concurrent creations with one key make one account and get one answer', async () => {
  const request = newAccount();
  const replies = await Promise.all(Array.from({ length: 20 }, () => keyed('CreateAccount', request)));
  for (const { status, body } of replies) expect([status, body]).toEqual([200, replies[0]?.body]);
});
