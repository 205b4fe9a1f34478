// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions of a file.
// What a process of a flow file may be started with: by the file's own `input`, and where its booking is the whole process, by
// what the built-in flow of its operation takes.
import { describe, expect, test } from 'vitest';
import { checkInput } from '../../../client/flow-contract.ts';
import type { FlowType } from '../../../contract/flows/flow-types.ts';
import { examples } from '../../../contract/operations/examples.ts';
import { ContractError } from '../../../contract/wire/contract-error.ts';
import { issue } from '../../../flows/built-in/flows.ts';
import type { FlowFile, JsonObject } from '../../../flows/language/flow-file.ts';
import { startOf } from '../../../flows/language/reading/event-start.ts';
import { readFlowFile } from '../../../flows/language/reading/read-flow-file.ts';
import { startIssues } from '../../../flows/language/reading/start-issues.ts';
import { fileOf } from '../../../flows/shipped/files.ts';
import { onboardAccount } from '../../../flows/shipped/onboard-account.ts';
import { namesForTests } from './names.ts';

const { request } = examples.CreateLocalShipmentAsIssue;
const copy = (more: Partial<FlowFile> = {}): FlowFile => ({ ...fileOf(issue), name: 'Copy', ...more });

/** What a start of the built-in flow is refused with. */
function builtInIssues(input: object, flow: FlowType = 'Issue') {
  try {
    checkInput(flow, input);
  } catch (error) {
    if (error instanceof ContractError) return error.issues;
    throw error;
  }
  return [];
}

const person = {
  emailAddress: 'anna@example.com',
  firstName: 'Anna',
  lastName: 'Jansen',
  pickUpPointUid: 'pup',
};

describe('a copy of OnboardAccount', () => {
  const onboarding: FlowFile = { ...onboardAccount, name: 'Copy' };

  test.each<[string, object]>([
    ['nothing', {}],
    ['a request with a wrong field', { request: { ...person, emailAddress: 'anna', shoeSize: 38 } }],
    ['a part of an address', { request: { ...person, city: 'Utrecht' }, applyDetails: true }],
    ['an event that it never tells', { request: person, tell: { events: ['overdue'] } }],
    ['an unknown clock', { request: person, clock: 'moon' }],
    ['an unknown field', { request: person, deadlines: {} }],
  ])('is refused %s in the words of the built-in flow', (_, input) => {
    const issues = startIssues(onboarding, input);
    expect(issues).not.toEqual([]);
    expect(issues).toEqual(builtInIssues(input, 'OnboardAccount'));
  });

  test('takes what the built-in flow takes, and what its own input says', () => {
    const start = { request: person, applyDetails: true, tell: { events: ['ended'] }, clock: null };
    expect(startIssues(onboarding, start)).toEqual([]);
    expect(startIssues({ ...onboarding, input: { required: ['phoneNumber'] } }, start)).toMatchObject([
      { field: 'request.phoneNumber' },
    ]);
  });
});

describe('a copy of a built-in flow', () => {
  test.each<[string, object]>([
    ['nothing', {}],
    ['a request with a wrong field', { request: { ...request, pupUid: 3, pupUId: 'central' } }],
    ['no receiver', { request: { ...request, toUserUid: null } }],
    ['a leg that it does not have', { request, deadlines: { intake: { pickUp: 'P1D' } } }],
    ['a deadline of more than a hundred years', { request, deadlines: { issue: { pickUp: 'P9999999D' } } }],
    ['another policy', { request, onOverdue: 'cancle' }],
    ['no duration', { request, waitForLocker: '3 days' }],
    ['a reminder of no time', { request, tell: { events: ['reminder'] } }],
    ['an unknown clock', { request, clock: 'moon' }],
    ['an unknown field', { request, deadline: {} }],
    ['a very long input', { request: { ...request, more: 'x'.repeat(40_000) } }],
  ])('is refused %s in the words of the built-in flow', (_, input) => {
    const issues = startIssues(copy(), input);
    expect(issues).not.toEqual([]);
    expect(issues).toEqual(builtInIssues(input));
  });

  test('takes what the built-in flow takes', () => {
    const tell = { events: ['reminder'], remindBefore: 'PT4H' };
    const deadlines = { issue: { pickUp: 'P3D' } };
    const start = { request, deadlines, onOverdue: 'cancel', waitForLocker: 'PT1H', tell, clock: null };
    expect(startIssues(copy(), start)).toEqual([]);
  });

  test('is refused a deadline of which the locker service would not tell that it is met', () => {
    const collect = copy({
      initial: 'following',
      states: {
        following: {
          invoke: { src: 'book', input: { operation: 'CreateCollectOnlyShipment', isWhole: true } },
        },
      },
    });
    const start = {
      request: { ...examples.CreateCollectOnlyShipment.request, keepBookedAfterPickUp: true },
      deadlines: { collect: { pickUp: 'P1D' } },
    };
    expect(startIssues(collect, start)).toEqual([]);
    expect(startIssues(collect, start, [])).toMatchObject([{ field: 'deadlines.collect.pickUp' }]);
  });

  test('with an input of its own takes what both take', () => {
    const own = copy({
      input: {
        type: 'object',
        properties: { pupUid: { type: 'string', maxLength: 3 } },
        required: ['details'],
      },
    });
    expect(startIssues(own, { request, onOverdue: 'cancle' })).toEqual([
      ...builtInIssues({ request, onOverdue: 'cancle' }),
      ...startIssues({ ...own, states: {} }, { request }),
    ]);
    expect(startIssues({ ...own, states: {} }, { request })).not.toEqual([]);
  });

  test('with an input of its own names a field once, in the words of the contract', () => {
    const own = copy({
      input: {
        required: ['lockerUid', 'pupUid'],
        properties: { pupUid: { type: 'string' }, dimension: { required: ['width'] } },
      },
    });
    const wrong = { ...request, lockerUid: null, pupUid: 3, dimension: { height: 1, length: 1 } };
    expect(startIssues(own, { request: wrong })).toEqual([
      ...builtInIssues({ request: wrong }),
      { field: 'request.lockerUid', message: 'is required' },
    ]);
    for (const refused of [
      { ...request, pupUid: null },
      { ...request, more: 'x'.repeat(40_000) },
    ]) {
      const start = { request: { ...refused, lockerUid: 'a1' } };
      expect(startIssues(own, start)).toEqual(builtInIssues(start));
    }
  });

  test('with an input of its own takes null as absent, as the contract does', () => {
    const text = { type: 'string' };
    const own = copy({
      input: {
        required: ['details'],
        properties: { lockerUid: text, details: { type: 'object', properties: { referenceNo: text } } },
      },
    });
    const details = { referenceNo: null };
    expect(startIssues(own, { request: { ...request, lockerUid: null, details } })).toEqual([]);
    expect(startIssues(own, { request: { ...request, details: null } })).toEqual([
      { field: 'request.details', message: 'is required' },
    ]);
    const alone = { ...own, states: {} };
    expect(startIssues(alone, { request: { lockerUid: null, details: {} } })).toMatchObject([
      { field: 'request.lockerUid' },
    ]);
  });

  test('is not published with a schedule whose processes could not book', () => {
    const schedules = { nightly: { cron: '0 3 * * *', zone: 'Europe/Amsterdam' } };
    const findings = (given: JsonObject) =>
      readFlowFile(
        JSON.stringify(copy({ schedules: { nightly: { ...schedules.nightly, ...given } } })),
        namesForTests,
      ).findings;
    expect(findings({})).toMatchObject(
      builtInIssues({ request: {} }).map(({ field, message }) => ({
        code: 'RequestWrong',
        path: 'schedules.nightly',
        what: `a request in which ${field} ${message}`,
      })),
    );
    expect(findings({ request: request as unknown as JsonObject })).toEqual([]);
  });

  test('is not started by an event whose data is no request', () => {
    const file = copy({ starts: { 'parcel.ready': {} } });
    const start = (data: object) =>
      startOf(file, { type: 'parcel.ready', id: '1', data: data as JsonObject });
    expect(start({ pupUid: 'central' })).toEqual(
      builtInIssues({ request: { pupUid: 'central' } }).map(({ field, message }) => `${field} ${message}`),
    );
    expect(start(request)).toMatchObject({ flow: 'Copy', request });
  });
});

test.each<[unknown, string]>([
  ['hello', 'a text'],
  [['a', 'b'], 'a list'],
  [7, 'a number'],
])('a start with %j says what it is, and what was expected', (start, kind) => {
  const file = { name: 'Check', meaning: 'A test.' };
  const message = `the input must be an object, not ${kind}`;
  expect(startIssues(file, start)).toEqual([{ field: '', message }]);
});

test('any other file takes a request by its own input, and a clock', () => {
  const file = { name: 'Check', meaning: 'A test.', input: { type: 'object', required: ['item'] } };
  expect(startIssues(file, { request: { item: 1 }, clock: 'sandbox' })).toEqual([]);
  expect(startIssues(file, { deadlines: {}, clock: 'moon' })).toEqual([
    { field: 'deadlines', message: 'is not known; expected request, clock' },
    { field: 'clock', message: 'must be one of sandbox' },
    { field: 'request.item', message: 'is required' },
  ]);
});
