// The example DeviceLoan with everything real, and a small ticket server that speaks as ServiceNow's table API does.
import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { Connectors } from '../../activities/connectors/connectors.ts';
import { readConnectors } from '../../shared/settings/connectors.ts';
import { json, startTestServer } from '../shared/locker-api/test-server.ts';
import { BORROWER, bookingOf, type Loan, lend, uidOf, untilLoan } from './device-loans.ts';
import { type Installation, ourService } from './installation.ts';
import { useInstallation } from './use-installation.ts';

let incidents = 0;
const tickets = await startTestServer((response, request) => {
  incidents += 1;
  const number = `INC${String(incidents).padStart(7, '0')}`;
  return json(201, { result: { sys_id: randomUUID(), number } })(response, request);
});
const connectors = new Connectors(
  readConnectors(
    `connectors:
  servicenow:
    address: ${new URL('/api/now', tickets.url).href}
    allow: ["POST /table/incident"]
    credentials: { basic: { user: lockerflow, passwordFile: password } }`,
    () => 'pass-word',
  ),
);
const installation = useInstallation(ourService, { dependencies: { connectors } });
afterAll(async () => {
  await connectors.close();
  await tickets[Symbol.asyncDispose]();
});

async function borrowed(at: Installation, loan: Loan): Promise<void> {
  await at.people.pickUp(await uidOf(loan, 'issue'));
  await untilLoan(loan, ({ tags }) => tags.includes('lent'));
  await at.people.dropOff(await uidOf(loan, 'intake'));
  await untilLoan(loan, ({ questions }) => questions.length === 1);
}

test('a device that comes back broken makes one ticket, and the user gets the spare', async () => {
  const at = installation();
  const loan = await lend(at, { spare: await at.people.newStock() });
  await borrowed(at, loan);
  const before = tickets.requests.length;
  await loan.handle.answer({ values: { state: 'broken', remark: 'no picture' }, by: 'bram' });
  await at.people.pickUp(await uidOf(loan, 'issue', 'replacement'));
  expect(await loan.handle.result()).toEqual({ reminders: 0, ticket: expect.stringMatching(/^INC\d{7}$/) });
  const [ticket, ...others] = tickets.requests.slice(before);
  expect(others).toEqual([]);
  expect(JSON.parse(ticket?.body ?? '')).toMatchObject({ caller_id: BORROWER });
});

test('a device that comes back whole makes no ticket', { tags: 'long' }, async () => {
  const at = installation();
  const loan = await lend(at);
  await borrowed(at, loan);
  const before = tickets.requests.length;
  await loan.handle.answer({ values: { state: 'whole' }, by: 'bram' });
  expect(await loan.handle.result()).toEqual({ reminders: 0, ticket: null });
  expect(tickets.requests).toHaveLength(before);
});

test('a loan that somebody calls off is undone at the service before the process is over', {
  tags: 'long',
}, async () => {
  const at = installation();
  const loan = await lend(at);
  const issue = await uidOf(loan, 'issue');
  const intake = await uidOf(loan, 'intake');
  await untilLoan(loan, ({ state }) => JSON.stringify(state).includes('waiting'));
  await loan.handle.cancel();
  await expect(loan.handle.result()).rejects.toThrow('cancelled');
  for (const uid of [issue, intake])
    expect(await at.people.shipment(uid)).toMatchObject({ stateCode: 'Cancelled' });
  // Nobody took the device out: the process says so after its end.
  const { itemsLeft } = await bookingOf(loan);
  expect(itemsLeft).toMatchObject([{ shipmentUid: issue }]);
});
