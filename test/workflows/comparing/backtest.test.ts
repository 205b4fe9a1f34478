// What another version of a declared flow would have decided on what happened to its recorded processes. The recordings of each
// flow are played through its own version first, and must do what they did.
import { fileURLToPath } from 'node:url';
import { Client, Connection } from '@temporalio/client';
import { expect, test } from 'vitest';
import { flowTypes } from '../../../contract/flows/flow-types.ts';
import type { Declaration } from '../../../flows/built-in/declaration.ts';
import { issue } from '../../../flows/built-in/flows.ts';
import type { Backtested } from '../../../flows/language/simulation/backtest.ts';
import { backtestedFiles, builtInCandidate } from '../../../processes/views/backtest/backtest.ts';
import { recordedFlow } from '../../../processes/views/backtest/recorded-process.ts';
import { backtestFlow } from '../../../workflows/comparing/played-flow.ts';
import { shipmentWorkflow } from '../../../workflows/shipments/shipment-flow.ts';
import { spreadOf } from '../../support/suite.ts';
import { historyOf, type Recording, recordings } from '../recording/recordings.ts';

const folderOf = (flow: string) => fileURLToPath(new URL(`../../histories/${flow}@1`, import.meta.url));
// It only reads payloads.
const client = new Client({ connection: Connection.lazy() });

test.each(spreadOf(flowTypes, 4))('each recorded process of %s would go as it did', async (flow) => {
  const all = await backtestedFiles(await builtInCandidate(client, flow, undefined), [folderOf(flow)]);
  expect(all.length).toBeGreaterThan(0);
  for (const { key, verdict, why, before, after } of all)
    if (why?.includes('that of a later run')) expect(key).toContain('continued');
    else {
      expect([key, verdict, why]).toEqual([key, 'same', undefined]);
      expect(after).toEqual(before);
    }
});

const ofIssue = (await recordings()).filter(({ name }) => name.startsWith('Issue@1/'));

/** By the name of the recording. */
async function playedOn(changed: Declaration): Promise<Map<string, Backtested>> {
  const { definitions } = shipmentWorkflow({ 1: issue, 2: changed });
  const played = new Map<string, Backtested>();
  for (const { name, recording } of ofIssue) {
    const runs = [historyOf(recording).events];
    const recorded = await recordedFlow(client, { key: recording.workflowId, runs });
    const found = backtestFlow(recorded, definitions, 2);
    if (found) played.set(name, found);
  }
  expect(played.size).toBe(ofIssue.length);
  return played;
}

const namesWith = (all: Map<string, Backtested>, verdict: Backtested['verdict']): string[] =>
  [...all].flatMap(([name, each]) => (each.verdict === verdict ? [name] : []));

const recordedWhere = (isMeant: (recording: Recording) => boolean): string[] =>
  ofIssue.flatMap(({ name, recording }) => (isMeant(recording) ? [name] : []));

const leg = issue.legs.issue;

test('where a leg is done earlier, exactly those decide otherwise whose leg came there', async () => {
  const all = await playedOn({
    ...issue,
    legs: { issue: { ...leg, done: ['ReadyForPickup', 'Completed'] } },
  });
  const came = recordedWhere(({ trace }) =>
    trace.some(({ value }) => JSON.stringify(value).includes('"issue":"ReadyForPickup"')),
  );
  expect(came.length).toBeGreaterThan(1);
  expect(namesWith(all, 'decidesOtherwise')).toEqual(came);
  expect(namesWith(all, 'same').length).toBe(ofIssue.length - came.length);
  expect(all.get('Issue@1/done')).toMatchObject({
    divergence: {
      before: { event: 'shipmentStatus', to: expect.arrayContaining(['following.issue.ReadyForPickup']) },
      now: { event: 'shipmentStatus', to: ['ended'] },
    },
    after: { end: 'done' },
  });
});

test('where a leg is left to others, exactly those decide otherwise that undid it', async () => {
  const all = await playedOn({ ...issue, legs: { issue: { ...leg, undo: 'leave' } } });
  const undid = recordedWhere(({ trace }) =>
    trace.some(({ value }) => JSON.stringify(value).includes('undoing')),
  );
  expect(undid.length).toBeGreaterThan(0);
  expect(namesWith(all, 'decidesOtherwise')).toEqual(undid);
});

test('a deadline that the version does not take is not guessed', async () => {
  const all = await playedOn({ ...issue, legs: { issue: { ...leg, deadlines: ['pickUp'] } } });
  const untold = namesWith(all, 'cannotTell');
  const gave = recordedWhere(({ history }) => Buffer.from(history, 'base64').includes('"dropOff":'));
  expect(gave.length).toBeGreaterThan(0);
  expect(untold).toEqual(gave);
  expect(all.get(untold[0] ?? '')?.why).toBe(
    'its start has the deadline issue.dropOff, which the version does not take',
  );
  expect(namesWith(all, 'same').length).toBe(ofIssue.length - untold.length);
});
