// Stock that one flow waits on is issued by another: whoever waited is told and done, and the other follows it to its end. Also
// where the flow that has booked it does not know yet that it has: it finds it, and does not book again.
import { randomUUID } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import type { Role } from '../../contract/flows/flow-input.ts';
import { eachSampled } from '../support/suite.ts';
import { basicService, ourService } from './installation.ts';
import { type LossyWay, lossyWay } from './lossy-way.ts';
import { Play } from './play.ts';
import { storyOf } from './stories.ts';
import { useInstallation } from './use-installation.ts';

// A flow that waits for a person waits for ever: the long suite's own limit is an hour.
const PATIENCE_MS = 300_000;

eachSampled(
  describe,
  [ourService, basicService],
  2,
)('with $name', (vendor) => {
  const installation = useInstallation(vendor);

  test.concurrent.each<{ title: string; role: Role; left: Role }>([
    { title: 'Stock', role: 'stock', left: 'stock' },
    { title: 'IntakeAndCircularStock', role: 'circularStock', left: 'intake' },
  ])(
    '$title whose $role another flow issues is done without it',
    { timeout: PATIENCE_MS },
    async ({ title, role, left }) => {
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
    },
  );
});

describe('while its booking is in doubt, at a service without keys', { tags: 'long' }, () => {
  // It has another case number and a receiver before its own flow can look.
  let way: LossyWay | undefined;
  const installation = useInstallation(
    {
      name: 'a listing and no keys',
      switches: { idempotencyKey: false, shuffledShipmentUids: true },
      settings: { LOCKER_CAPABILITIES: 'getShipments' },
    },
    { through: async (address) => (way = await lossyWay(address)) },
  );

  test.concurrent.each<{ title: string; role: Role; dropped: Role }>([
    { title: 'Stock', role: 'stock', dropped: 'stock' },
    { title: 'IntakeAndCircularStock', role: 'circularStock', dropped: 'intake' },
  ])(
    '$title whose $role is issued before its flow knows of it is booked once',
    { timeout: PATIENCE_MS },
    async (given) => {
      const { flows, people } = installation();
      const begun = Promise.withResolvers<Play>();
      const issueKey = `issue-${randomUUID()}`;
      const issue = async () => {
        const play = await begun.promise;
        const priorShipmentUid = await play.uidOf(given.role);
        const request = { priorShipmentUid, toUserUid: 'user-anna' };
        await flows.start('IssueFromStock', issueKey, { request });
        const isIssued = async () => (await people.shipment(priorShipmentUid)).toUserUid !== null;
        await vi.waitUntil(isIssued, { timeout: 60_000 });
      };
      const play = await Play.begin({
        installation: installation(),
        story: storyOf(given.title),
        before: (workflowId) => way?.lose(workflowId, 'after', issue),
      });
      begun.resolve(play);
      const { workflowId } = play.handle;
      const isDecided = async () => (await play.progress()).activity !== 'Booking';
      await vi.waitUntil(isDecided, { timeout: 60_000, interval: 30 });
      expect(way?.sent(workflowId)).toBe(1);
      await people.dropOff(await play.uidOf(given.dropped));
      const { outcome, shipments } = await play.handle.result();
      const issuedUid = await play.uidOf(given.role);
      expect([outcome, shipments[given.role]?.shipmentUid]).toEqual(['Done', issuedUid]);
      await people.pickUp(issuedUid);
      const ended = await flows.handle(issueKey).result();
      expect(ended).toMatchObject({ outcome: 'Done', shipments: { issue: { shipmentUid: issuedUid } } });
    },
  );
});
