// The cases of the SCXML test framework, on the driver's actors: all that xstate can say pass, and no other is left out.
import { expect, test } from 'vitest';
import { cases } from './conformance/cases.ts';
import { leftOut } from './conformance/left-out.ts';
import { expectedOf, playPurely } from './conformance/pure.ts';

const isPassed = (name: string) => !(name in leftOut);

test('only cases of the framework are left out', () => {
  expect(Object.keys(leftOut).filter((name) => !cases.some((each) => each.name === name))).toEqual([]);
});

test.each(cases.filter(({ name }) => isPassed(name)))('$name', (played) => {
  expect(playPurely(played)).toEqual(expectedOf(played));
});

test.each(cases.filter(({ name }) => !isPassed(name)))('$name is left out for a reason', (played) => {
  expect(() => expect(playPurely(played)).toEqual(expectedOf(played))).toThrow();
});
