// The contract's table of what flows take is the flows' own declarations, written down where clients may read it.
import { expect, it } from 'vitest';
import { flowRules } from '../../../contract/flows/flow-rules.ts';
import { builtInFlows } from '../../../contract/flows/flow-types.ts';
import type { Leg } from '../../../flows/built-in/declaration.ts';
import { declarations, newestVersionOf } from '../../../flows/built-in/flows.ts';
import { shippedFlows } from '../../../processes/views/flow-registry.ts';
import * as workflows from '../../../workflows/index.ts';

/** It waits for its receiver at some time, and is not there before its flow. */
const mayBeBookedWithoutReceiver = ({ isPrior, done, deadlines }: Leg): boolean =>
  !isPrior && [...done, ...deadlines.map((stage) => waits[stage])].includes('WaitForReceiver');
const waits = { dropOff: 'ReadyForDropoff', receiver: 'WaitForReceiver', pickUp: 'ReadyForPickup' } as const;

it('the input of a flow follows its declaration, and every flow is in the table', () => {
  const declared = declarations.map(({ name, operation, legs }) => {
    const deadlines = Object.entries(legs).flatMap(([role, leg]) =>
      leg.deadlines.map((stage) => {
        const isToldByMessage = stage === 'pickUp' && leg.keptBookedBy !== undefined;
        return { role, stage, ...(isToldByMessage && { keptBookedBy: leg.keptBookedBy }) };
      }),
    );
    const roles = (which: string, are: (leg: Leg) => boolean) => {
      const some = Object.entries(legs).flatMap(([role, leg]) => (are(leg) ? [role] : []));
      return some.length > 0 ? { [which]: some } : {};
    };
    return [
      name,
      {
        operation,
        deadlines,
        roles: Object.keys(legs),
        ...roles('ofOthers', ({ undo }) => undo === 'leave'),
        ...roles('takesOver', ({ undo }) => undo === 'removeReceiver'),
        ...roles('stock', mayBeBookedWithoutReceiver),
      },
    ];
  });
  expect(flowRules).toEqual(Object.fromEntries(declared));
});

it('the workflow types are those that a worker runs', () => {
  // A worker runs the functions. Of the processes of flow files it is `default`, whatever their names.
  const run = Object.entries(workflows).filter(([, exported]) => typeof exported === 'function');
  expect(run.map(([name]) => name).sort()).toEqual([...builtInFlows, 'default'].sort());
});

it('every workflow that is declared by legs is a declaration of the same name', () => {
  const declared = Object.entries(workflows).filter(([, workflow]) => 'definitions' in workflow);
  const names = declarations.map(({ name }) => name);
  expect([...names, 'OnboardAccount'].sort()).toEqual(declared.map(([name]) => name).sort());
});

it('the current version of a built-in flow is the newest that its workflow has', () => {
  const run = Object.entries(workflows).flatMap(([name, workflow]) =>
    'definitions' in workflow ? [[name, newestVersionOf(workflow.definitions)] as const] : [],
  );
  const registered = shippedFlows().map(({ name, version }) => [name, version] as const);
  expect(Object.fromEntries(registered)).toEqual(Object.fromEntries(run));
});
