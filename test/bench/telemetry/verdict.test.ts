// What `npm run bench -- telemetry` says of figures that are known.
import { expect, test } from 'vitest';
import { verdictOn } from '../../../bench/telemetry/verdict.ts';

const around = (middle: number) => Array.from({ length: 12 }, (_, index) => middle + (index - 5.5) / 1_000);

test('a goal is met by the median of the rounds, and sure when it lies outside of what they leave open', () => {
  expect(verdictOn(around(1), 0.99)).toMatchObject({ isMet: true, isSure: true });
  expect(verdictOn(around(0.991), 0.99)).toMatchObject({ isMet: true, isSure: false });
  expect(verdictOn(around(0.989), 0.99)).toMatchObject({ isMet: false, isSure: false });
  expect(verdictOn(around(0.95), 0.99)).toMatchObject({ isMet: false, isSure: true });
});

test('95 % sure is from the third to the tenth of twelve rounds; of four rounds nothing is sure', () => {
  const twelve = [12, 3, 5, 1, 9, 7, 2, 11, 4, 10, 8, 6];
  expect(verdictOn(twelve, 0)).toMatchObject({ share: 6, sure: [3, 10], half: [3, 9], isSure: true });
  expect(verdictOn([4, 2, 1, 3], 0)).toMatchObject({ sure: [1, 4], isSure: false });
});
