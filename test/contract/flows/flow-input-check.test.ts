// What a flow may be started with: every offending field is named, in the starter's own words.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ContractError,
  checkFlowInput,
  checkOnboardInput,
  type FlowInputRules,
} from '../../../contract/index.ts';
import { examples } from '../../../contract/operations/examples.ts';
import { atSizes } from '../../support/suite.ts';
import { refusal } from '../refusal.ts';

const issue: FlowInputRules = {
  operation: 'CreateLocalShipmentAsIssue',
  deadlines: [
    { role: 'issue', stage: 'dropOff' },
    { role: 'issue', stage: 'pickUp' },
  ],
};
const request = examples.CreateLocalShipmentAsIssue.request;
const { toUserUid: _, ...withoutUser } = request;
const anna = { emailAddress: 'anna@example.com', firstName: 'Anna', lastName: 'Jansen' };

function faults(
  input: unknown,
  check: (input: unknown) => unknown = (given) => checkFlowInput(issue, given),
) {
  try {
    check(input);
    return {};
  } catch (error) {
    if (!(error instanceof ContractError)) throw error;
    expect(error.code).toBe('InvalidRequest');
    return Object.fromEntries(error.issues.map(({ field, message }) => [field, message]));
  }
}

describe('the input of a flow', () => {
  it('is accepted unchanged if it is valid', () => {
    const input = {
      request,
      deadlines: { issue: { pickUp: 'P1W2DT3H4M5.5S' } },
      onOverdue: 'cancel' as const,
      waitForLocker: 'PT2H',
    };
    expect(checkFlowInput(issue, input)).toEqual({ ...input, users: {} });
  });

  it('names what the outside can be told, and the connector by its name', () => {
    const tell = { events: ['overdue', 'ended'], to: 'hub' };
    expect(checkFlowInput(issue, { request, tell })).toMatchObject({ tell });
    expect(faults({ request, tell: { events: ['overdue'], to: null } })).toEqual({});
    expect(faults({ request, tell: { events: [] } })).toEqual({
      'tell.events': 'must have at least one of reminder, overdue, needsPerson, ended',
    });
    expect(
      Object.keys(faults({ request, tell: { events: ['late'], to: 'https://x', url: 'y' } })).sort(),
    ).toEqual(['tell.events.0', 'tell.to', 'tell.url']);
  });

  it('takes a reminder together with its time before the deadlines', () => {
    const tell = { events: ['reminder'], remindBefore: 'P2D' };
    expect(checkFlowInput(issue, { request, tell })).toMatchObject({ tell });
    expect(faults({ request, tell: { events: ['reminder'] } })).toEqual({
      'tell.remindBefore':
        'is required for the event reminder: how long before each deadline it is sent, like P1D',
    });
    expect(faults({ request, tell: { events: ['ended'], remindBefore: 'P2D' } })).toEqual({
      'tell.remindBefore':
        'must not be given without reminder in events; add reminder there, or leave this out',
    });
    expect(Object.keys(faults({ request, tell: { events: ['reminder'], remindBefore: '2 days' } }))).toEqual([
      'tell.remindBefore',
    ]);
  });

  it('treats null as a missing field, because other languages send it', () => {
    const input = { request, deadlines: null, onOverdue: null, waitForLocker: null };
    expect(checkFlowInput(issue, input)).toEqual({ request, users: {} });
    expect(faults({ request, deadlines: { issue: { pickUp: null } } })).toEqual({});
  });

  it('takes an account in place of a uid, at the pick up point of the booking unless it names one', () => {
    const own = { ...anna, pickUpPointUid: 'pup-station' };
    expect(checkFlowInput(issue, { request: { ...withoutUser, toUser: anna } })).toEqual({
      request: withoutUser,
      users: { toUserUid: { ...anna, pickUpPointUid: 'pup-central' } },
    });
    expect(checkFlowInput(issue, { request: { ...withoutUser, toUser: own } }).users.toUserUid).toEqual(own);
  });

  it('needs a pick up point for an account where the booking names none', () => {
    const fromStock: FlowInputRules = { operation: 'CreateLocalShipmentAsIssueFromStock', deadlines: [] };
    const input = { request: { priorShipmentUid: 'shipment-1', toUser: anna } };
    expect(faults(input, (given) => checkFlowInput(fromStock, given))).toEqual({
      'request.toUser.pickUpPointUid': 'is required (expected string)',
    });
  });

  it.each<[string, unknown, Record<string, unknown>]>([
    ['is not an object', 'P1D', { '': 'the input must be an object, not a string' }],
    ['has no request', {}, { request: 'is required (expected object)' }],
    [
      'lacks fields',
      { request: { toUserUid: 'user-anna' } },
      {
        'request.pupUid': 'is required (expected string)',
        'request.allowLargerLockers': 'is required (expected true or false)',
        'request.allowOverflowLockers': 'is required (expected true or false)',
        'request.dimension': 'is required (expected object)',
      },
    ],
    [
      'has several faults at once',
      {
        request: { ...request, dimension: { width: 0, height: 1, length: 1 }, refrenceNo: 'R' },
        deadlines: { issue: { pickUp: '3 days' } },
        onOverdue: 'ignore',
        waitForLocker: 'P1M',
        deadline: {},
      },
      {
        'request.dimension.width': 'must be at least 1, not 0',
        'request.refrenceNo': expect.stringContaining('is not a field here; expected pupUid'),
        'deadlines.issue.pickUp': expect.stringContaining('ISO 8601 duration'),
        onOverdue: 'must be one of wait, cancel, not "ignore"',
        waitForLocker: expect.stringContaining('ISO 8601 duration'),
        deadline: 'is not a field here; expected request, deadlines, onOverdue, waitForLocker, tell, clock',
      },
    ],
    [
      'misspells a field of an inner object',
      { request: { ...request, details: { refNo: 'R' } } },
      { 'request.details.refNo': 'is not a field here; expected referenceNo, referenceCaseNo, description' },
    ],
    [
      'has deadlines that the flow does not take',
      { request, deadlines: { issue: { receiver: 'P1D' }, intake: { dropOff: 'P1D' } } },
      {
        'deadlines.issue.receiver': 'is not a deadline of this flow; expected dropOff, pickUp',
        'deadlines.intake': 'is not a deadline of this flow; expected issue',
      },
    ],
    [
      'gives neither an account nor its uid',
      { request: withoutUser },
      { 'request.toUserUid': 'is required, or toUser in its place' },
    ],
    [
      'gives both an account and its uid',
      { request: { ...request, toUser: anna } },
      { 'request.toUser': 'must not be given together with toUserUid; give one of them' },
    ],
    [
      'gives an account that the operation has no place for',
      { request: { ...request, fromUser: anna } },
      { 'request.fromUser': expect.stringMatching(/^is not a field here; expected pupUid, .*toUser$/) },
    ],
    [
      'gives an account with faults',
      { request: { ...withoutUser, toUser: { ...anna, emailAddress: 'anna', phone: '1' } } },
      {
        'request.toUser.emailAddress': expect.any(String),
        'request.toUser.phone': expect.stringContaining('is not a field here'),
      },
    ],
  ])('that %s is refused by the name of each fault', (_title, input, expected) => {
    expect(faults(input)).toEqual(expected);
  });

  it('refuses a deadline of more than a hundred years', () => {
    const deadlines = (pickUp: string) => ({ request, deadlines: { issue: { pickUp } } });
    expect(faults(deadlines('P999999W'))).toEqual({
      'deadlines.issue.pickUp': 'is more than a hundred years',
    });
    expect(faults(deadlines('P5000W'))).toEqual({});
  });

  it.each(['', ...'P PT P1 P1Y P1M PT1D P-1D P1.5D P1DT p1d P9999999D P0D PT0.000S'.split(' ')])(
    'does not take %j for a duration',
    (waitForLocker) => {
      expect(Object.keys(faults({ request, waitForLocker }))).toEqual(['waitForLocker']);
    },
  );

  atSizes({ short: 100, long: 1_000 }, (numRuns, seed) =>
    it('is never met with anything but the error of the contract', () => {
      const seeded = { seed, numRuns };
      fc.assert(
        fc.property(fc.jsonValue(), (input) => void faults(input)),
        seeded,
      );
      fc.assert(
        fc.property(fc.jsonValue(), (given) => void faults({ request: given, deadlines: given })),
        seeded,
      );
      fc.assert(
        fc.property(fc.jsonValue(), (toUser) => void faults({ request: { ...withoutUser, toUser } })),
        seeded,
      );
    }),
  );
});

// A message of 1 MB may have a hundred thousand wrong fields.
describe('the refusal of an input', () => {
  const refusalOf = (request: object) => refusal(() => checkFlowInput(issue, { request }));

  it('has the first issues, and says how many there are', () => {
    const unknown = Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`f${index}`, 1]));
    const { message, issues } = refusalOf(unknown);
    expect(issues).toHaveLength(50);
    expect(message).toMatch(/; and \d+ more$/);
    expect(message.length).toBeLessThan(50_000);
  });

  it('cuts the name of a field that a stranger has chosen', () => {
    expect(refusalOf({ ['x'.repeat(20_000)]: 1 }).message.length).toBeLessThan(6_000);
  });

  it('names the longest input, 32,768 characters as JSON', () => {
    expect(refusalOf({ description: 'x'.repeat(33_000) }).message).toBe(
      'the input has 33,030 characters as JSON; expected at most 32,768',
    );
  });
});

// It has no deadlines, and never needs a person.
describe('OnboardAccount', () => {
  const { request: account } = examples.CreateAccount;
  const told = (tell: unknown) => Object.keys(faults({ request: account, tell }, checkOnboardInput));

  it('can tell its end, through a connector by its name', () => {
    const tell = { events: ['ended'], to: 'hub' };
    expect(checkOnboardInput({ request: account, tell })).toMatchObject({ tell });
    expect(checkOnboardInput({ request: account, tell: null })).not.toHaveProperty('tell');
  });

  it.each([
    [{ events: ['overdue'] }, 'tell.events.0'],
    [{ events: [] }, 'tell.events'],
    [{ events: ['ended'], remindBefore: 'P2D' }, 'tell.remindBefore'],
    [{ events: ['ended'], to: 'https://hub.example' }, 'tell.to'],
  ])('refuses to tell %j', (tell, field) => {
    expect(told(tell)).toEqual([field]);
  });
});
