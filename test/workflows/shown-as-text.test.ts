// The texts of people and of other systems in the Markdown that Temporal's Web UI shows, on a real Temporal.
import { randomUUID } from 'node:crypto';
import type { WorkflowHandle } from '@temporalio/client';
import { beforeAll, expect, test, vi } from 'vitest';
import { migrateProcess, VersionsOf } from '../../activities/migrations/migrate-process.ts';
import { LockerFlows } from '../../client/locker-flows.ts';
import type { ShipmentReport } from '../../contract/flows/flow-messages.ts';
import { internalIds } from '../../contract/flows/internal-ids.ts';
import { definitionWorkflowId } from '../../flows/language/registry.ts';
import { startMigration } from '../../processes/migrations.ts';
import { code } from '../../shared/markdown/shown-as-text.ts';
import { correlationQueueId, sendCorrelated } from '../../shared/routing/correlation-queues.ts';
import { keepMessage, keepReport } from '../../shared/routing/keep-unmatched.ts';
import { hostileMarkdown } from '../support/hostile-texts.ts';
import { newTaskQueue, runWorker } from '../support/temporal.ts';
import { runningFiles, uniqueName } from './flow-files/running-files.ts';

const files = runningFiles();
const hostile = hostileMarkdown.join(' ');
const inOneLine = hostile.replaceAll(/[\r\n]+/g, ' ');
const keeping = { taskQueue: newTaskQueue(), keepFor: 'P1D' };
const receivedAt = '2031-01-01T00:00:00.000Z';

const file = (name: string, meaning: string, question = hostile) =>
  JSON.stringify({
    name,
    meaning,
    initial: 'one',
    states: {
      one: {
        description: hostile,
        invoke: { id: 'desk', src: 'ask', input: { of: 'desk', question, fields: {} }, onDone: 'over' },
      },
      over: { type: 'final' },
    },
  });

async function detailsOf(handle: WorkflowHandle): Promise<string> {
  const { currentDetails } = await handle.query<{ currentDetails: string }>('__temporal_workflow_metadata');
  return currentDetails;
}
const summaryOf = async (handle: WorkflowHandle) => (await handle.describe()).staticSummary();
const handleOf = (workflowId: string) => files.client.workflow.getHandle(workflowId);

/** Without its code spans it has nothing of the text that Markdown could take for something else. */
function expectShown(markdown: string | undefined, text: string): void {
  expect(markdown).toContain(code(text));
  expect(markdown?.replaceAll(code(text), '')).not.toMatch(/evil|<|\[x|heading/);
}

beforeAll(async () => {
  const deliverUnmatched = () => {
    throw new Error('no flow waits for it');
  };
  const { stop } = await runWorker({ taskQueue: keeping.taskQueue, activities: { deliverUnmatched } });
  return stop;
});

const scenes: Readonly<Record<string, () => Promise<void>>> = {
  'a published file, in its meaning': async () => {
    const name = uniqueName('Shown');
    await files.publish(file(name, inOneLine));
    expectShown(await detailsOf(handleOf(definitionWorkflowId(name))), inOneLine);
  },
  'a process of a file, in its description, its question and who migrated it, and why': async () => {
    const name = uniqueName('Shown');
    await files.publish(file(name, 'One.'));
    const handle = await files.start(name, {});
    await vi.waitUntil(async () => (await detailsOf(handle)).includes('desk'), { timeout: 60_000 });
    await files.publish(file(name, 'Two.'));
    const asked = { flow: name, to: 2, by: inOneLine, why: hostile, plan: {}, waits: false, back: false };
    const found = { key: handle.workflowId, version: 1 };
    const versions = new VersionsOf(files.client);
    const done = await migrateProcess(files.client, versions, asked, found, { updateId: 'one' });
    expect(done).toMatchObject({ outcome: 'migrated' });
    const details = await detailsOf(handle);
    for (const text of [hostile, inOneLine]) expect(details).toContain(code(text));
    expect(details.replaceAll(/(`+)(?!`).*?(?<!`)\1(?!`)/g, '')).not.toMatch(/evil|<|\[x|heading/);
    await handle.terminate();
  },
  'a batch of migrations, in who started it, and why': async () => {
    const flow = uniqueName('Shown');
    const given = { plan: {}, back: false, waits: false, halted: false, query: null };
    const pace = { first: 0, rate: 1, maxRefused: 1 };
    await startMigration(
      files.client,
      { flow, to: 2, by: hostile, why: hostile, ...given, ...pace },
      files.taskQueue,
    );
    const batch = handleOf(`${internalIds.migration}${flow} to 2`);
    expectShown(await detailsOf(batch), hostile);
    await batch.terminate();
  },
  'unmatched callbacks, in their shipment and state': async () => {
    const shipmentUid = `${randomUUID()}${inOneLine.replaceAll(/["\\]/g, '')}`.slice(0, 200);
    const report = { shipmentUid, stateCode: hostile, stateStart: hostile, receivedAt, source: 'callback' };
    const id = await keepReport(files.client, keeping, report as ShipmentReport);
    const details = await detailsOf(handleOf(id));
    expect(details).toContain(code(shipmentUid));
    expectShown(details.replaceAll(code(shipmentUid), ''), hostile);
    await handleOf(id).terminate();
  },
  'unmatched messages, in their type': async () => {
    const messageType = `${randomUUID()}${hostile}`;
    const id = await keepMessage(files.client, keeping, { messageType, body: '{}', receivedAt });
    expectShown(await detailsOf(handleOf(id)), messageType);
    expectShown(await summaryOf(handleOf(id)), messageType);
    await handleOf(id).terminate();
  },
  'a queue of events, in their type and their key': async () => {
    const where = { [hostile]: randomUUID() };
    const event = { type: hostile, id: hostile, data: {}, where, keepForMs: 60_000 };
    await sendCorrelated(files.client, files.taskQueue, event as never);
    const queue = handleOf(correlationQueueId(hostile, String(where[hostile])));
    await vi.waitUntil(async () => (await detailsOf(queue)).includes('1 of 1'), { timeout: 60_000 });
    expectShown(await detailsOf(queue), hostile);
    expectShown(await summaryOf(queue), hostile);
    await queue.terminate();
  },
  'a process, in its key, be it as long as keys may be': async () => {
    const key = `${randomUUID()} ${inOneLine}`.padEnd(800, '`');
    await new LockerFlows(files.client, { taskQueue: 'nobody polls it' }).start('OnboardAccount', key, {
      request: {
        emailAddress: 'anna@example.org',
        firstName: 'Anna',
        lastName: 'Berg',
        pickUpPointUid: 'pup-central',
      },
    } as never);
    expectShown(await summaryOf(handleOf(key)), key);
    await handleOf(key).terminate();
  },
};

test.each(Object.keys(scenes))(
  'text stays text in the Markdown of %s',
  { timeout: 120_000 },
  async (scene) => {
    await scenes[scene]?.();
  },
);
