import { expect, test } from 'vitest';
import { failedTries } from '../../../processes/inbox/failed-starts.ts';

const run = (status: string, hasBooked = false) => ({ status, hasBooked });
const failed = run('Failed');

test('the tries of a start are the last ones of its key that failed, with no booking in between', () => {
  expect(failedTries([failed, failed, failed])).toHaveLength(3);
  expect(failedTries([failed, run('ContinuedAsNew'), failed])).toEqual([failed, failed]);
  expect(failedTries([failed, failed, run('Failed', true), failed])).toHaveLength(2);
  expect(failedTries([failed, run('Cancelled'), failed])).toHaveLength(1);
});
