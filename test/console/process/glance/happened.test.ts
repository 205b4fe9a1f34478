// What happened, for people: every recorded process in sentences without a word that only developers know.
import { defaultPayloadConverter } from '@temporalio/common';
import { describe, expect, test } from 'vitest';
import type { HappenedRow } from '../../../../console/process/glance/glance-view.ts';
import { happenedOf } from '../../../../console/process/glance/happened.ts';
import { sentenceOfEntry } from '../../../../console/process/glance/sentences.ts';
import { type HistoryEvent, timelineOf } from '../../../../processes/views/timeline.ts';
import { type TimelineData, timerData } from '../../../../processes/views/timeline-data.ts';
import { historyOf, recordings } from '../../../workflows/recording/recordings.ts';

const decode = async (payload: unknown) =>
  payload ? defaultPayloadConverter.fromPayload(payload as never) : null;

/** Names in code, ISO instants and durations, uids, JSON. */
const JARGON = /xstate|[a-z][A-Z]|\bP(?:\d|T\d)|[\da-f]{8}-[\da-f]{4}|[{}`]|undefined|\bnull\b/;
/** What a person or another system has typed is theirs. */
const quoted = (words: string): string => words.replaceAll(/“[^”]*”|because .*|failed: .*/g, '');

const wordsIn = (rows: readonly HappenedRow[]): string[] => rows.flatMap(({ words, did }) => [words, ...did]);

const recorded = await recordings();

describe.each(recorded)('$name', ({ recording }) => {
  test('reads in sentences', async () => {
    const events = (historyOf(recording).events ?? []) as HistoryEvent[];
    const timeline = await timelineOf([events], decode, () => undefined);
    const rows = await happenedOf(timeline, new Map());
    const words = wordsIn(rows);
    expect(words[0]).toMatch(/^It (?:is started|goes on from before)\.$/);
    for (const each of words) {
      expect(each).toMatch(/^[\p{Lu}\d“].*[.!?…”]$/su);
      expect(quoted(each)).not.toMatch(JARGON);
    }
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
  const rows = await happenedOf({ entries }, new Map());
  expect(rows).toHaveLength(1);
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
