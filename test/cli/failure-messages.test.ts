// What a failed call to Temporal is to whoever typed the command: one line that says what to do, and an exit code.
import { expect, test } from 'vitest';
import { failureMessage } from '../../cli/failure-messages.ts';
import { FlowFailed } from '../../client/flow-errors.ts';
import { grpcCodes } from '../../client/grpc-failure.ts';

/** As gRPC's library throws it; Temporal's client has it as the cause of its own error. */
function failedCall(code: number, details: string): Error {
  const failure = Object.assign(new Error(`${code}: ${details}`), { code, details, metadata: {} });
  return new Error('Failed to query', { cause: failure });
}

test('a flow that failed is told with its code once, also where its message begins with the code', () => {
  for (const message of ['states.lent: no such field', 'ExpressionFailed: states.lent: no such field'])
    expect(failureMessage(new FlowFailed('loan-7', 'ExpressionFailed', message))).toMatchObject({
      text: 'loan-7 failed: ExpressionFailed: states.lent: no such field',
    });
  expect(failureMessage(new FlowFailed('loan-7', 'TooOld', 'TooOld'))).toMatchObject({
    text: 'loan-7 failed: TooOld',
  });
});

test.each([
  ['permissionDenied', 'not yours', 1, /\(not yours\); check TEMPORAL_API_KEY/],
  ['unauthenticated', 'who is it', 1, /\(who is it\); check TEMPORAL_API_KEY/],
  ['unavailable', 'connect ECONNREFUSED', 4, /cannot be reached.*check TEMPORAL_ADDRESS/],
  ['deadlineExceeded', 'too late', 4, /no worker answers/],
  ['failedPrecondition', 'no poller seen for task queue recently', 4, /no worker answers/],
  ['failedPrecondition', 'something else', 1, /^Temporal refused the request: something else$/],
  ['invalidArgument', 'invalid query', 2, /does not accept this request: invalid query/],
  ['notFound', 'nothing there', 3, /does not find it: nothing there/],
  ['notFound', 'Namespace nowhere is not found.', 2, /no such namespace.*check TEMPORAL_NAMESPACE/],
] as const)('%s (%s) ends with %i', (name, details, exitCode, words) => {
  const told = failureMessage(failedCall(grpcCodes[name], details));
  expect(told).toEqual({ exitCode, text: expect.stringMatching(words) });
});
