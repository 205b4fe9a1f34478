// The example DeviceLoan with everything real, and a small ticket server that speaks as ServiceNow's table API does.
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, expect, test, vi } from 'vitest';
import { Connectors } from '../../activities/connectors/connectors.ts';
import type { FlowFileHandle } from '../../client/flow-files/flow-file-handle.ts';
import type { FlowFileProgress } from '../../flows/language/machine/progress.ts';
import { readConnectors } from '../../shared/settings/connectors.ts';
import { json, startPeer } from '../shared/locker-api/peer.ts';
import { isLongSuite } from '../support/suite.ts';
import type { Installation } from './installation.ts';
import { ourService } from './installation.ts';
import { useInstallation } from './use-installation.ts';

let incidents = 0;
const tickets = await startPeer((response, request) => {
  incidents += 1;
  const number = `INC${String(incidents).padStart(7, '0')}`;
  return json(201, { result: { sys_id: randomUUID(), number } })(response, request);
});
const connectors = new Connectors(
  readConnectors(
    `connectors:
  servicenow:
    address: ${tickets.url}
    allow: ["POST /api/now/table/incident"]
    credentials: { basic: { user: lockerflow, passwordFile: password } }`,
    () => 'pass-word',
  ),
);
const installation = useInstallation(ourService, { dependencies: { connectors } });
afterAll(async () => {
  await connectors.close();
  await tickets[Symbol.asyncDispose]();
});

const file = await readFile(
  new URL('../../docs/examples/flow-files/device-loan.flow.yaml', import.meta.url),
  'utf8',
);
const patience = { timeout: 60_000, interval: 50 };

interface Loan {
  readonly handle: FlowFileHandle;
  readonly key: string;
  readonly user: string;
}

async function lend(at: Installation, more: { readonly spare?: string } = {}): Promise<Loan> {
  const name = `DeviceLoan${randomUUID().slice(0, 8)}`;
  const text = file.replace('name: DeviceLoan', `name: ${name}`);
  await at.flows.publish([{ path: 'device-loan.flow.yaml', text }]);
  const [key, user] = [`loan-${randomUUID()}`, 'user-anna'];
  const request = { item: await at.people.newStock(), user, ...more };
  return { handle: await at.flows.startPublished(name, key, { request }), key, user };
}

const until = ({ handle }: Loan, holds: (progress: FlowFileProgress) => boolean) =>
  vi.waitUntil(async () => {
    const progress = await handle.progress().catch(() => undefined);
    return progress && holds(progress) && progress;
  }, patience);

/** The uid of a leg, as soon as the flow that the process has started knows it. */
const uidOf = (at: Installation, { key }: Loan, id: string, role: 'issue' | 'intake' | 'circularStock') =>
  vi.waitUntil(async () => {
    const handle = at.flows.handle<'IssueFromStockAndSubsequentIntakeAndCircularStock'>(`${key}/${id}`);
    const progress = await handle.progress().catch(() => undefined);
    return progress?.shipments[role]?.shipmentUid ?? false;
  }, patience);

async function borrowed(at: Installation, loan: Loan): Promise<void> {
  await at.people.pickUp(await uidOf(at, loan, 'loan', 'issue'));
  await until(loan, ({ tags }) => tags.includes('lent'));
  await at.people.dropOff(await uidOf(at, loan, 'loan', 'intake'));
  await until(loan, ({ questions }) => questions.length === 1);
}

test('a device that comes back broken makes one ticket, and the user gets the spare', async () => {
  const at = installation();
  const loan = await lend(at, { spare: await at.people.newStock() });
  await borrowed(at, loan);
  const before = tickets.requests.length;
  await loan.handle.answer({ values: { state: 'broken', remark: 'no picture' }, by: 'bram' });
  await at.people.pickUp(await uidOf(at, loan, 'replacement', 'issue'));
  expect(await loan.handle.result()).toEqual({ reminders: 0, ticket: expect.stringMatching(/^INC\d{7}$/) });
  const [ticket, ...others] = tickets.requests.slice(before);
  expect(others).toEqual([]);
  expect(JSON.parse(ticket?.body ?? '')).toMatchObject({ caller_id: loan.user });
});

test.runIf(isLongSuite)('a device that comes back whole makes no ticket', async () => {
  const at = installation();
  const loan = await lend(at);
  await borrowed(at, loan);
  const before = tickets.requests.length;
  await loan.handle.answer({ values: { state: 'whole' }, by: 'bram' });
  expect(await loan.handle.result()).toEqual({ reminders: 0, ticket: null });
  expect(tickets.requests).toHaveLength(before);
});

test.runIf(isLongSuite)(
  'a loan that somebody calls off is undone at the service before the process is over',
  async () => {
    const at = installation();
    const loan = await lend(at);
    const issue = await uidOf(at, loan, 'loan', 'issue');
    const intake = await uidOf(at, loan, 'loan', 'intake');
    await until(loan, ({ state }) => JSON.stringify(state).includes('waiting'));
    await loan.handle.cancel();
    await expect(loan.handle.result()).rejects.toThrow('cancelled');
    for (const uid of [issue, intake])
      expect(await at.people.shipment(uid)).toMatchObject({ stateCode: 'Cancelled' });
    // Nobody took the device out: the flow that was called off says so.
    const { itemsLeft } = await at.flows
      .handle<'IssueFromStockAndSubsequentIntakeAndCircularStock'>(`${loan.key}/loan`)
      .progress();
    expect(itemsLeft).toMatchObject([{ shipmentUid: issue }]);
  },
);
