// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions of a file.
// What happened, for people: every recorded process in sentences without a word that only developers know.
import { defaultPayloadConverter } from '@temporalio/common';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { HappenedItem, HappenedRow } from '../../../../console/process/glance/glance-view.ts';
import { folded, happenedOf } from '../../../../console/process/glance/happened.ts';
import { sentenceOfDoing, sentenceOfEntry } from '../../../../console/process/glance/sentences.ts';
import type { StepEffect } from '../../../../console/process/process-view.ts';
import { type HistoryEvent, timelineOf } from '../../../../processes/views/timeline.ts';
import { type TimelineData, timerData } from '../../../../processes/views/timeline-data.ts';
import { historyOf, recordings } from '../../../workflows/recording/recordings.ts';

const decode = async (payload: unknown) =>
  payload ? defaultPayloadConverter.fromPayload(payload as never) : null;

/** Names in code, ISO instants and durations, uids, JSON. */
const JARGON = /xstate|[a-z][A-Z]|\bP(?:\d|T\d)|[\da-f]{8}-[\da-f]{4}|[{}`]|undefined|\bnull\b/;
/** What a person or another system has typed is theirs. */
const quoted = (words: string): string => words.replaceAll(/“[^”]*”|because .*|failed: .*/g, '');

const wordsIn = (items: readonly HappenedItem[]): string[] =>
  items.flatMap(({ rows, others }) => [...rows, ...others].flatMap(({ words, did }) => [words, ...did]));

const recorded = await recordings();

describe.each(recorded)('$name', ({ recording }) => {
  test('reads in sentences', async () => {
    const events = (historyOf(recording).events ?? []) as HistoryEvent[];
    const timeline = await timelineOf([events], decode, () => undefined);
    const items = await happenedOf(timeline, null, new Map());
    const words = wordsIn(items);
    expect(words[0]).toMatch(/^It (?:is started|goes on from before)\.$/);
    for (const each of words) {
      expect(each).toMatch(/^[\p{Lu}\d“].*[.!?…”]$/su);
      expect(quoted(each)).not.toMatch(JARGON);
    }
    // Nothing of the timeline is lost.
    const technical = items.flatMap(({ rows, others }) =>
      [...rows, ...others].flatMap((row) => row.technical),
    );
    expect(technical.length).toBeGreaterThanOrEqual(timeline.entries.length);
  });
});

// To copy what is known so far for each entry would take a minute.
test('what says nothing goes with what came before it, also tens of thousands of entries', {
  timeout: 20_000,
}, async () => {
  const what = 'cancelled: an activity';
  const at = { at: null, by: null, onBehalfOf: null, why: null, kind: 'came', runId: 'run-1' } as const;
  const entries = Array.from({ length: 60_000 }, (_, index) => ({
    ...at,
    what,
    eventId: String(index),
    data: { type: 'callCancelled', activity: 'book', ...call } as const,
  }));
  const [item, ...others] = await happenedOf({ entries }, null, new Map());
  expect(others).toEqual([]);
  expect(item?.rows.map(({ technical }) => technical.length)).toEqual([entries.length]);
});

test('the steps that one message has caused leave others their turn', async () => {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now++);
  onTestFinished(() => void vi.restoreAllMocks());
  const at = { at: null, by: null, onBehalfOf: null, why: null, kind: 'came', runId: 'run-1' } as const;
  const entry = { ...at, what: 'begins', eventId: '1', data: { type: 'started', flow: 'Issue' } as const };
  const doings: StepEffect[] = [{ type: 'legDone', role: 'issue' }];
  const steps = Array.from({ length: 1_000 }, (_, number) => ({
    number,
    runId: 'run-1',
    eventId: `of-${number}`,
    what: 'x',
    did: [],
    doings,
  }));
  let turns = 0;
  let isOver = false;
  const turn = () => {
    turns += 1;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  const [item] = await happenedOf({ entries: [entry] }, steps as never, new Map());
  isOver = true;
  expect(item?.rows.map((row) => row.steps.length)).toEqual([steps.length]);
  expect(turns).toBeGreaterThan(30);
});

const names = new Map([['uid-1', 'the issue']]);

const signal = { role: null, shipmentUid: 'uid-1' } as const;
const call = { id: null, connector: null, operation: null };
const noLocker = { code: 'NoLockerFree', message: 'no locker is free' };
const updated = (name: string, fields: Record<string, string>) => ({
  ...({ type: 'updated', name } as const),
  fields,
  values: null,
});

test.each<[TimelineData, string | null]>([
  [
    {
      type: 'reported',
      source: 'callback',
      role: 'issue',
      shipmentUid: 'uid-1',
      stateCode: 'ReadyForPickup',
    },
    'The issue is to be picked up.',
  ],
  [
    { type: 'reported', source: 'reconciler', ...signal, stateCode: 'Completed' },
    'The issue is done; its callback had not come.',
  ],
  [
    { type: 'reported', source: 'callback', role: null, shipmentUid: 'uid-2', stateCode: 'Completed' },
    'A shipment that is not known yet is done.',
  ],
  [
    { type: 'timerPassed', ...timerData('issue: pick up until 2031-05-01 12:00 UTC') },
    'The deadline for the issue to be picked up has passed.',
  ],
  [{ type: 'callDone', activity: 'parkReports', ...call }, null],
  [
    { type: 'callFailed', activity: 'book', ...call, failure: noLocker },
    'The booking failed: no locker is free.',
  ],
  [
    updated('extendDeadline', { role: 'issue', stage: 'pickUp', fromNow: 'P2D' }),
    'The deadline for the issue to be picked up is extended to 2 days from then.',
  ],
  [
    {
      type: 'updated',
      name: 'answer',
      fields: { by: 'anna', question: 'deskCheck' },
      values: { whole: false },
    },
    'Anna answers “desk check”: whole no.',
  ],
  [
    updated('resolve', {
      by: 'Ada',
      action: 'setState',
      role: 'issue',
      stateCode: 'ReadyForPickup',
      why: 'she looked',
    }),
    'Ada decides: from now on the issue is to be picked up, because she looked.',
  ],
  [{ type: 'phase', phase: 'Open' }, null],
])('%j: %s', (data, words) => {
  const what = 'Ada claims the question deskCheck';
  expect(sentenceOfEntry({ data, what }, names).words).toBe(words);
});

test.each<[StepEffect, string | null]>([
  [{ type: 'moved', role: 'issue', stateCode: 'ReadyForPickup' }, 'The issue is to be picked up.'],
  [{ type: 'overdue', role: 'intake', stage: 'dropOff' }, 'The return to be dropped off is overdue.'],
  [
    { type: 'reportTaken', shipmentUid: 'uid-1', stateCode: 'Completed', verdict: 'contradictory' },
    'The report “done” changes nothing: it cannot follow from the state before.',
  ],
  [{ type: 'reportTaken', shipmentUid: 'uid-1', stateCode: 'Completed', verdict: 'next' }, null],
  [
    {
      type: 'halted',
      code: 'ExpressionFailed',
      message:
        'ExpressionFailed: states.repairing.on.broke: ${event.data.cost + 1}: No such key: cost; correct the file, publish it, and let the process take the event again (migrate): repair the expression; or end it (giveUp)',
    },
    'It cannot take this step: the rules of the flow have an error (No such key: cost).',
  ],
])('it did: %j', (doing, words) => {
  expect(sentenceOfDoing(doing, names).words).toBe(words);
});

const row = (words: string, at = '2031-05-01T12:00:00.000Z'): HappenedRow => ({
  at,
  words,
  did: [],
  by: null,
  why: null,
  isBad: false,
  technical: [],
  steps: [],
  runId: 'run',
  eventId: words,
});

test('three equal rounds and more are one, with all of them behind it; two are not', async () => {
  const rows = ['a', 'b', 'c', 'b', 'c', 'b', 'c', 'd', 'd'].map((words) => row(words));
  const items = await folded(rows);
  expect(items.map((item) => [item.rows.map(({ words }) => words).join(''), item.times])).toEqual([
    ['a', 1],
    ['bc', 3],
    ['d', 1],
    ['d', 1],
  ]);
  expect(items[1]?.others).toHaveLength(4);
  // Their times alone differ.
  const timed = ['2031-05-01', '2031-05-02', '2031-05-03'].map((day) =>
    row(`Until ${day}T12:00:00.000Z.`, `${day}T12:00:00.000Z`),
  );
  expect(await folded(timed)).toMatchObject([{ times: 3, lastAt: '2031-05-03T12:00:00.000Z' }]);
});
