// The token request of the interface over real HTTP, typed by hand: its path, its form, its answer, and what its token opens.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestService, type TestService } from '../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await createTestService();
});
afterAll(() => service[Symbol.asyncDispose]());

const form = {
  client_id: 'demo',
  client_secret: 'demo-secret',
  grant_type: 'client_credentials',
  scope: 'integration_api',
};

async function tokenFor(fields: Record<string, string>) {
  const response = await fetch(`${service.address}/connect/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
  });
  const answer = (await response.json()) as Record<string, unknown>;
  return { isOk: response.ok, answer };
}

const account = async (headers: Record<string, string>) => {
  const response = await fetch(`${service.address}/v1/Account/GetAccount`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: '{}',
  });
  return (await response.json()) as Record<string, unknown>;
};

// interface: Authentication
test('client credentials give a bearer token, its seconds, and the access of their client', async () => {
  const { isOk, answer } = await tokenFor(form);
  expect(isOk).toBe(true);
  expect(answer).toMatchObject({ access_token: expect.any(String), token_type: 'bearer' });
  expect(Number.isInteger(answer.expires_in) && Number(answer.expires_in) > 0).toBe(true);
  const authorization = `Bearer ${answer.access_token}`;
  expect(await account({ authorization })).toMatchObject({ success: true, userUid: 'main-demo' });
});

test('the token goes with every request: without it, or with another one, the request is refused', async () => {
  const { access_token: token } = (await tokenFor(form)).answer;
  expect(await account({ authorization: `Bearer ${token}` })).toMatchObject({ success: true });
  for (const headers of [{}, { authorization: String(token) }, { authorization: `Bearer ${token}x` }])
    expect(await account(headers)).toMatchObject({ success: false, error: expect.any(String) });
});

test('the same token request again gives a further token, and both are valid', async () => {
  for (const { answer } of [await tokenFor(form), await tokenFor(form)])
    expect(await account({ authorization: `Bearer ${answer.access_token}` })).toMatchObject({
      success: true,
    });
});

test.each(Object.keys(form))('a wrong %s gives no token', async (field) => {
  const { isOk, answer } = await tokenFor({ ...form, [field]: 'wrong' });
  expect(isOk).toBe(false);
  expect(answer).not.toHaveProperty('access_token');
});
