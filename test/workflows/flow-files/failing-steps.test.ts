// What fails while a process runs, on a real Temporal: a failure that no state takes, and a process that another one has invoked.
// test/flow-files/failing.test.ts has each kind of failure without Temporal.
import { ApplicationFailure } from '@temporalio/common';
import { afterEach, expect, test } from 'vitest';
import { runningFiles, uniqueName, untilProgress } from './running-files.ts';

const files = runningFiles();
afterEach(() => {
  files.fetched = (fetched) => fetched;
});

/** Asks the locker API, and does not expect a refusal. */
const asking = (name: string): string => `
name: ${name}
meaning: Asks the locker API, and does not expect a refusal.
initial: asking
states:
  asking:
    invoke: { id: points, src: GetPickUpPoints, input: { pageNo: 1, pageSize: 10 }, onDone: over }
    on: { END: over }
  over: { type: final }
`;

const refused = () => {
  throw ApplicationFailure.nonRetryable('no such pick up point', 'InvalidPupUid');
};

test('a failure that no state takes leaves the process where it stood, for a person to decide', async () => {
  files.answer = refused;
  const name = uniqueName('Unhandled');
  await files.publish(asking(name));
  const handle = await files.start(name, { request: {} });
  const { held, state } = await untilProgress(handle, ({ phase }) => phase === 'NeedsPerson');
  expect(held).toMatchObject({
    code: 'FailureUnhandled',
    event: 'xstate.error.actor.points',
    details: {
      path: 'states.asking.invoke',
      reason: expect.stringContaining('InvalidPupUid: no such pick up point'),
    },
  });
  expect(state).toBe('asking');
  await handle.executeUpdate('dropEvent');
  await handle.signal('event', { type: 'END' });
  await handle.result();
});

test('a process that fails tells the code and the data to the one that has invoked it', async () => {
  // biome-ignore-start lint/suspicious/noTemplateCurlyInString: the flow files hold expressions.
  const [inner, outer] = [uniqueName('Inner'), uniqueName('Outer')];
  await files.publish(`
name: ${inner}
meaning: Fails at once.
initial: failed
states:
  failed:
    type: final
    entry: { type: fail, params: { code: PartsMissing, message: "no hinge", detail: { part: hinge } } }
`);
  await files.publish(`
name: ${outer}
meaning: Invokes it, and then the locker API.
context: { inner: null, refused: null }
initial: waiting
states:
  waiting:
    invoke: { src: ${inner}, input: {}, onDone: over, onError: { target: asking, actions: { type: assign, params: { inner: "\${event.error}" } } } }
  asking:
    invoke: { src: GetPickUpPoints, input: { pageNo: 1, pageSize: 10 }, onDone: over, onError: { target: over, actions: { type: assign, params: { refused: "\${event.error}" } } } }
  over: { type: final }
output: "\${context}"
`);
  // biome-ignore-end lint/suspicious/noTemplateCurlyInString: the flow files hold expressions.
  files.answer = () => {
    throw ApplicationFailure.nonRetryable('no', 'InvalidPupUid', { httpStatus: 404, evidence: 'not found' });
  };
  const handle = await files.start(outer, { request: {} });
  expect(await handle.result()).toEqual({
    inner: { code: 'PartsMissing', message: 'no hinge', status: null, detail: { part: 'hinge' } },
    refused: { code: 'InvalidPupUid', message: 'no', status: 404, detail: 'not found' },
  });
});

test('a process that an earlier worker has begun ends by a failure that no state takes', async () => {
  files.answer = refused;
  files.fetched = ({ rules: _, ...published }) => published;
  const name = uniqueName('Earlier');
  await files.publish(asking(name));
  const handle = await files.start(name, { request: {} });
  await expect(handle.result()).rejects.toMatchObject({ cause: { type: 'InvalidPupUid' } });
});
