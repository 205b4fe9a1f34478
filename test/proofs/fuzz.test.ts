// Thousands of hostile requests at the service's own process: never a 5xx, always the envelope, and it stays up. A run that
// fails tells its seed: TEST_SEED=… makes it again in the long suite.

import { expect, onTestFinished, test } from 'vitest';
import {
  type ErrorCode,
  errors,
  IDEMPOTENCY_KEY_REUSED_STATUS,
  operationNames,
  operationRow,
} from '../../contract/index.ts';
import { examples } from '../../contract/operations/examples.ts';
import { accessToken, type Caller, callerAs } from '../support/caller.ts';
import { wrongInDatabase } from '../support/chains/stored-invariants.ts';
import { createDatabase } from '../support/database.ts';
import { addPickUpPoint } from '../support/new-pick-up-point.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import { atSizes } from '../support/suite.ts';
import { type HostileRequest, hostileRequests, type KnownUids } from './hostile-request.ts';

const AT_ONCE = 16;
/** 60,000 requests took 310 s on a busy machine. */
const timeout = 1_200_000;

atSizes({ short: 150, long: 60_000 }, (requestCount, seed) =>
  test('hostile requests are each answered with the envelope and leave no trace', { timeout }, async () => {
    await using testDatabase = await createDatabase();
    const { database, url } = testDatabase;
    await addPickUpPoint(database, 'demo', 'pup-fuzz', { S: 200, M: 100, L: 50 });
    const service = await startServiceProcess({
      DATABASE_URL: url,
      SERVICE_PORT: '0',
      SERVICE_CALLBACK_SENDER: 'off',
      SERVICE_TOKEN_LIFETIME_SECONDS: '86400',
    });
    onTestFinished(() => service.kill());
    const call = await callerAs(service.address);
    const requests = hostileRequests(seed, requestCount, await knownUids(call));
    const before = await service.heapUsed();
    const wrong = await sendAll(service, requests);
    // A figure, and no test: how much a heap holds after so many requests is the machine's affair too.
    console.log(`the heap had ${before} bytes before and ${await service.heapUsed()} bytes after`);
    expect(wrong).toEqual([]);
    expect(service.lastLines).toBe(undefined);
    expect(service.errorLines).toEqual([]);
    expect(await wrongInDatabase(database)).toEqual([]);
    expect((await call('GetAccount', {})).body).toMatchObject({ success: true });
  }),
);

/** Things that exist, some of them for each state that a request may want them in. */
async function knownUids(call: Caller): Promise<KnownUids> {
  const booking = { ...examples.CreateLocalShipment.request, pupUid: 'pup-fuzz' };
  const shipmentUids: string[] = [];
  for (let made = 0; made < 30; made++) {
    const { body } = await call(made % 2 ? 'CreateLocalShipment' : 'CreateLocalShipmentAsStock', booking);
    const shipmentUid = String(body.shipmentUid ?? (body.shipmentUids as string[])[0]);
    shipmentUids.push(shipmentUid);
    if (made % 3 === 0) await call('UnlockShipmentLocker', { shipmentUid, unlockGoal: 'DropOff' });
  }
  const pupUids = ['pup-fuzz'];
  const lockerUids = ['pup-fuzz-1', 'pup-fuzz-2'];
  return {
    shipmentUid: shipmentUids,
    priorShipmentUid: shipmentUids,
    swapsShipmentUid: shipmentUids,
    pupUid: pupUids,
    bookedPupUid: pupUids,
    lockerUid: lockerUids,
    lockerName: ['1', '2', '3'],
  };
}

async function sendAll(service: ServiceProcess, requests: readonly HostileRequest[]): Promise<string[]> {
  const tokens = {
    demo: await accessToken(service.address),
    other: await accessToken(service.address, 'other'),
  };
  const left = [...requests];
  const wrong: string[] = [];
  const sender = async () => {
    for (let request = left.pop(); request; request = left.pop()) {
      const found = await wrongWith(service.address, tokens[request.tenant], request);
      if (found) wrong.push(found);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, sender));
  return wrong;
}

/** Undefined: the answer is the envelope, on the status of its error, which is one of the operation's or a generic one. */
async function wrongWith(
  address: string,
  token: string,
  { method, path, headers, body }: HostileRequest,
): Promise<string | undefined> {
  const words = `${method} ${path} ${JSON.stringify(headers)} ${body?.slice(0, 500)}`;
  const authorization = `Bearer ${token}`;
  const answered = fetch(address + path, { method, headers: { authorization, ...headers }, body });
  const response = await answered.catch((error: unknown) => error);
  if (!(response instanceof Response)) return `${words}: no answer, ${response}`;
  const text = await response.text();
  if (isEnvelope(path, response.status, text)) return undefined;
  return `${words}: ${response.status} ${text.slice(0, 300)}`;
}

const generic: readonly ErrorCode[] = [
  'InvalidRequest',
  'Unauthorized',
  'PayloadTooLarge',
  'UnknownOperation',
  'RateLimitExceeded',
];

function isEnvelope(path: string, status: number, text: string): boolean {
  const answer: unknown = JSON.parse(text);
  if (typeof answer !== 'object' || answer === null || !('success' in answer)) return false;
  const { success, error, message } = { error: undefined, message: undefined, ...answer };
  if (success === true)
    return status === 200 && error === null && (message === null || typeof message === 'string');
  if (path.startsWith('/sandbox/')) return success === false && status >= 400 && status < 500;
  const name = operationNames.find((each) => operationRow(each).path === path);
  const known: readonly string[] = [...generic, ...(name ? operationRow(name).errors : [])];
  return (
    success === false &&
    typeof message === 'string' &&
    typeof error === 'string' &&
    known.includes(error) &&
    (errors[error as ErrorCode].status === status ||
      (error === 'InvalidRequest' && status === IDEMPOTENCY_KEY_REUSED_STATUS))
  );
}
