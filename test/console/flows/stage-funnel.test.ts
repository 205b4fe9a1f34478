// The stages of a flow for people, each with the number of processes in it.
import { describe, expect, test } from 'vitest';
import { type FunnelLane, stageFunnel } from '../../../console/flows/stage-funnel.ts';
import type { FlowType } from '../../../contract/flows/flow-types.ts';
import { chartView } from '../../../engine/chart/chart-view.ts';
import { idleMachineOf } from '../../../flows/language/machine/machine.ts';
import { readFlowFile } from '../../../flows/language/reading/read-flow-file.ts';
import { builtInChart, viewOfChart } from '../../../processes/views/built-in-charts.ts';
import { namesForTests } from '../../flows/language/names.ts';

/** `Title: count` of each stage, by lane. */
const words = (lanes: readonly FunnelLane[]) =>
  lanes.map(({ title, stages }) => [title, ...stages.map((stage) => `${stage.title}: ${stage.count}`)]);

describe('a built-in flow', () => {
  const chartOfFlow = (flow: FlowType) => viewOfChart(builtInChart(flow));

  test('with one shipment has one lane from the booking to the pick-up', async () => {
    const states = { booking: 1, following: 5, 'following.issue': 5, 'following.issue.ReadyForPickup': 5 };
    const lanes = stageFunnel('Issue', chartOfFlow('Issue'), states);
    expect(words(lanes)).toEqual([[null, 'Being booked: 1', 'To be dropped off: 0', 'To be picked up: 5']]);
    expect(lanes[0]?.stages.at(-1)?.path).toBe('following.issue.ReadyForPickup');
  });

  test('shows what is unusual only where a process is', async () => {
    const states = { bookingUnknown: 2, 'following.issue.RoleUnknown': 1, undoing: 1 };
    expect(words(stageFunnel('Issue', chartOfFlow('Issue'), states))).toEqual([
      [
        null,
        'Being booked: 0',
        'Booking in doubt: 2',
        'To be dropped off: 0',
        'To be picked up: 0',
        'Not known yet which shipment it is: 1',
        'Being undone: 1',
      ],
    ]);
  });

  test('with several shipments has a lane for each, and what is done in one of them', async () => {
    const flow = 'IssueAndSwapIntake';
    const states = {
      following: 3,
      'following.issue.Completed': 1,
      'following.issue.ReadyForPickup': 2,
      'following.intake.Registered': 3,
      'following.others.over': 3,
    };
    const lanes = stageFunnel(flow, chartOfFlow(flow), states);
    expect(lanes.map(({ title }) => title)).toEqual([null, 'Issue', 'Return']);
    expect(words(lanes)[0]).toEqual([null, 'Being booked: 0', 'On its way: 3']);
    expect(words(lanes)[1]).toEqual(['Issue', 'To be dropped off: 0', 'To be picked up: 2', 'Done: 1']);
    expect(words(lanes)[2]).toContain('Booked ahead: 3');
  });
});

describe('a flow file', () => {
  const { file, findings } = readFlowFile(
    `
name: Parcel
meaning: Keeps a parcel until somebody fetches it.
initial: kept
states:
  lost: { on: { found: kept } }
  checked:
    title: At the check
    initial: waiting
    states:
      waiting: { on: { begun: looking } }
      looking: {}
    on: { done: over }
  kept: { on: { fetched: checked, missing: lost } }
  over: { type: final }
`,
    namesForTests,
  );
  if (!file) throw new Error(`the file is wrong: ${JSON.stringify(findings)}`);
  const chart = chartView(idleMachineOf(file));

  test('has its states in the order in which processes come there, and those within one where processes are', () => {
    const states = { kept: 4, checked: 3, 'checked.waiting': 1, 'checked.looking': 2 };
    expect(words(stageFunnel('Parcel', chart, states))).toEqual([
      [null, 'Kept: 4', 'At the check: 3', 'Lost: 0'],
      ['At the check', 'Waiting: 1', 'Looking: 2'],
    ]);
    expect(words(stageFunnel('Parcel', chart, {}))).toEqual([
      [null, 'Kept: 0', 'At the check: 0', 'Lost: 0'],
    ]);
  });

  test('loses nobody who is in a state of an earlier version', () => {
    expect(words(stageFunnel('Parcel', chart, { kept: 1, atTheDesk: 2, 'atTheDesk.inner': 2 }))).toEqual([
      [null, 'Kept: 1', 'At the check: 0', 'Lost: 0'],
      ['Only in earlier versions', 'At the desk: 2'],
    ]);
  });
});
