// The form of each operation over real HTTP: its path, its answer, and what every request must have. Which fields a request has
// is the contract's: test/contract/operations.
import { expect, test } from 'vitest';
import type { OperationName } from '../../../contract/index.ts';
import { type InterfaceRow, interfaceTable } from '../../contract/operations/interface-table.ts';
import { accessToken, post } from '../../support/caller.ts';
import { spreadOf } from '../../support/suite.ts';
import { useInFile } from '../../support/use.ts';
import { useTenantsAnew } from '../../support/use-service.ts';
import { jsonOperations, readyRequest } from '../ready-request.ts';

const { service, demo: wall } = useTenantsAnew();
const bearer = useInFile(async () => ({ authorization: `Bearer ${await accessToken(service.address)}` }));

const rowOf = (name: OperationName): InterfaceRow => interfaceTable[name];
const send = (name: OperationName, body: object, headers: Record<string, string> = {}) =>
  post(service.address + rowOf(name).path, JSON.stringify(body), {
    'content-type': 'application/json',
    authorization: bearer.authorization,
    ...headers,
  });
const failure = { success: false, error: expect.any(String), message: expect.any(String) };

// interface: Endpoints
test.each(jsonOperations)('%s answers with the envelope, and exactly its own fields', async (name) => {
  const { status, headers, body } = await send(name, await readyRequest(name, wall));
  expect([status, headers.get('content-type')]).toEqual([200, expect.stringMatching(/^application\/json/)]);
  expect(body).toMatchObject({ success: true, error: null, message: null });
  const fields = rowOf(name).answer.split(' ').filter(Boolean);
  expect(Object.keys(body).sort()).toEqual([...fields, 'error', 'message', 'success'].sort());
});

test.each(spreadOf(jsonOperations, 4))(
  '%s is a POST of JSON with a valid token, else refused',
  async (name) => {
    const request = await readyRequest(name, wall);
    for (const refused of [
      { authorization: '' },
      { authorization: 'Bearer invalid' },
      { 'content-type': 'multipart/form-data; boundary=x' },
    ])
      expect((await send(name, request, refused)).body, JSON.stringify(refused)).toEqual(failure);
    const { body } = await send(name, request, { 'content-type': 'application/xml' });
    expect(body).toMatchObject({
      error: 'InvalidRequest',
      message: expect.stringContaining('application/json'),
    });
    const read = await fetch(service.address + rowOf(name).path, { headers: { ...bearer } });
    expect([read.headers.get('allow'), await read.json()]).toEqual(['POST', failure]);
    expect((await send(name, request)).status).toBe(200);
  },
);
