// What any command line makes of a failure.
import { expect, test } from 'vitest';
import { CommandFailed } from '../../../shared/terminal/exit-codes.ts';
import { failureMessageOf } from '../../../shared/terminal/failure-message.ts';

const unknown = () => null;

test('a message of several lines is printed as one', () => {
  expect(failureMessageOf(new Error('first\n  second\n'), unknown).text).toBe('first second');
});

test('a list of what is wrong keeps its lines', () => {
  const failed = new CommandFailed('failed', 'it is not valid:\n  one thing\n  another\n');
  expect(failureMessageOf(failed, unknown).text).toBe('it is not valid:\n  one thing\n  another');
});

test('a wait that Ctrl-C ends gives exit code 130', () => {
  const aborted = new DOMException('This operation was aborted', 'AbortError');
  expect(failureMessageOf(aborted, unknown)).toEqual({ exitCode: 130, text: 'interrupted' });
});

test('a failure with an exit code ends with that code; for other failures the program gives the code', () => {
  expect(failureMessageOf(new CommandFailed('notFound', 'no flow'), unknown)).toEqual({
    exitCode: 3,
    text: 'no flow',
  });
  const ofProgram = () => ({ exitCode: 4, text: 'no way' }) as const;
  expect(failureMessageOf(new Error('ECONNREFUSED'), ofProgram)).toEqual({ exitCode: 4, text: 'no way' });
  expect(failureMessageOf('a text', unknown)).toEqual({ exitCode: 1, text: 'a text' });
});
