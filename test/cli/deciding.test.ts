// The verbs for what a person must do: decide what a flow cannot know; and which flows there are.
import { ApplicationFailure } from '@temporalio/common';
import { describe, expect, test, vi } from 'vitest';
import { flowTypes } from '../../contract/flows/flow-types.ts';
import { examples } from '../../contract/operations/examples.ts';
import { drawingOfFlow } from '../../docs/flow-charts.ts';
import { svg } from '../../engine/chart/svg.ts';
import { declarations } from '../../flows/built-in/flows.ts';
import { shippedFlow } from '../../processes/views/flow-registry.ts';
import type { FlowList } from '../../processes/views/flows.ts';
import { flowsAtHand, newKey } from '../client/flows-at-hand.ts';
import { reportOf } from '../workflows/outside.ts';
import { run, runJson } from './lockerflow-program.ts';

const at = flowsAtHand();
const who = ['--by', 'anna', '--why', 'seen at the locker'];

describe('a decision', () => {
  test('decides for a flow, which keeps who and why', async () => {
    const { workflowId } = await at.issue();
    const decided = ['set-state', workflowId, '--role', 'issue', '--state-code', 'Completed', ...who];
    expect(await runJson(decided)).toEqual({ workflowId, done: true });
    expect((await run(['show', workflowId])).out).toMatch(
      /resolved: setState by anna, \S+: seen at the locker/,
    );
  });

  /** A flow whose booking nobody can tell the outcome of, at a service that cannot be asked. */
  async function inDoubt(): Promise<string> {
    const workflowId = newKey();
    const { book } = at.outside.activities;
    at.outside.activities.book = async (input) => {
      if (input.workflowId !== workflowId || input.unknownSince?.isRetryDecided) return await book(input);
      const details = [{ why: 'the answer was lost', candidates: [], cannotBeAsked: true }];
      throw ApplicationFailure.create({ type: 'OutcomeUnknown', nonRetryable: true, details });
    };
    const request = examples.CreateLocalShipmentAsIssue.request;
    const handle = await at.flows.start('Issue', workflowId, { request });
    await vi.waitUntil(async () => (await handle.progress()).activity === 'NeedsPerson', { timeout: 60_000 });
    return workflowId;
  }

  test('says before a retry that it may book twice, and retries only if told so', async () => {
    const workflowId = await inDoubt();
    const retry = ['retry', workflowId, ...who];
    expect(await run(retry)).toMatchObject({
      code: 2,
      err: expect.stringContaining('retry may book a second time'),
    });
    const dry = await run(['retry', ...who, '--query', `WorkflowId = '${workflowId}'`, '--dry-run']);
    expect(dry.out).toContain('retry may book a second time');
    expect((await at.flows.handle(workflowId).progress()).activity).toBe('NeedsPerson');
    expect(await run([...retry, '--yes'])).toMatchObject({ code: 0 });
    expect(await at.uidOf(workflowId)).toBeTruthy();
  });

  test('asks before it adopts what another open flow has, and tells what it could not check', async () => {
    const { workflowId: other, shipmentUid } = await at.issue();
    const workflowId = await inDoubt();
    const adopt = (uid: string) => ['adopt', workflowId, '--shipments', `issue=${uid}`, ...who];
    const held = await run(adopt(shipmentUid));
    expect(held).toMatchObject({ code: 2, err: expect.stringContaining(`is a shipment of ${other}`) });
    const wrong = await run(adopt('wrong'));
    expect(wrong).toMatchObject({
      code: 0,
      out: expect.stringContaining('the service could not be asked whether it has'),
    });
    expect((await run(adopt('right'))).code).toBe(0);
    expect(await at.uidOf(workflowId)).toBe('right');
  });

  test('a flow whose shipment another one adopts passes on what it hears of it', async () => {
    const { workflowId: other, shipmentUid } = await at.issue();
    const workflowId = await inDoubt();
    const adopted = await run(['adopt', workflowId, '--shipments', `issue=${shipmentUid}`, ...who, '--yes']);
    expect(adopted.code).toBe(0);
    const report = reportOf(shipmentUid, 'ReadyForPickup', null);
    await at.client.workflow.getHandle(other).signal('shipmentStatus', report);
    await vi.waitFor(() => expect(at.outside.unmatched).toContainEqual({ ...report, passOnTo: workflowId }), {
      timeout: 30_000,
    });
  });

  test('decides for all that a query finds: shown in a dry run, confirmed, adopt is for one flow alone', async () => {
    const [one, other] = [await at.issue(), await at.issue()];
    const query = ['--query', `WorkflowId IN ('${one.workflowId}', '${other.workflowId}')`];
    const decided = ['set-state', '--role', 'issue', '--state-code', 'Completed', ...who, ...query];
    expect((await run([...decided, '--dry-run'])).out).toContain('would set-state 2 flows');
    expect(await run(decided)).toMatchObject({ code: 2, err: expect.stringContaining('--yes') });
    expect((await run([...decided, '--yes'])).out).toContain('2 of 2 flows: done');
    for (const { workflowId } of [one, other])
      expect(await at.flows.handle<'Issue'>(workflowId).result()).toMatchObject({ outcome: 'Done' });
    expect(await run(['adopt', '--shipments', 'issue=a', ...who, ...query])).toMatchObject({
      code: 2,
      err: expect.stringContaining('--query'),
    });
    expect(await run(['give-up', 'order-1', ...who, ...query])).toMatchObject({
      code: 2,
      err: expect.stringContaining('expected one of them'),
    });
  });

  test("prints the flow's message about a decision that it does not take", async () => {
    const { workflowId } = await at.issue();
    const refused = await run(['retry', workflowId, ...who]);
    const reason = 'Issue: retry is not possible now: its shipments are known';
    expect(refused).toMatchObject({ code: 1, out: '', err: expect.stringContaining(reason) });
    for (const [verb = '', ...words] of [
      ['give-up'],
      ['give-up', '--by', 'anna'],
      ['adopt', ...who],
      ['adopt', '--shipments', 'issue', ...who],
      ['adopt', '--shipments', 'nobody=7c0e', ...who],
      ['set-state', '--role', 'issue', ...who],
      ['set-state', '--role', 'issue', '--state-code', 'Gone', ...who],
      ['set-state', '--role', 'nobody', '--state-code', 'Completed', ...who],
    ])
      expect(await run([verb, workflowId, ...words])).toMatchObject({ code: 2, out: '' });
  });
});

describe('flows', () => {
  test('prints the meaning of every flow', async () => {
    const { items: rows } = await runJson<FlowList>(['flows']);
    const builtIn = rows.filter(({ version }) => version === null);
    expect(builtIn.map(({ flow }) => flow)).toEqual(flowTypes);
    for (const { name, meaning } of declarations)
      expect(rows).toContainEqual(expect.objectContaining({ flow: name, meaning }));
  });

  test.each(['Issue', 'OnboardAccount'] as const)(
    'prints the chart that %s runs, in each form',
    async (flow) => {
      const printed = async (form: string) => (await run(['flows', flow, '--chart', form])).out;
      expect(JSON.parse(await printed('json'))).toEqual(shippedFlow(flow).file);
      expect(await printed('svg')).toBe(await svg(drawingOfFlow(flow)));
    },
  );

  test('an unknown verb, option or flow names the near one', async () => {
    expect((await run(['strt'])).err).toContain('Did you mean start?');
    expect((await run(['list', '--opn'])).err).toContain('Did you mean --open?');
    // One that is cut short, too.
    const short = await run(['list', '--pick', 'pup-central']);
    expect(short).toMatchObject({ code: 2, err: expect.stringContaining('Did you mean --pick-up-point?') });
    expect((await run(['list', '--started'])).err).toContain(
      'Did you mean --started-after or --started-before?',
    );
    expect((await run(['start', 'IssueFromStok', '--key', newKey()])).err).toContain(
      'did you mean IssueFromStock?',
    );
  });

  test('prints the chart of one flow, in a form that there is', async () => {
    expect(await run(['flows', '--chart', 'json'])).toMatchObject({ code: 2, out: '' });
    expect(await run(['flows', 'Issue', '--chart', 'pdf'])).toMatchObject({ code: 2, out: '' });
  });
});
