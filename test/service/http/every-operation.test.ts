// The form of each operation over real HTTP: its path, and its answer. Which fields a request has is the contract's:
// test/contract/operations. What is wrong with a request is in failures.test.ts, who may call in test/security.
import { expect, test } from 'vitest';
import type { OperationName } from '../../../contract/index.ts';
import { type InterfaceRow, interfaceTable } from '../../contract/operations/interface-table.ts';
import { accessToken, post } from '../../support/caller.ts';
import { useTenantsAnew } from '../../support/use-service.ts';
import { jsonOperations, readyRequest } from '../ready-request.ts';

const { service, demo } = useTenantsAnew();

const rowOf = (name: OperationName): InterfaceRow => interfaceTable[name];

// interface: Endpoints
test.each(jsonOperations)('%s answers with the envelope, and exactly its own fields', async (name) => {
  const request = JSON.stringify(await readyRequest(name, demo));
  const authorization = `Bearer ${await accessToken(service.address)}`;
  const { path, answer } = rowOf(name);
  const { status, headers, body } = await post(service.address + path, request, {
    'content-type': 'application/json',
    authorization,
  });
  expect([status, headers.get('content-type')]).toEqual([200, expect.stringMatching(/^application\/json/)]);
  expect(body).toMatchObject({ success: true, error: null, message: null });
  const fields = answer.split(' ').filter(Boolean);
  expect(Object.keys(body).sort()).toEqual([...fields, 'error', 'message', 'success'].sort());
});
