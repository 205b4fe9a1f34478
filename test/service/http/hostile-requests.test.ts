// Nothing that a request holds ends the service's process, on any path; it serves the next request as before.
import { expect, onTestFinished, test } from 'vitest';
import { operationRow } from '../../../contract/index.ts';
import { accessToken, callerAs } from '../../support/caller.ts';
import { createDatabase } from '../../support/database.ts';
import { startServiceProcess } from '../../support/service-process.ts';
import { eachSampled } from '../../support/suite.ts';
import { hostileRequests } from './hostile-requests.ts';
import { sendAndHangUp } from './raw-http.ts';

const paths = [
  operationRow('CreateLocalShipment').path,
  operationRow('UploadAccountSuggestions').path,
  '/connect/token',
  '/sandbox/reset',
  '/health/ready',
  '/openapi.json',
];

const callers = [
  ['of a stranger', async () => []],
  ['of a tenant', async (address: string) => [`Authorization: Bearer ${await accessToken(address)}`]],
] as const;

eachSampled(
  test,
  callers,
  2,
  1,
)('no request %s ends the process, and none is an internal error', async (_, headersFor) => {
  const database = await createDatabase();
  onTestFinished(() => database[Symbol.asyncDispose]());
  const service = await startServiceProcess({ DATABASE_URL: database.url, SERVICE_PORT: '0' });
  onTestFinished(() => service.kill());
  const headers = await headersFor(service.address);
  for (const path of paths)
    for (const [what, bytes] of Object.entries(hostileRequests(path, '{}', headers))) {
      const answer = await sendAndHangUp(service.address, bytes);
      expect(service.lastLines, `${path}, ${what}`).toBeUndefined();
      expect(answer, `${path}, ${what}`).not.toMatch(/^HTTP\/1\.1 5/);
    }
  expect(service.errorLines).toEqual([]);
  const call = await callerAs(service.address);
  expect((await call('GetAccount', {})).body).toMatchObject({ success: true });
});
