// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions of a file.
// A file that takes what OnboardAccount takes: what FindAccount is given of its start, whatever that is, and when it tells its end.
import { expect, test } from 'vitest';
import { checkOnboardInput } from '../../../contract/flows/onboard-input.ts';
import { Process } from '../../../engine/process.ts';
import { VirtualHost, VirtualTime } from '../../../engine/virtual-host.ts';
import type { FlowFile } from '../../../flows/language/flow-file.ts';
import type { Invocation } from '../../../flows/language/machine/machine-runtime.ts';
import { onboardAccount } from '../../../flows/shipped/onboard-account.ts';
import { shippedDefinition } from '../../../workflows/flow-files/shipped-flow.ts';
import { fileOf } from '../language/names.ts';

const request = {
  emailAddress: 'anna@example.com',
  firstName: 'Anna',
  lastName: 'Jansen',
  pickUpPointUid: 'pup',
};

function begun(file: FlowFile, input: unknown) {
  const time = new VirtualTime(Date.parse('2031-05-01T12:00:00Z'));
  const host = new VirtualHost(time);
  const start = { input, flow: file.name, version: 1, workflowId: 'case-1', firstExecutionRunId: 'run-1' };
  const process = new Process({ definition: shippedDefinition(file), start, host });
  process.begin();
  process.drain();
  const [call] = host.calls;
  if (!call) throw new TypeError('nothing is called');
  const told = () => host.takeSent().flatMap((sent) => (sent.to === 'outside' ? [sent.event] : []));
  return { process, host, time, call, told };
}

const issuesOf = (input: unknown): string => {
  try {
    checkOnboardInput(input);
    return 'none';
  } catch (error) {
    return (error as Error).message;
  }
};

test.each([
  ['text', 'abc'],
  ['JSON within JSON', JSON.stringify({ request })],
  ['a list', [1, 2]],
  ['a number', 5],
  ['true', true],
  ['an unknown clock', { request, clock: 'bogus' }],
  ['unknown fields', { request: { ...request, shoeSize: 38 }, deadlines: {} }],
  ['what it takes', { request, applyDetails: true, tell: { events: ['ended'] }, clock: null }],
])('started with %s, FindAccount says of it what is wrong with it', (_, input) => {
  const { input: given } = begun(onboardAccount, input).call.input as Invocation;
  expect(issuesOf(given)).toBe(issuesOf(input));
});

const tell = { events: ['ended'], to: 'hub' };
const ended = (data: object) => ({ type: 'emit', emitted: { type: 'flow.ended', data, to: 'hub' } });

const waiting = fileOf(`
name: Waits
meaning: Waits a day after the account is found.
context: { account: null }
initial: finding
states:
  finding:
    invoke: { id: find, src: FindAccount, input: { isWhole: true }, onDone: waiting, onError: over }
  waiting: { after: { P1D: over } }
  over: { type: final }
`);

test('it tells its end once, also if its time is moved to that', () => {
  const { process, time, call, told } = begun(waiting, { request, tell });
  call.done({ userUid: 'user-anna' });
  process.drain();
  expect(told()).toEqual([]);
  process.advanceClock({ ring: () => time.passing(time.now + 2 * 86_400_000) });
  process.drain();
  expect(process.isOpen).toBe(false);
  expect(told()).toEqual([ended({ result: null })]);
});

test('it tells a failure that no state takes', () => {
  const file = fileOf(`
name: Untaken
meaning: Nobody takes the failure.
initial: finding
on: { cancelRequested: { actions: { type: log, params: { message: cancelled } } } }
states:
  finding: { invoke: { id: find, src: FindAccount, input: { isWhole: true }, onDone: over } }
  over: { type: final }
`);
  const { process, call, told } = begun(file, { request, tell });
  process.cancel(new Error('cancelled'));
  process.drain();
  call.failed({ name: 'ApplicationFailure', type: 'InvalidPupUid', message: 'no such place', details: [] });
  process.drain();
  expect(process.isOpen).toBe(false);
  expect(told()).toMatchObject([{ emitted: { type: 'flow.ended' } }]);
});

test('given up where it stands still, it tells that too', () => {
  const { process, call, told } = begun(onboardAccount, { request, tell });
  call.done({ userUid: 'user-anna' });
  process.drain();
  expect(process.progress()).toMatchObject({ activity: 'NeedsPerson', account: null });
  process.decide('giveUp', 'update-1', { answer: () => {}, refuse: () => {} });
  process.drain();
  expect(told()).toEqual([ended({ code: 'ExpressionFailed' })]);
});
