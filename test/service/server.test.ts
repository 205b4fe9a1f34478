// The service over real HTTP and a real Postgres: authentication, answers, and the envelope on every failure.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Caller, callerAs, post } from '../support/caller.ts';
import { createTestService, type TestService } from '../support/service.ts';

let service: TestService;
let call: Caller;

beforeAll(async () => {
  service = await createTestService();
  call = await callerAs(service.address);
});
afterAll(() => service[Symbol.asyncDispose]());

test('an operation answers with the envelope and its fields', async () => {
  const { status, body } = await call('GetAccount', { USERUID: 'user-anna' });
  expect(status).toBe(200);
  expect(body).toMatchObject({
    success: true,
    error: null,
    message: null,
    userUid: 'user-anna',
    canManageUser: true,
    mainPupUid: 'pup-central',
  });
});

test('a request without a token is refused with the envelope and a challenge', async () => {
  const reply = await post(`${service.address}/v1/Account/GetAccount`, '{}', {
    'content-type': 'application/json',
  });
  expect(reply.status).toBe(401);
  expect(reply.headers.get('www-authenticate')).toMatch(/^Bearer/);
  expect(reply.body).toMatchObject({ success: false, error: 'Unauthorized' });
});

test('the health checks answer', async () => {
  for (const path of ['/health/live', '/health/ready'])
    expect((await fetch(service.address + path)).status).toBe(200);
  // Asked every few seconds by machines: at the level of debugging, which pino calls 20.
  const levels = () =>
    service.logLines.flatMap(({ operation, level }) =>
      `${operation}`.startsWith('/health/') ? [level] : [],
    );
  await vi.waitUntil(() => levels().length === 2, { timeout: 30_000 });
  expect(levels()).toEqual([20, 20]);
});

test('the service gives the contract as an OpenAPI document to anyone', async () => {
  const response = await fetch(`${service.address}/openapi.json`);
  expect(response.headers.get('content-type')).toMatch(/^application\/json/);
  const document: unknown = await response.json();
  expect(document).toMatchObject({ openapi: '3.1.1', paths: { '/v1/Account/GetAccount': {} } });
});
