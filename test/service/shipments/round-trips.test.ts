// How often a request waits for the database: a booking once, every change of a chain at most three times.
import pg from 'pg';
import { expect, test, vi } from 'vitest';
import { type OperationName, operationRow } from '../../../contract/index.ts';
import { examples } from '../../../contract/operations/examples.ts';
import { useTenantsAnew } from '../../support/use-service.ts';
import { readyRequest, withEffect } from '../ready-request.ts';

const { demo: wall } = useTenantsAnew();

/** Not counted: cached switches and clients, the fault of a door in staging, the call of the senders. */
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

const changes: readonly OperationName[] = withEffect.filter(
  (name) => operationRow(name).path.includes('/Logistics/') && !isBooking(name),
);
function isBooking(name: OperationName): boolean {
  return name.startsWith('Create') && !('priorShipmentUid' in examples[name].request);
}

test.each([...changes, 'CreateLocalShipment'] as const)(
  '%s waits for the database at most three times',
  async (operation) => {
    const request = await readyRequest(operation, wall);
    // A booking alone is quicker: below. That of a swap is a change of a chain.
    if (operation === 'CreateLocalShipment') request.swapsShipmentUid = (await wall.book(operation))[0];
    const groups = await groupsOf(async () => {
      const { body } = await wall.call(operation, request, { 'idempotency-key': 'key-1' });
      expect(body).toMatchObject({ success: true });
    });
    expect(groups.length, groups.join('\n')).toBeLessThanOrEqual(3);
    expect(groups.length).toBeGreaterThan(1);
  },
);

test('a booking waits for the database once', async () => {
  const shipment = () => wall.book('CreateLocalShipment');
  await shipment();
  const groups = await groupsOf(shipment);
  expect(groups).toEqual([[expect.stringContaining('book_chain')]]);
});
