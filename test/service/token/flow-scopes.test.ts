// @module-tag invariant
// Tokens for the HTTP API of processes: which scopes a client of the locker service may have, and that such a token is of no
// use anywhere else.
import * as oauth from 'oauth4webapi';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { FLOWS_AUDIENCE, operationRow } from '../../../contract/index.ts';
import { post } from '../../support/caller.ts';
import { createTestService } from '../../support/service.ts';
import { writtenByService } from '../../support/service-command.ts';
import { useInFile } from '../../support/use.ts';
import { tokenRequest } from './token-request.ts';

const service = useInFile(() => createTestService());

const run = (...words: string[]): Promise<string> =>
  writtenByService(words, {
    DATABASE_URL: service.url,
    SERVICE_ENCRYPTION_KEY: process.env.SERVICE_ENCRYPTION_KEY,
  });

async function created(clientId: string, ...scopes: string[]): Promise<string> {
  const options = scopes.flatMap((scope) => ['--scope', scope]);
  const answer: unknown = JSON.parse(await run('--json', 'client', 'create', 'demo', clientId, ...options));
  return z.object({ clientSecret: z.string() }).parse(answer).clientSecret;
}

const grant = (client_id: string, client_secret: string, scope?: string) =>
  tokenRequest(service.address, {
    grant_type: 'client_credentials',
    client_id,
    client_secret,
    ...(scope !== undefined && { scope }),
  });

// assumptions: The wire, Tokens for the flows
test('a client gets a token for the flows with all its scopes, or with those that it asks for', async () => {
  const secret = await created('shop', 'flows:start', 'flows:read', 'inbox:front%20desk');
  const all = await grant('shop', secret);
  expect(all.body).toMatchObject({ scope: 'flows:read flows:start inbox:front%20desk' });
  const issuer = new URL(service.address);
  const insecure = { [oauth.allowInsecureRequests]: true };
  const server = await oauth.processDiscoveryResponse(
    issuer,
    await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure }),
  );
  const headers = { authorization: `Bearer ${String(all.body.access_token)}` };
  const claims = await oauth.validateJwtAccessToken(
    server,
    new Request('http://resource', { headers }),
    FLOWS_AUDIENCE,
    insecure,
  );
  expect(claims).toMatchObject({
    sub: 'shop',
    tenant: 'demo',
    scope: 'flows:read flows:start inbox:front%20desk',
  });
  expect((await grant('shop', secret, 'flows:read')).body).toMatchObject({ scope: 'flows:read' });
  const narrower = await grant('shop', secret, 'flows:start:Issue');
  expect(narrower.body).toMatchObject({ scope: 'flows:start:Issue' });
});

test('a scope that is not among those of the client is refused', async () => {
  const secret = await created('reader', 'flows:read', 'flows:start:Issue');
  for (const scope of ['flows:start', 'flows:start:Stock', 'flows:read flows:publish', 'integration_api']) {
    const { status, body } = await grant('reader', secret, scope);
    expect([scope, status, body.error]).toEqual([scope, 400, 'invalid_scope']);
  }
});

test('a token for the flows calls no operation of the service, and an ordinary client gets none', async () => {
  const secret = await created('follower', 'flows:read');
  const token = String((await grant('follower', secret)).body.access_token);
  const { path } = operationRow('GetPickUpPoints');
  const { status } = await post(`${service.address}${path}`, '{"pageNo":1,"pageSize":1}', {
    authorization: `Bearer ${token}`,
  });
  expect(status).toBe(401);
  expect((await grant('demo', 'demo-secret', 'flows:read')).body).toMatchObject({ error: 'invalid_scope' });
});

test('a client keeps its scopes, and the list shows them', async () => {
  await created('keeper', 'flows:read');
  await expect(run('client', 'create', 'demo', 'keeper', '--scope', 'flows:publish')).rejects.toThrow(
    'The client keeper exists as a client with the scopes flows:read',
  );
  await expect(run('client', 'create', 'demo', 'typo', '--scope', 'flows:everything')).rejects.toThrow(
    'must be flows:read, flows:start',
  );
  expect(await run('client', 'list', 'demo')).toMatch(/^keeper .* flows:read$/m);
});
