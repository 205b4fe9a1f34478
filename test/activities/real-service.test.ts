// The booking activity against the real service: every flow's roles by evidence, whatever order the uids come in. `npm test` has
// each way to find roles once, the long suite both with every flow. Lost answers are in test/end-to-end/lost-answers.test.ts.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { flowRules } from '../../contract/flows/flow-rules.ts';
import type { ShipmentRecord } from '../../contract/index.ts';
import type { BookInput } from '../../flows/booking/activities.ts';
import { type Declaration, legOf, rolesOf } from '../../flows/built-in/declaration.ts';
import { declarations } from '../../flows/built-in/flows.ts';
import { LockerApi } from '../../shared/locker-api/index.ts';
import { type Sandbox, sandboxAs } from '../support/sandbox.ts';
import { createTestService, type TestService } from '../support/service.ts';
import { eachSampled } from '../support/suite.ts';
import { useActivityWorker } from './activity-harness.ts';

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
  readonly name: string;
  readonly request: Readonly<Record<string, unknown>>;
  readonly prior?: 'stock' | 'intake';
}

const stories: Story[] = [
  { name: 'LocalShipment', request: { ...place, ...toAnna } },
  { name: 'Issue', request: { ...place, ...toAnna } },
  { name: 'IssueAndSwapIntake', request: { ...place, ...toAnna } },
  { name: 'Stock', request: place },
  { name: 'StockAfterSwapIntake', request: { dimension: place.dimension }, prior: 'intake' },
  { name: 'IssueFromStock', request: toAnna, prior: 'stock' },
  { name: 'IssueFromStockAndSwapIntake', request: toAnna, prior: 'stock' },
  { name: 'Intake', request: { ...place, ...fromAnna } },
  { name: 'IntakeAndCircularStock', request: { ...place, ...fromAnna } },
  { name: 'IssueFromStockAndSubsequentIntakeAndCircularStock', request: toAnna, prior: 'stock' },
  { name: 'CollectOnly', request: { ...place, ...kept } },
  { name: 'CollectByDispatcher', request: { ...place, ...kept } },
  { name: 'CollectByUser', request: { ...place, ...kept, ...toAnna } },
];

function flowOf({ name }: Story): Declaration {
  const flow = declarations.find((each) => each.name === name);
  if (!flow) throw new TypeError(`there is no flow ${name}`);
  return flow;
}

async function bookInput(story: Story): Promise<BookInput> {
  const { request, prior } = story;
  const flow = flowOf(story);
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
  capabilities.flatMap((capability) => stories.map((story) => ({ capability, story, name: story.name })));

// The flow with three shipments.
eachSampled(
  it,
  withEach('getShipments', 'accessCodes'),
  stories.length,
  9,
)(
  'the booking of $name finds every role from $capability alone, for any order of the uids',
  async ({ capability, story }) => {
    await sandbox('POST', 'switches', { shuffledShipmentUids: true });
    const { shipments } = await harness(api, { LOCKER_CAPABILITIES: capability }).run(
      'book',
      await bookInput(story),
    );
    const told = Object.fromEntries(shipments.map(({ shipmentUid, role }) => [shipmentUid, role]));
    expect(told).toEqual(await trueRoles(flowOf(story)));
    expect(new Set(Object.values(told))).toEqual(new Set(rolesOf(flowOf(story))));
  },
);
