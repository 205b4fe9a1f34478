// A message of 1 MB may have a hundred thousand wrong fields: its error names the first ones, and costs no more.
import { expect, test } from 'vitest';
import { ContractError, checkFlowInput } from '../../../contract/index.ts';

function refusalOf(act: () => unknown): ContractError {
  try {
    act();
  } catch (error) {
    if (error instanceof ContractError) return error;
  }
  throw new Error('it is not refused');
}

const rules = { operation: 'CreateLocalShipmentAsIssue', deadlines: [] } as const;

test('an error has the first issues, and says how many there are', () => {
  const unknown = Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`f${index}`, 1]));
  const { message, issues } = refusalOf(() => checkFlowInput(rules, { request: unknown }));
  expect(issues).toHaveLength(50);
  expect(message).toMatch(/^request\.f0: is not a field here; .*; and \d+ more$/);
  expect(message.length).toBeLessThan(50_000);
});

test('the name of a field that a stranger has chosen is cut', () => {
  const { message } = refusalOf(() => checkFlowInput(rules, { request: { ['x'.repeat(20_000)]: 1 } }));
  expect(message.length).toBeLessThan(3_000);
});

test('the input of a flow has at most 32,768 characters as JSON', () => {
  const long = { request: { description: 'x'.repeat(33_000) } };
  expect(refusalOf(() => checkFlowInput(rules, long)).message).toBe(
    'the input has 33,030 characters as JSON; expected at most 32,768',
  );
});
