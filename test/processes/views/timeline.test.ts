// What happened in every recorded process, as data: nobody has to read the words.
import { defaultPayloadConverter } from '@temporalio/common';
import { describe, expect, test } from 'vitest';
import {
  type HistoryEvent,
  type TimelineEntry,
  timeline,
  timelineOf,
} from '../../../processes/views/timeline.ts';
import { timerData, updateData } from '../../../processes/views/timeline-data.ts';
import { historyOf, recordings } from '../../workflows/recording/recordings.ts';

const decode = async (payload: unknown) =>
  payload ? defaultPayloadConverter.fromPayload(payload as never) : null;

const recorded = await recordings();
const all: TimelineEntry[] = [];

describe.each(recorded)('$name', ({ recording }) => {
  test('has data as the published schema says, and nothing unknown in it', async () => {
    const events = (historyOf(recording).events ?? []) as HistoryEvent[];
    const told = await timelineOf([events], decode, () => undefined);
    expect(timeline.parse(told)).toEqual(told);
    expect(JSON.stringify(told.entries.map(({ data }) => data))).not.toContain('"unknown"');
    all.push(...told.entries);
  });
});

test('the timers of deadlines and reminders are known by role and stage', () => {
  const passed = all.flatMap(({ data }) => (data.type === 'timerPassed' ? [data] : []));
  expect(passed.length).toBeGreaterThan(0);
  expect(passed.filter(({ deadline }) => deadline === null)).toEqual([]);
  expect(timerData('reminder of intake: drop off until 2031-05-01 12:00 UTC').deadline).toEqual({
    role: 'intake',
    stage: 'dropOff',
    isReminder: true,
  });
});

test('a booking is known by its operation, and how it failed by a code', () => {
  const failed = all.flatMap(({ data }) => (data.type === 'callFailed' ? [data] : []));
  expect(failed.length).toBeGreaterThan(0);
  for (const { activity, operation, failure } of failed) {
    expect(failure.code).toMatch(/^[A-Z]\w+$/);
    if (activity === 'book') expect(operation).toMatch(/^Create/);
  }
});

test('a delay of a flow file is known by its state', () => {
  expect(timerData('lent.waiting.after.P3D')).toEqual({
    timer: 'lent.waiting.after.P3D',
    deadline: null,
    delay: { state: 'lent.waiting', after: 'P3D' },
  });
});

test('an update has what was said, but for the receiver', () => {
  expect(updateData('setReceiver', { role: 'issue', toUserUid: 'user-anna' })).toEqual({
    type: 'updated',
    name: 'setReceiver',
    fields: { role: 'issue' },
    values: null,
  });
  const said = { by: 'anna', question: 'deskCheck', values: { whole: false } };
  expect(updateData('answer', said)).toMatchObject({ values: { whole: false }, fields: { by: 'anna' } });
  expect(updateData('migrate', { by: 'ben', why: 'new', to: { version: 3 } })).toMatchObject({
    fields: { by: 'ben', why: 'new', version: 3 },
  });
});
