// What any command line makes of a failure.
import { expect, test } from 'vitest';
import { CommandFailed } from '../../terminal/exit-codes.ts';
import { failureWordsOf } from '../../terminal/failure-words.ts';

const unknown = () => null;

test('words of several lines are told in one', () => {
  expect(failureWordsOf(new Error('first\n  second\n'), unknown).words).toBe('first second');
});

test('what was waited for with the signal of the terminal ends with 130', () => {
  const aborted = new DOMException('This operation was aborted', 'AbortError');
  expect(failureWordsOf(aborted, unknown)).toEqual({ exitCode: 130, words: 'interrupted' });
});

test('a failure that says its exit code ends with that one, and one of the program with what the program says', () => {
  expect(failureWordsOf(new CommandFailed('notFound', 'no flow'), unknown)).toEqual({
    exitCode: 3,
    words: 'no flow',
  });
  const ofProgram = () => ({ exitCode: 4, words: 'no way' }) as const;
  expect(failureWordsOf(new Error('ECONNREFUSED'), ofProgram)).toEqual({ exitCode: 4, words: 'no way' });
  expect(failureWordsOf('a text', unknown)).toEqual({ exitCode: 1, words: 'a text' });
});
