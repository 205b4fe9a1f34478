// The token endpoint over real HTTP: RFC 6749's grants and refusals, and what an independent OAuth client makes of it.
import * as oauth from 'oauth4webapi';
import { expect, test } from 'vitest';
import { TOKEN_PATH } from '../../../contract/index.ts';
import { createTestService } from '../../support/service.ts';
import { useInFile } from '../../support/use.ts';
import { basic, FORM, grant, tokenRequest, without } from './token-request.ts';

const service = useInFile(() => createTestService());

const insecure = { [oauth.allowInsecureRequests]: true };

async function discovered() {
  const issuer = new URL(service.address);
  const response = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure });
  return oauth
    .processDiscoveryResponse(new URL(`${service.address}`), response)
    .catch(() => Promise.reject(new Error('The metadata is not what RFC 8414 wants')));
}

// assumptions: The wire, Lifetime of a token
test.each([
  ['in the form', oauth.ClientSecretPost('demo-secret')],
  ['in HTTP Basic', oauth.ClientSecretBasic('demo-secret')],
])(
  'an independent client discovers the service and gets and uses a token, credentials %s',
  async (_how, auth) => {
    const server = await discovered();
    const client = { client_id: 'demo' };
    const parameters = new URLSearchParams({ scope: 'integration_api' });
    const response = await oauth.clientCredentialsGrantRequest(server, client, auth, parameters, insecure);
    const token = await oauth.processClientCredentialsResponse(server, client, response);
    expect(token).toMatchObject({ token_type: 'bearer', expires_in: 900, scope: 'integration_api' });
    const used = await oauth.protectedResourceRequest(
      token.access_token,
      'POST',
      new URL('/v1/Account/GetAccount', service.address),
      new Headers({ 'content-type': 'application/json' }),
      '{}',
      insecure,
    );
    expect(await used.json()).toMatchObject({ success: true, userUid: 'main-demo' });
  },
);

test('an independent resource server verifies a token by the published keys', async () => {
  const server = await discovered();
  const { body } = await tokenRequest(service.address, grant);
  const request = new Request('http://resource', {
    headers: { authorization: `Bearer ${body.access_token}` },
  });
  const claims = await oauth.validateJwtAccessToken(server, request, 'integration_api', insecure);
  expect(claims).toMatchObject({ iss: service.address, sub: 'demo', client_id: 'demo' });
});

test.each([
  ['a wrong secret', { ...grant, client_secret: 'wrong' }],
  ['an unknown client', { ...grant, client_id: 'nobody' }],
  ['a client id that no database takes', { ...grant, client_id: 'demo\0' }],
  ['a client id without end', { ...grant, client_id: 'x'.repeat(5_000) }],
  ['no secret', without('client_secret')],
  ['no credentials at all', without('client_id', 'client_secret')],
])('%s is invalid_client, and does not tell a client from none', async (_what, form) => {
  const reply = await tokenRequest(service.address, form);
  expect(reply.status).toBe(401);
  expect(reply.headers.get('www-authenticate')).toMatch(/^Basic realm=/);
  expect(reply.body).toMatchObject({ error: 'invalid_client', error_description: expect.any(String) });
  const wrong = await tokenRequest(service.address, { ...grant, client_secret: 'another' });
  if ('client_secret' in form) expect(reply.body).toEqual(wrong.body);
});

// assumptions: The wire, Failures of the token request
test.each([
  ['no grant_type', without('grant_type'), 'invalid_request'],
  ['an empty grant_type', { ...grant, grant_type: '' }, 'invalid_request'],
  ['another grant_type', { ...grant, grant_type: 'password' }, 'unsupported_grant_type'],
  ['another scope', { ...grant, scope: 'admin' }, 'invalid_scope'],
  ['one more scope', { ...grant, scope: 'integration_api admin' }, 'invalid_scope'],
  ['a parameter twice', `${new URLSearchParams(grant)}&client_id=demo`, 'invalid_request'],
  ['a parameter with quotation marks twice', '"x\\"=1&"x\\"=2', 'invalid_request'],
  ['a JSON body as a form', JSON.stringify(grant), 'invalid_request'],
  ['an empty body', '', 'invalid_request'],
])('%s is refused as RFC 6749 says', async (_what, form, error) => {
  const reply = await tokenRequest(service.address, form);
  expect(reply.status).toBe(400);
  expect(reply.headers.get('cache-control')).toBe('no-store');
  expect(reply.body).toMatchObject({ error, success: false, message: expect.any(String) });
  // Section 5.2: a description has neither quotation marks nor backslashes.
  expect(reply.body.error_description).toMatch(/^[\x20\x21\x23-\x5b\x5d-\x7e]+$/);
});

test.each([
  ['application/json', JSON.stringify(grant), 400],
  ['text/plain', 'x', 400],
  [FORM, `client_id=${'x'.repeat(20_000)}`, 413],
])('a body of type %s that is not the form is invalid_request', async (type, body, status) => {
  const reply = await tokenRequest(service.address, body, { 'content-type': type });
  expect(reply.body).toMatchObject({ error: 'invalid_request', success: false });
  expect(reply.status).toBe(status);
});

test('parameters that it does not know are ignored, up to fifty in all', async () => {
  const more = (count: number) =>
    new URLSearchParams([
      ...Object.entries(grant),
      ...Array.from({ length: count }, (_, index): [string, string] => [`p${index}`, '']),
    ]).toString();
  const known = Object.keys(grant).length;
  expect((await tokenRequest(service.address, more(50 - known))).status).toBe(200);
  const tooMany = await tokenRequest(service.address, more(51 - known));
  expect(tooMany.status).toBe(400);
  expect(tooMany.body.message).toBe(
    'The form has more than 50 parameters: send grant_type, client_id and client_secret',
  );
});

test('no scope gives the only one', async () => {
  const { status, body } = await tokenRequest(service.address, without('scope'));
  expect(status).toBe(200);
  expect(body).toMatchObject({ scope: 'integration_api' });
});

test('an answer with a token must not be kept, and its fields are the interface’s', async () => {
  const { headers, body } = await tokenRequest(service.address, grant);
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('pragma')).toBe('no-cache');
  expect(body).toMatchObject({ access_token: expect.any(String), token_type: 'bearer', expires_in: 900 });
});

test('HTTP Basic parts are form-decoded, each by itself', async () => {
  const form = without('client_id', 'client_secret');
  const encoded = basic('dem%6F', 'demo%2Dsecret');
  expect((await tokenRequest(service.address, form, encoded)).status).toBe(200);
});

const bare = without('client_id', 'client_secret');

test.each([
  ['both Basic and a secret', grant, basic('demo', 'demo-secret'), 400, 'invalid_request'],
  ['two client_ids', { ...bare, client_id: 'other' }, basic('demo', 'demo-secret'), 400, 'invalid_request'],
  ['Basic without a colon', bare, { authorization: 'Basic ZGVtbw==' }, 401, 'invalid_client'],
  ['Basic that is not form-encoded', bare, basic('demo', '%zz'), 401, 'invalid_client'],
  ['a bearer token as credentials', bare, { authorization: 'Bearer x' }, 401, 'invalid_client'],
])('%s is refused', async (_what, form, headers, status, error) => {
  const reply = await tokenRequest(service.address, form, headers);
  expect(reply).toMatchObject({ status, body: { error } });
});

test('GET on the token endpoint is UnknownOperation with Allow', async () => {
  const response = await fetch(service.address + TOKEN_PATH);
  expect(response.status).toBe(405);
  expect(response.headers.get('allow')).toBe('POST');
});

test('a failure of the service is the envelope, without detail', async () => {
  await using broken = await createTestService();
  await broken.database.schema.alterTable('api_clients').renameTo('elsewhere').execute();
  const reply = await tokenRequest(broken.address, grant);
  expect(reply).toMatchObject({ status: 500, body: { success: false, error: 'InternalError' } });
  expect(JSON.stringify(reply.body)).not.toContain('api_clients');
});
