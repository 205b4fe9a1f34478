// The booking activity against the real service: every flow's roles by evidence, whatever order the uids come in, and no
// second booking when the answer is lost after the service has committed. `npm test` has each way to find roles and each
// capability once, the long suite all of them with every flow.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import { LockerApi } from '../../activities/api/index.ts';
import type { BookInput } from '../../activities/flow-activities.ts';
import { flowRules } from '../../contract/flows/flow-rules.ts';
import { operationRow, type ShipmentRecord } from '../../contract/index.ts';
import { collectByDispatcher } from '../../flows/collect-by-dispatcher.ts';
import { collectByUser } from '../../flows/collect-by-user.ts';
import { collectOnly } from '../../flows/collect-only.ts';
import { type Declaration, legOf, rolesOf } from '../../flows/declaration.ts';
import { intake } from '../../flows/intake.ts';
import { intakeAndCircularStock } from '../../flows/intake-and-circular-stock.ts';
import { issue } from '../../flows/issue.ts';
import { issueAndSwapIntake } from '../../flows/issue-and-swap-intake.ts';
import { issueFromStock } from '../../flows/issue-from-stock.ts';
import { issueFromStockAndSubsequentIntakeAndCircularStock } from '../../flows/issue-from-stock-and-subsequent-intake-and-circular-stock.ts';
import { issueFromStockAndSwapIntake } from '../../flows/issue-from-stock-and-swap-intake.ts';
import { localShipment } from '../../flows/local-shipment.ts';
import { stock } from '../../flows/stock.ts';
import { stockAfterSwapIntake } from '../../flows/stock-after-swap-intake.ts';
import { type Sandbox, sandboxAs } from '../support/sandbox.ts';
import { createTestService, type TestService } from '../support/service.ts';
import { spreadOf } from '../support/suite.ts';
import { applicationFailure, useActivityWorker } from './activity-harness.ts';

const harness = useActivityWorker();
let service: TestService;
let api: LockerApi;
let sandbox: Sandbox;

const credentials = { clientId: 'demo', clientSecret: 'demo-secret' };
const apiAt = (apiUrl: string) =>
  new LockerApi({ apiUrl, authUrl: service.address, ...credentials, timeoutMs: 10_000 });

beforeAll(async () => {
  service = await createTestService();
  api = apiAt(service.address);
  sandbox = await sandboxAs(service.address);
});
afterAll(async () => {
  await api.close();
  await service[Symbol.asyncDispose]();
});
beforeEach(async () => {
  expect((await sandbox('POST', 'reset', {})).status).toBe(200);
});

const place = {
  pupUid: 'pup-central',
  allowLargerLockers: true,
  allowOverflowLockers: false,
  dimension: { width: 1, height: 1, length: 1 },
};
const toAnna = { toUserUid: 'user-anna' };
const fromAnna = { fromUserUid: 'user-anna' };
const kept = { keepBookedAfterPickUp: true };

interface Story {
  readonly flow: Declaration;
  readonly request: Readonly<Record<string, unknown>>;
  readonly prior?: 'stock' | 'intake';
}

const stories: Story[] = [
  { flow: localShipment, request: { ...place, ...toAnna } },
  { flow: issue, request: { ...place, ...toAnna } },
  { flow: issueAndSwapIntake, request: { ...place, ...toAnna } },
  { flow: stock, request: place },
  { flow: stockAfterSwapIntake, request: { dimension: place.dimension }, prior: 'intake' },
  { flow: issueFromStock, request: toAnna, prior: 'stock' },
  { flow: issueFromStockAndSwapIntake, request: toAnna, prior: 'stock' },
  { flow: intake, request: { ...place, ...fromAnna } },
  { flow: intakeAndCircularStock, request: { ...place, ...fromAnna } },
  { flow: issueFromStockAndSubsequentIntakeAndCircularStock, request: toAnna, prior: 'stock' },
  { flow: collectOnly, request: { ...place, ...kept } },
  { flow: collectByDispatcher, request: { ...place, ...kept } },
  { flow: collectByUser, request: { ...place, ...kept, ...toAnna } },
];

async function bookInput({ flow, request, prior }: Story): Promise<BookInput> {
  const priorShipmentUid = prior && (await bookPrior(prior));
  const workflowId = `order-${randomUUID()}`;
  return {
    flow: flow.name,
    operation: flow.operation,
    input: { request: { ...request, ...(priorShipmentUid && { priorShipmentUid }) } },
    legs: rolesOf(flow).map((role) => {
      const { isPrior, references, follows } = legOf(flow, role);
      return { role, isPrior, references, follows };
    }),
    deadlines: flowRules[flow.name as keyof typeof flowRules].deadlines,
    takesOver: rolesOf(flow).some((role) => legOf(flow, role).undo === 'removeReceiver'),
    idempotencyKey: workflowId,
    workflowId,
    lockerWaitEndsAt: null,
    unknownSince: null,
  };
}

async function bookPrior(kind: 'stock' | 'intake'): Promise<string | undefined> {
  const { shipmentUids } =
    kind === 'stock'
      ? await api.call('CreateLocalShipmentAsStock', place)
      : await api.call('CreateLocalShipmentAsIntake', { ...place, ...fromAnna });
  return shipmentUids[0];
}

async function allShipments(): Promise<ShipmentRecord[]> {
  return (await api.call('GetShipments', { pageNo: 1, pageSize: 500 })).items;
}

/** What each shipment truly is, by the links that the service keeps. */
async function trueRoles(flow: Declaration): Promise<Record<string, string>> {
  const records = await allShipments();
  const roles = rolesOf(flow);
  const linked = (record: ShipmentRecord) => {
    const { swapsShipmentUid, priorShipmentUid, circularPriorShipmentUid } = record;
    if (circularPriorShipmentUid) return 'circularStock';
    if (swapsShipmentUid) return roles.find((role) => legOf(flow, role).follows?.link === 'swap');
    return priorShipmentUid && roles.find((role) => legOf(flow, role).follows?.link === 'subsequentIntake');
  };
  const first = roles.find((role) => legOf(flow, role).follows === null);
  return Object.fromEntries(
    records.map((record) => [record.shipmentUid ?? '', linked(record) ?? first ?? '']),
  );
}

const withEach = (...capabilities: readonly string[]) =>
  capabilities.flatMap((capability) =>
    stories.map((story) => ({ capability, story, name: story.flow.name })),
  );

// The flow with three shipments.
it.each(spreadOf(withEach('getShipments', 'accessCodes'), stories.length, 9))(
  'the booking of $name finds every role from $capability alone, for any order of the uids',
  async ({ capability, story }) => {
    await sandbox('POST', 'switches', { shuffledShipmentUids: true });
    const { run } = harness(api, { LOCKER_CAPABILITIES: capability });
    const { shipments } = await run('book', await bookInput(story));
    const told = Object.fromEntries(shipments.map(({ shipmentUid, role }) => [shipmentUid, role]));
    expect(told).toEqual(await trueRoles(story.flow));
    expect(new Set(Object.values(told))).toEqual(new Set(rolesOf(story.flow)));
  },
);

/** Hands everything through, but cuts the connection instead of the first answer to that operation. */
async function cuttingProxy(path: string): Promise<LockerApi> {
  let cuts = 0;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { authorization = '', 'idempotency-key': key } = request.headers;
    const answer = await fetch(service.address + request.url, {
      method: 'POST',
      body: Buffer.concat(chunks),
      headers: {
        authorization,
        'content-type': 'application/json',
        ...(key && { 'idempotency-key': String(key) }),
      },
    });
    const body = await answer.text();
    cuts += Number(request.url === path);
    if (request.url === path && cuts === 1) return void response.socket?.resetAndDestroy();
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const through = apiAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  onTestFinished(async () => {
    await through.close();
    await new Promise((resolve) => server.close(resolve));
  });
  return through;
}

// A flow with two new shipments.
it.each(
  spreadOf(withEach('idempotencyKey', 'getShipments', 'idempotencyKey,getShipments', ''), stories.length, 2),
)(
  'an answer of $name that is lost is made good, or left to a person, with the capabilities "$capability", and books once',
  async ({ capability, story }) => {
    // The header is sent in any case: a service that ignores it must be one that does.
    await sandbox('POST', 'switches', { idempotencyKey: capability.includes('idempotencyKey') });
    const through = await cuttingProxy(operationRow(story.flow.operation).path);
    const input = await bookInput(story);
    const before = (await allShipments()).length;
    const { run } = harness(through, { LOCKER_CAPABILITIES: capability });
    if (capability === '') {
      expect((await applicationFailure(run('book', input))).type).toBe('OutcomeUnknown');
    } else {
      const { shipments } = await run('book', input);
      expect(shipments.map(({ shipmentUid }) => shipmentUid).sort()).toEqual(
        Object.keys(await trueRoles(story.flow)).sort(),
      );
    }
    const made = input.legs.filter(({ isPrior }) => !isPrior).length;
    expect((await allShipments()).length - before).toBe(made);
  },
);
