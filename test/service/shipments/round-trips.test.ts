// How often a request waits for the database: a booking once, every change of a chain at most three times.
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { OperationName } from '../../../contract/index.ts';
import { examples } from '../../../contract/operations/examples.ts';
import { createTestService, type TestService } from '../../support/service.ts';
import { type Wall, wallOf } from '../../support/wall.ts';

let service: TestService;
let wall: Wall;

beforeAll(async () => {
  service = await createTestService();
  wall = await wallOf(service.address);
});
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(() => wall.sandbox('POST', 'reset'));

/** What is not part of a change: cached switches and clients, the doors of the simulated wall, the call of the senders. */
const BESIDE = /sandbox_switches|api_clients|simulated_doors|callbacks_due/;

/** The statements that were sent, in groups: those of a group went out together, before any of their answers was there. */
async function groupsOf(work: () => Promise<unknown>): Promise<string[][]> {
  const groups: string[][] = [];
  const outstanding = new Map<pg.Client, number>();
  const original = pg.Client.prototype.query;
  const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
    this: pg.Client,
    ...given: unknown[]
  ) {
    const answer = Reflect.apply(original, this, given) as Promise<unknown>;
    const [sent] = given;
    // A prepared statement is sent with its name.
    const text = typeof sent === 'string' ? sent : (sent as pg.QueryConfig).text;
    if (BESIDE.test(text)) return answer as never;
    const before = outstanding.get(this) ?? 0;
    const isPipelined = 'pipeline' in this && this.pipeline === true;
    if (before > 0 && isPipelined) groups.at(-1)?.push(text);
    else groups.push([text]);
    outstanding.set(this, before + 1);
    const answered = () => void outstanding.set(this, (outstanding.get(this) ?? 0) - 1);
    answer.then(answered, answered);
    return answer as never;
  });
  await work().finally(() => spy.mockRestore());
  return groups;
}

const stock = async () => (await wall.book('CreateLocalShipmentAsStock'))[0];
const shipment = async () => (await wall.book('CreateLocalShipment'))[0];
const dropped = async () => {
  const uid = await stock();
  await wall.drop(uid);
  return uid;
};
const own = async () => ({ shipmentUid: await shipment() });
const prior = async () => ({ priorShipmentUid: await dropped() });

/** Each made ready, so that the example's request with these fields succeeds. */
const changes: Partial<Record<OperationName, () => Promise<object>>> = {
  CreateLocalShipment: async () => ({ swapsShipmentUid: await shipment() }),
  CreateLocalShipmentAsStockAfterSwapIntake: async () => ({
    priorShipmentUid: (await wall.book('CreateLocalShipmentAsIntake'))[0],
  }),
  CreateLocalShipmentAsIssueFromStock: prior,
  CreateLocalShipmentAsIssueFromStockAndSwapIntake: prior,
  CreateLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock: prior,
  CancelShipment: own,
  SetShipmentDetails: own,
  SetShipmentReceiver: async () => ({ shipmentUid: await dropped(), removeReceiver: false }),
  AddShipmentObject: async () => ({ ...(await own()), changePickUpAccess: true, changeDropOffAccess: true }),
  RemoveShipmentObject: async () => {
    const { shipmentUid } = await own();
    const { shipmentObjectUid } = await wall.ok('AddShipmentObject', {
      ...examples.AddShipmentObject.request,
      shipmentUid,
    });
    return { shipmentUid, shipmentObjectUid };
  },
  UnlockShipmentLocker: async () => ({ ...(await own()), unlockGoal: 'DropOff', pinCode: null }),
  SimulateLockerAccess: async () => {
    const uid = (await wall.book('CreateLocalShipmentAsIssueAndSwapIntake'))[0];
    await wall.drop(uid);
    const { pupUid, lockerName } = await wall.shipment(uid);
    return { pupUid, lockerName, pinCode: (await wall.codes(uid)).pickUpCode };
  },
};

test.for(Object.entries(changes))('%s waits for the database at most three times', async ([name, ready]) => {
  const operation = name as OperationName;
  const request = { ...examples[operation].request, ...(await ready()) };
  const groups = await groupsOf(async () => {
    const { body } = await wall.call(operation, request, { 'idempotency-key': 'key-1' });
    expect(body).toMatchObject({ success: true });
  });
  expect(groups.length, groups.join('\n')).toBeLessThanOrEqual(3);
  expect(groups.length).toBeGreaterThan(1);
});

test('a booking waits for the database once', async () => {
  await shipment();
  const groups = await groupsOf(shipment);
  expect(groups).toEqual([[expect.stringContaining('book_chain')]]);
});
