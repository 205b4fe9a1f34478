// The workflow ids that lockerflow makes for itself, and the business keys that look like one of them.
import { expect, test } from 'vitest';
import { eventStartsId } from '../../../client/flow-files/event-starts.ts';
import { scheduleIdOf } from '../../../client/flow-files/schedules.ts';
import { checkBusinessKey, internalIds } from '../../../contract/flows/internal-ids.ts';
import { definitionWorkflowId } from '../../../flows/language/registry.ts';
import { notifierId } from '../../../processes/notifications/notifier.ts';
import { newKey } from '../../../processes/views/process-fields.ts';
import { correlationQueueId } from '../../../shared/routing/correlation-queues.ts';
import { itemOutId } from '../../../shared/routing/item-out.ts';
import { unmatchedId } from '../../../shared/routing/keep-unmatched.ts';
import { reconcilerScheduleId } from '../../../shared/routing/reconciler-schedule.ts';

/** Every kind, as its own code makes it. */
const made: Readonly<Record<keyof typeof internalIds, string>> = {
  definition: definitionWorkflowId('Parcel'),
  unmatched: unmatchedId('shipment-1'),
  correlation: correlationQueueId('device', 'laptop-7'),
  schedule: scheduleIdOf('Parcel', 'weekly'),
  eventStarts: eventStartsId('repair.wanted'),
  outreach: `${internalIds.outreach}5f0c`,
  // What makes it is an activity: adoption.ts.
  adopted: `${internalIds.adopted}shipment-1`,
  itemOut: itemOutId('shipment-1'),
  noteAfterEnd: `${internalIds.noteAfterEnd}5f0c`,
  snoozed: `${internalIds.snoozed}5f0c`,
  batch: `${internalIds.batch}5f0c`,
  migration: `${internalIds.migration}Parcel to 4`,
  reconciler: reconcilerScheduleId('lockerflow'),
  notifier: notifierId('lockerflow'),
};

test.each([...Object.values(made), 'temporal-sys-scheduler:reconciler of lockerflow'])(
  '%s is no business key',
  (id) => {
    expect(() => checkBusinessKey(id)).toThrow(/^key: must not begin with "/);
  },
);

test.each(['.', '..'])('%s is no business key: no address could name its process', (key) => {
  expect(() => checkBusinessKey(key)).toThrow(`key: must not be "${key}"`);
  expect(newKey.safeParse(key).success).toBe(false);
});

test('a key that only has dots in it is a business key', () => {
  for (const key of ['...', '.a', 'a..', 'order.1042']) {
    expect(() => checkBusinessKey(key)).not.toThrow();
    expect(newKey.safeParse(key).success).toBe(true);
  }
});

test.each([
  'order-1042',
  'flow-definition',
  'kept at the desk',
  'Unmatched:1',
  'an order unmatched:1',
  'reconciler',
])('%j is a business key', (key) => {
  expect(() => checkBusinessKey(key)).not.toThrow();
});

test.each([
  ['must not be empty', ''],
  ['must be well-formed Unicode without a NUL character', 'order-\ud83d'],
  ['must be well-formed Unicode without a NUL character', 'a\0b'],
  ['must have at most 800 bytes, not 802', 'ü'.repeat(401)],
])('a key that Temporal would refuse %s', (words, key) => {
  expect(() => checkBusinessKey(key)).toThrow(`key: ${words}`);
});
