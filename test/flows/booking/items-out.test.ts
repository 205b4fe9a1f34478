// Which items somebody has while a booking waits for them.
import { expect, test } from 'vitest';
import { itemsOut } from '../../../flows/booking/items-out.ts';
import type { FlowContext } from '../../../flows/booking/known.ts';
import type { Declaration } from '../../../flows/built-in/declaration.ts';
import { flows } from '../../../flows/built-in/flows.ts';

const loan = flows.IssueFromStockAndSubsequentIntakeAndCircularStock[1] as Declaration;
const swap = flows.IssueAndSwapIntake[1] as Declaration;
const intake = flows.Intake[1] as Declaration;

const known = (states: Readonly<Record<string, string | null>>, more: object = {}) =>
  ({
    shipments: Object.entries(states).map(([role, stateCode]) => ({
      shipmentUid: role,
      role,
      stateCode,
      seen: {},
      begins: null,
      ...more,
    })),
  }) as unknown as FlowContext;

test.each<[string, Declaration, Record<string, string>, readonly string[]]>([
  ['a loan in its locker', loan, { issue: 'ReadyForPickup', intake: 'Registered' }, []],
  ['a loan that is taken out', loan, { issue: 'Completed', intake: 'ReadyForDropoff' }, ['intake']],
  [
    'one whose return is reported first',
    loan,
    { issue: 'ReadyForPickup', intake: 'ReadyForDropoff' },
    ['intake'],
  ],
  ['one whose return is not reported yet', loan, { issue: 'Completed', intake: 'Registered' }, ['intake']],
  ['one that is brought back', loan, { issue: 'Completed', intake: 'Completed' }, []],
  ['an intake', intake, { intake: 'ReadyForDropoff' }, ['intake']],
  ['an intake that is put in', intake, { intake: 'ReadyForPickup' }, []],
  ['a swap', swap, { issue: 'ReadyForPickup', intake: 'Registered' }, []],
])('%s', (_, flow, states, out) => {
  expect(itemsOut(flow, known(states)).map(({ shipmentUid }) => shipmentUid)).toEqual(out);
});

test('what another process has taken over is not waited for', () => {
  expect(itemsOut(intake, known({ intake: 'ReadyForDropoff' }, { isSuperseded: true }))).toEqual([]);
});
