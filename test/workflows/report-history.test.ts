// What an operator reads about the reports of a flow.
import { expect, test } from 'vitest';
import type { ReportEntry } from '../../contract/flows/booking-progress.ts';
import type { ShipmentReport } from '../../contract/flows/flow-messages.ts';
import { examples } from '../../contract/operations/examples.ts';
import { entered, wholeReportHistory } from '../../flows/booking/reports.ts';
import { Outside, reportOf } from './outside.ts';
import { Playing } from './playing.ts';

const report = (stateCode: string) => reportOf('shipment', stateCode, '2026-01-01T00:00:00.000Z');
const rows = (reportHistory: readonly ReportEntry[]) =>
  reportHistory.map(({ stateCode, judgement, times }) => [stateCode, judgement, times]);

test('a repeated report after the end of the flow is only counted', () => {
  const judged = entered([], report('ReadyForPickup'), 'next');
  const late = [report('ReadyForPickup'), report('Completed'), report('Completed')];
  expect(rows(wholeReportHistory(judged, [], late))).toEqual([
    ['ReadyForPickup', 'next', 2],
    ['Completed', 'afterTheEnd', 2],
  ]);
});

test('a report that comes twice before the flow knows its shipments is kept once', () => {
  const postponed = [report('ReadyForPickup'), report('ReadyForPickup')];
  expect(rows(wholeReportHistory([], postponed, []))).toEqual([['ReadyForPickup', 'postponed', 2]]);
});

async function following(input: object = {}): Promise<{ playing: Playing; outside: Outside; uid: string }> {
  const outside = new Outside();
  const { request } = examples.CreateLocalShipmentAsIssue;
  const playing = new Playing('Issue', { request, ...input }, outside.activities);
  await playing.answer();
  return { playing, outside, uid: outside.uid('issue') };
}

/** The cells of each row of the last table. */
const reportRows = ({ details }: Playing) =>
  (details.split('| last reports of |')[1] ?? '')
    .split('\n')
    .slice(2)
    .map((row) => row.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '')));

test('the details and the progress show the result of each report, the last one first', async () => {
  const { playing, uid } = await following();
  const at = (minutes: number) => new Date(Date.UTC(2031, 0, 1, 12, minutes)).toISOString();
  const reported: [stateCode: string, stateStart: string, judgement: string][] = [
    ['ReadyForPickup', at(10), 'next'],
    ['ReadyForDropoff', at(0), 'stale'],
    ['Quarantined', at(11), 'unknown'],
    ['ReadyForDropoff', at(30), 'contradictory'],
  ];
  for (const [stateCode, stateStart] of reported) playing.receive(reportOf(uid, stateCode, stateStart));
  playing.receive(reportOf(uid, 'ReadyForPickup', at(10)));
  playing.receive(reportOf(uid, 'ReadyForPickup', at(12)));
  const judgements = [...reported.map(([, , judgement]) => judgement), 'repeated'];
  expect(playing.progress.reportHistory.map(({ judgement }) => judgement)).toEqual(judgements);
  expect(
    reportRows(playing).map(([, state, since, judgement, times]) => [state, since, judgement, times]),
  ).toEqual([
    ['`ReadyForPickup`', at(12), 'repeated', '1'],
    ['`ReadyForDropoff`', at(30), 'contradictory', '1'],
    ['`Quarantined`', at(11), 'unknown', '1'],
    ['`ReadyForDropoff`', at(0), 'stale', '1'],
    ['`ReadyForPickup`', at(10), 'next', '2'],
  ]);
});

test('the details show a skipped state, and reports after the end', async () => {
  const { playing, uid } = await following();
  playing.receive(reportOf(uid, 'WaitForReceiver', null));
  // The shipment was ready for pick up in between, but no report said so.
  playing.receive(reportOf(uid, 'Completed', null));
  expect(playing.ending).toMatchObject({ kind: 'result', result: { outcome: 'Done' } });
  playing.receive(reportOf(uid, 'ReadyForPickup', null));
  expect(playing.progress.reportHistory).toMatchObject([
    { stateCode: 'WaitForReceiver', judgement: 'next' },
    { stateCode: 'Completed', judgement: 'skippedAhead' },
    { stateCode: 'ReadyForPickup', judgement: 'afterTheEnd' },
  ]);
});

test('a report of a shipment that is not its own is handed on, before the end and after it', async () => {
  const { playing, uid } = await following();
  const [before, after] = [
    reportOf('another', 'ReadyForPickup', null),
    reportOf('another', 'Completed', null),
  ];
  playing.receive(before);
  playing.receive(reportOf(uid, 'Completed', null));
  playing.receive(after);
  playing.receive({} as ShipmentReport);
  expect(playing.emitted).toEqual([before, after].map((payload) => ({ type: 'notOurs', payload })));
  expect(playing.progress.reportHistory).toHaveLength(1);
});

test('a report with an impossible year does not stop the flow', async () => {
  const { playing, uid } = await following({ deadlines: { issue: { pickUp: 'P3D' } } });
  playing.receive(reportOf(uid, 'ReadyForPickup', '+275760-09-13T00:00:00'));
  const [deadline] = playing.progress.deadlines;
  expect(Date.parse(deadline?.until ?? '')).toBeLessThan(Date.now() + 4 * 86_400_000);
  expect(playing.details).toContain('issue to be picked up until');
});

test('the details show the last ten reports, and no text of a peer breaks their table', async () => {
  const { playing, uid } = await following();
  for (let state = 1; state <= 12; state++) playing.receive(reportOf(uid, `odd|${state}\n\`x`, '2031|a\nb'));
  const rows = reportRows(playing);
  expect(rows.map(([, state]) => state)).toEqual(
    [12, 11, 10, 9, 8, 7, 6, 5, 4, 3].map((n) => `\`\`odd\\u007c${n}\\u000a\`x\`\``),
  );
  expect(playing.details).toContain('`2031\\u007ca\\u000ab`');
  expect(playing.progress.reportHistory).toHaveLength(12);
});
