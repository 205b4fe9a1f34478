// What the locker service has of a booking in doubt, and what that lets a person do: nothing is booked a second time by a mistake.
import { expect, test } from 'vitest';
import type { ActionForm } from '../../processes/action-forms/question-forms.ts';
import { askAboutDoubt, type DoubtAnswer, formsInDoubt } from '../../processes/booking-doubt.ts';
import { textsInDoubt } from '../../processes/inbox/decision-texts.ts';
import { LockerApiError } from '../../shared/locker-api/index.ts';
import { newBooking, newProgress } from '../support/progress.ts';

const record = (shipmentUid: string, more: object = {}) => ({
  shipmentUid,
  referenceCaseNo: 'DL-1',
  stateCode: 'ReadyForDropoff',
  stateStart: '2031-05-01T12:00:00.000',
  pupUid: 'pup-central',
  lockerName: '12',
  ...more,
});

const asked = async (answer: object | Error) => {
  const call = async () => {
    if (answer instanceof Error) throw answer;
    return { totalItems: null, nextCursor: null, ...answer };
  };
  const doubt = { why: 'lost', candidates: [], retryMayBookTwice: false };
  return await askAboutDoubt({ call } as never, 'DL-1', { id: 'shipments', caseNo: null, doubt });
};

test('what has the case number is found, with locker and moment; what has ended or is of others is not', async () => {
  const items = [
    record('one'),
    record('other', { referenceCaseNo: 'DL-2' }),
    record('over', { stateCode: 'Cancelled' }),
  ];
  expect(await asked({ items })).toMatchObject({
    found: [
      { shipmentUid: 'one', pupUid: 'pup-central', lockerName: '12', since: '2031-05-01T12:00:00.000Z' },
    ],
    unread: null,
  });
});

test('finding none proves nothing where the service did not say all', async () => {
  expect(await asked({ items: [] })).toMatchObject({ found: [], unread: null });
  expect(await asked({ items: [], totalItems: 3 })).toMatchObject({
    unread: expect.stringContaining('more'),
  });
  expect(await asked({ items: [], nextCursor: 'x' })).toMatchObject({
    unread: expect.stringContaining('more'),
  });
  const refusal = (code: string) =>
    new LockerApiError({
      operation: 'GetShipments',
      code,
      message: `${code}: off`,
      retryable: false,
      mayHaveReachedService: 'yes',
    });
  expect(await asked(refusal('UnknownOperation'))).toMatchObject({
    unread: 'it does not list its shipments',
  });
  expect(await asked(refusal('InternalError'))).toMatchObject({ unread: expect.any(String) });
});

const form = (command: string, more: Partial<ActionForm> = {}): ActionForm => ({
  id: command,
  command,
  label: command === 'adopt' ? 'Adopt what was booked' : 'Book again',
  consequence: 'As the process says it.',
  fields: [],
  request: { path: `/v1/processes/DL-1/commands/${command}`, body: {} },
  ...more,
});

const found = (shipmentUid: string, lockerName = '12') => ({
  shipmentUid,
  pupUid: 'pup-central',
  lockerName,
  since: null,
});
const doubt = (more: Partial<DoubtAnswer> = {}): DoubtAnswer => ({
  booking: 'shipments',
  askedAt: '2031-05-01T12:00:00.000Z',
  found: [],
  unread: null,
  ...more,
});

const forms = (answer: DoubtAnswer, given = [form('retry'), form('adopt'), form('giveUp')]) =>
  formsInDoubt(given, {
    progress: newProgress(),
    doubts: [answer],
    names: new Map([['pup-central', 'Central']]),
  });

test('one that is found is chosen by one form, and booking again would be a second one', () => {
  const [choose, ...others] = forms(doubt({ found: [found('s-1')] }));
  expect(choose).toMatchObject({
    label: 'It was booked: choose it',
    consequence: expect.stringContaining('locker 12, Central'),
    request: { body: { shipments: { issue: 's-1' } } },
    fields: [{ name: 'why', suggested: expect.any(String) }],
  });
  expect(others.find(({ command }) => command === 'retry')).toMatchObject({
    isDestructive: true,
    consequence: expect.stringContaining('books one more'),
  });
});

test('of several each has a form of its own, by its locker', () => {
  const labels = forms(doubt({ found: [found('s-1'), found('s-2', '14')] })).map(({ label }) => label);
  expect(labels.slice(0, 2)).toEqual([
    'It was booked: choose it: locker 12',
    'It was booked: choose it: locker 14',
  ]);
});

test('a booking of several legs is chosen leg by leg, from what was found', () => {
  const progress = newProgress({ flow: 'IssueAndSwapIntake', ...newBooking({}, 'IssueAndSwapIntake') });
  const fields = ['issue', 'intake'].map((role) => ({
    name: `shipments.${role}`,
    label: `shipmentUid of ${role}`,
    kind: 'text' as const,
  }));
  const doubts = [
    doubt({ booking: progress.bookings[0]?.id ?? '', found: [found('s-1'), found('s-2', '14')] }),
  ];
  const [choose] = formsInDoubt([form('adopt', { fields })], { progress, doubts });
  expect(choose?.fields).toMatchObject([
    {
      label: 'Delivery',
      kind: 'select',
      options: ['s-1', 's-2'],
      optionLabels: [expect.stringContaining('locker 12'), expect.anything()],
    },
    { label: 'Return', kind: 'select' },
  ]);
});

test('it is booked again only after a search that found none', () => {
  const [retry] = forms(doubt(), [form('adopt'), form('retry', { isDestructive: true })]);
  expect(retry).toMatchObject({ command: 'retry', consequence: expect.stringContaining('books once') });
  expect(retry?.isDestructive).toBeUndefined();
  const unread = forms(doubt({ unread: 'it is away' }));
  expect(unread.at(-1)).toMatchObject({
    command: 'retry',
    isDestructive: true,
    consequence: expect.stringContaining('could not be asked (it is away)'),
  });
});

test('Work says what was found, and what that lets a person do', () => {
  const texts = (answer: DoubtAnswer) =>
    textsInDoubt({ why: 'Lost.' }, [answer], new Map([['pup-central', 'Central']]));
  expect(texts(doubt({ found: [found('s-1')] }))).toEqual({
    why: 'The answer to the booking was lost. The locker service has one booking with the number of this case: locker 12, Central.',
    toDo: 'Choose what was booked: then nothing is booked again.',
  });
  expect(texts(doubt()).toDo).toBe('Nothing was booked: book again.');
  expect(texts(doubt({ unread: 'away' })).toDo).toContain('say which shipment');
});
