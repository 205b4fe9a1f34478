// The contract's table of what flows take is the flows' own declarations, written down where clients may read it.
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { flowRules } from '../../contract/flows/flow-rules.ts';
import { builtInFlows } from '../../contract/flows/flow-types.ts';
import { flowRulesFile } from '../../docs/flow-rules.ts';
import { declarations } from '../../flows/flows.ts';
import * as workflows from '../../workflows/index.ts';

it('the input of a flow follows its declaration, and every flow is in the table', () => {
  const declared = declarations.map(({ name, operation, legs }) => {
    const deadlines = Object.entries(legs).flatMap(([role, leg]) =>
      leg.deadlines.map((stage) => {
        const isToldByMessage = stage === 'pickUp' && leg.keptBookedBy !== undefined;
        return { role, stage, ...(isToldByMessage && { keptBookedBy: leg.keptBookedBy }) };
      }),
    );
    const ofOthers = Object.entries(legs).flatMap(([role, leg]) => (leg.undo === 'leave' ? [role] : []));
    const rules = { operation, deadlines, roles: Object.keys(legs) };
    return [name, ofOthers.length > 0 ? { ...rules, ofOthers } : rules];
  });
  expect(flowRules).toEqual(Object.fromEntries(declared));
});

it('the file of the table is current (npm run docs writes it)', async () => {
  const file = await readFile(new URL('../../contract/flows/flow-rules.ts', import.meta.url), 'utf8');
  expect(file).toBe(flowRulesFile());
});

it('the workflow types are those that a worker runs', () => {
  // Of the processes of flow files it is `default`, whatever their names.
  expect(Object.keys(workflows).sort()).toEqual([...builtInFlows, 'default'].sort());
});
