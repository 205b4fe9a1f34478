// Whether the page offers another locker: only where the command would give one.
import { expect, test } from 'vitest';
import type { FlowFile } from '../../../flows/language/flow-file.ts';
import { isMovable } from '../../../processes/commands/movable.ts';
import { chartOf, shippedFlow, unpublishedFlow } from '../../../processes/views/flow-registry.ts';
import { newProgress } from '../../support/progress.ts';

const issue = {
  shipmentUid: 's-1',
  stateCode: 'ReadyForDropoff',
  stateStart: null,
  pupUid: 'pup-1',
  lockerName: '4',
  done: false,
};
const waiting = newProgress({ shipments: { issue } });
const shipped = shippedFlow('Issue').file as FlowFile;
const cleaning = {
  id: 'cleaning',
  src: 'ask',
  input: { of: 'desk', question: 'Clean?' },
  onDone: 'following',
};

test('a copy of a built-in flow is movable as that flow is, unless it does more than to book', () => {
  expect(isMovable(waiting, null)).toBe(true);
  expect(isMovable(waiting, chartOf(unpublishedFlow({ ...shipped, name: 'LendDrill' })))).toBe(true);
  const states = { ...shipped.states, prepared: { invoke: cleaning } };
  expect(isMovable(waiting, chartOf(unpublishedFlow({ ...shipped, name: 'LendDrill', states })))).toBe(false);
});
