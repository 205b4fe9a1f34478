// Stock that one flow waits on is issued by another: whoever waited is told and done, and the other follows it to its end.
import { randomUUID } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import type { Role } from '../../contract/flows/flow-input.ts';
import { bareVendor, ourService } from './installation.ts';
import { Play } from './play.ts';
import { storyOf } from './stories.ts';
import { useInstallation } from './use-installation.ts';

describe.each([ourService, bareVendor])('with $name', (vendor) => {
  const installation = useInstallation(vendor);

  test.concurrent.each<{ title: string; role: Role; left: Role }>([
    { title: 'Stock', role: 'stock', left: 'stock' },
    { title: 'IntakeAndCircularStock', role: 'circularStock', left: 'intake' },
  ])('$title whose $role another flow issues is done without it', async ({ title, role, left }) => {
    const { client, flows, people } = installation();
    const waiting = await Play.begin({ installation: installation(), story: storyOf(title) });
    const priorShipmentUid = await waiting.uidOf(role);
    // Visibility lags behind what a flow shows.
    const query = `LockerShipmentUids = '${priorShipmentUid}' AND WorkflowId = '${waiting.handle.workflowId}'`;
    await vi.waitUntil(async () => (await client.workflow.count(query)).count > 0, { timeout: 60_000 });
    const issuing = await flows.start('IssueFromStock', `issue-${randomUUID()}`, {
      request: { priorShipmentUid, toUserUid: 'user-anna' },
    });
    // Nobody has dropped the stock off by then: it is done because it was told, not because of what it saw.
    if (left === role) expect((await waiting.handle.result()).outcome).toBe('Done');
    const isIssued = async () => (await people.shipment(priorShipmentUid)).toUserUid !== null;
    await vi.waitUntil(isIssued, { timeout: 60_000 });
    await people.dropOff(await waiting.uidOf(left));
    expect((await waiting.handle.result()).outcome).toBe('Done');
    await people.pickUp(priorShipmentUid);
    expect((await issuing.result()).outcome).toBe('Done');
  });
});
