// The parts of a case that does the same for many: all of them, also those that have not begun, and who has not come first.
import { expect, test } from 'vitest';
import {
  casePartsOf,
  indexesShown,
  MAX_PARTS,
  statusIn,
  summaryOf,
  together,
} from '../../../../console/process/overview/case-parts.ts';
import { inputsOfParts } from '../../../../console/process/overview/inputs-of-parts.ts';
import { readFlowFile } from '../../../../flows/language/reading/read-flow-file.ts';
import { waitingFor } from '../../../../flows/language/waiting-for.ts';
import { rowStateOf } from '../../../../processes/views/row-state.ts';
import { namesForTests } from '../../../flows/language/names.ts';
import { newFileProgress } from '../../../support/progress.ts';

const batch = {
  id: 'device',
  type: 'Intake',
  items: 6,
  next: 4,
  atOnce: 2,
  open: [0, 1],
  failed: [2],
  left: [],
};

const child = (index: number, goal: 'DropOff' | 'PickUp', { isOverdue = false, isForDesk = false } = {}) => ({
  key: `RECALL-7/device.${index}`,
  overview: {
    where: [{ words: `Place ${index}`, pupUid: null }],
    next: [{ code: null, words: `Next ${index}.`, until: '2031-05-01T12:00:00Z', isOverdue }],
  },
  lockers: [
    {
      key: '',
      shipmentUid: `s-${index}`,
      words: '',
      pupUid: null,
      lockerName: `${index}`,
      goal,
      isForDesk,
    },
  ],
});

const partsWith = (...children: ReturnType<typeof child>[]) =>
  casePartsOf({
    key: 'RECALL-7',
    progress: newFileProgress({
      batches: [batch],
      children: [
        { id: 'device.0', flow: 'Intake', key: 'RECALL-7/device.0' },
        { id: 'device.1', flow: 'Intake', key: 'RECALL-7/device.1' },
      ],
    }),
    children,
  });

test('each item has its status by where the batch has come', () => {
  expect([0, 1, 2, 3, 4, 5].map((index) => statusIn(batch, index))).toEqual([
    ...['open', 'open', 'failed', 'done'],
    ...['notBegun', 'notBegun'],
  ]);
});

test('who is late stands first, then what the desk is to fetch, and then who has not come', () => {
  const stages = partsWith(child(0, 'PickUp'), child(1, 'DropOff')).map(({ id, stage }) => `${id} ${stage}`);
  expect(stages).toEqual([
    'device.2 failed',
    'device.1 toBring',
    'device.4 notBegun',
    'device.5 notBegun',
    'device.0 inside',
    'device.3 done',
  ]);
  expect(partsWith(child(0, 'PickUp', { isForDesk: true }), child(1, 'DropOff'))[0]?.id).toBe('device.0');
  const late = partsWith(child(0, 'PickUp', { isForDesk: true }), child(1, 'DropOff', { isOverdue: true }));
  expect(late.slice(0, 2).map(({ id }) => id)).toEqual(['device.1', 'device.0']);
  expect(partsWith(child(0, 'PickUp', { isOverdue: true }), child(1, 'DropOff'))[0]).toMatchObject({
    id: 'device.0',
    key: 'RECALL-7/device.0',
    where: [{ words: 'Place 0' }],
    next: { words: 'Next 0.', isOverdue: true },
  });
});

test('the summary counts them, in the words of what is done with each', () => {
  const parts = partsWith(child(0, 'PickUp'), child(1, 'DropOff'));
  expect(summaryOf(batch, { bookings: [] }, parts)).toBe(
    '1 of 6 back: 1 in a locker, 1 to be brought, 1 failed, 2 not begun',
  );
  expect(summaryOf({ ...batch, type: 'Issue' }, { bookings: [] }, parts)).toMatch(
    /^1 of 6 done: .* 1 to be put in/,
  );
});

test('the list says the same, without the name that its flow file has for them', () => {
  const wait = waitingFor({
    code: 'Batch',
    params: { id: 'device', items: 6, done: 0, failed: 0, open: 4 },
    id: 'device',
    type: 'Intake',
  });
  const begun = { ...batch, next: 4, open: [0, 1, 2, 3], failed: [] };
  const progress = newFileProgress({ waitingFor: [wait], batches: [begun] });
  expect(rowStateOf(progress).next?.words).toBe('0 of 6 back: 4 under way, 2 not begun');
});

test('of very many those are shown that are not over', () => {
  const large = { ...batch, items: 500, next: 499, open: [3], failed: [] };
  const shown = indexesShown(large);
  expect(shown).toHaveLength(MAX_PARTS);
  expect(shown.slice(0, 2)).toEqual([3, 499]);
});

test('the same of several is said once, with its first end', () => {
  const event = (until: string) => ({ code: null, words: 'The user brings it.', until, isOverdue: false });
  expect(together([event('2031-05-03'), event('2031-05-01')])).toEqual([
    { ...event('2031-05-01'), words: 'The user brings it (2 parts).' },
  ]);
  expect(together([event('2031-05-03')])).toEqual([event('2031-05-03')]);
});

test('whom a part is for is known before it has begun, as its file makes it of the item', () => {
  const { file } = readFlowFile(
    `
name: Recall
meaning: Everybody brings a device.
input: { type: object, properties: { devices: { type: array } } }
initial: recalling
states:
  recalling:
    invoke:
      id: device
      src: each
      input:
        of: "\${input.devices}"
        title: "\${item.number}"
        do:
          src: Intake
          input: { request: { fromUserUid: "\${item.user}", details: { referenceNo: "\${item.number}" } } }
      onDone: over
      onError: over
  over: { type: final }
`,
    namesForTests,
  );
  if (!file) throw new Error('no file');
  const of = [{ user: 'user-anna', number: 'laptop-1' }, 'no device'];
  const batches = [{ ...batch, items: 2, next: 1, of }];
  expect(inputsOfParts(file, { input: {}, context: {}, batches })).toEqual([
    {
      id: 'device.0',
      type: 'Intake',
      title: 'laptop-1',
      request: { fromUserUid: 'user-anna', details: { referenceNo: 'laptop-1' } },
    },
    // The file cannot make it of that item.
    { id: 'device.1', type: 'Intake', title: undefined, request: {} },
  ]);
});

test('what has not begun says when it begins', () => {
  const [waiting] = partsWith(child(0, 'DropOff'), child(1, 'PickUp')).filter(
    ({ stage }) => stage === 'notBegun',
  );
  expect(waiting?.next?.words).toBe('Not begun: begins when one of the others is done; 2 at a time');
});
