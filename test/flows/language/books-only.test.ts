// Which files can be begun anew beside a process that runs: only those whose booking is all that others see of them.
import { expect, test } from 'vitest';
import type { ActionData, FlowFile } from '../../../flows/language/flow-file.ts';
import { booksOnly } from '../../../flows/language/reading/action-effects.ts';
import { shippedFlow } from '../../../processes/views/flow-registry.ts';

const shipped = shippedFlow('Issue').file as FlowFile;
const states = shipped.states ?? {};
const following = states.following ?? {};
const withFollowing = (changed: object): FlowFile => ({
  ...shipped,
  states: { ...states, following: { ...following, ...changed } },
});

test('a built-in flow books only, also where a copy keeps values and ends by events', () => {
  expect(booksOnly(shipped)).toBe(true);
  const assign: ActionData = { type: 'assign', params: { seen: true } };
  expect(booksOnly(withFollowing({ entry: assign, on: { looked: { actions: [assign] } } }))).toBe(true);
});

test('a file with one more invoke, or without a booking that is the whole process, does not', () => {
  const ask = { id: 'cleaning', src: 'ask', input: { of: 'desk', question: 'Clean?' } };
  expect(booksOnly({ ...shipped, states: { ...states, prepared: { invoke: ask } } })).toBe(false);
  expect(booksOnly(withFollowing({ invoke: ask }))).toBe(false);
});

test('a file whose processes are found by their data does not: an event would find two', () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: an expression of a flow file.
  expect(booksOnly({ ...shipped, correlate: { order: '${input.request.description}' } })).toBe(false);
});

test.each(['emit', 'sendTo', 'sendParent'])(
  'a file with the action %s does not, wherever it stands',
  (type) => {
    const action: ActionData = { type, params: { type: 'begun' } };
    const [invoke] = [following.invoke].flat();
    const everywhere = [
      { ...shipped, entry: action },
      withFollowing({ entry: action }),
      withFollowing({ exit: [action] }),
      withFollowing({ on: { looked: { actions: action } } }),
      withFollowing({ after: { P1D: [{ actions: [action] }] } }),
      withFollowing({ invoke: { ...invoke, onDone: { target: 'done', actions: action } } }),
    ];
    expect(everywhere.map((file) => booksOnly(file))).toEqual(everywhere.map(() => false));
  },
);
