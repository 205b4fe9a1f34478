// docs/flow-schemas.json, by which programs in other languages know the flows: it is valid JSON Schema, and takes
// exactly the input that a flow takes. That progress and results are as it says, the end-to-end tests check on each flow.
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkInput } from '../../../client/flow-contract.ts';
import { flowSchemas } from '../../../contract/flow-schemas/flow-schemas.ts';
import { flowRules, type ShipmentFlowType } from '../../../contract/flows/flow-rules.ts';
import { flowTypes } from '../../../contract/flows/flow-types.ts';
import { examples as operationExamples } from '../../../contract/operations/examples.ts';
import recorded from '../../../docs/flow-examples.json' with { type: 'json' };
import { atSizes } from '../../support/suite.ts';
import { pathsOf, withValue } from '../changed-value.ts';

const ajv = new Ajv2020({ strict: true, strictRequired: false, strictTypes: false, allErrors: true });

ajv.addSchema(flowSchemas(), 'flow-schemas');
const takes = (name: string, value: unknown) => ajv.getSchema(`flow-schemas#/$defs/${name}`)?.(value);

test('each flow has its input, progress and result, and each recorded example is one of its definition', () => {
  const parts = ['input', 'progress', 'result'];
  for (const type of flowTypes)
    for (const part of parts) {
      const name = `${type}.${part}`;
      expect(Object.keys(recorded), name).toContain(name);
    }
  for (const [name, values] of Object.entries(recorded))
    for (const value of values) expect([name, takes(name, value)]).toEqual([name, true]);
});

const anna = { emailAddress: 'anna@example.com', firstName: 'Anna', lastName: 'Jansen' };
const shipmentFlows = Object.keys(flowRules) as ShipmentFlowType[];

/** Valid input, with every field that the flow can take. */
function inputOf(type: ShipmentFlowType): Record<string, unknown> {
  const { operation, deadlines } = flowRules[type];
  const byRole: Record<string, Record<string, string>> = {};
  for (const { role, stage } of deadlines) byRole[role] = { ...byRole[role], [stage]: 'P3DT2H' };
  return {
    request: operationExamples[operation].request,
    deadlines: byRole,
    onOverdue: 'cancel',
    waitForLocker: 'PT2H',
    tell: { events: ['reminder', 'ended'], remindBefore: 'P1D', to: 'hub' },
    clock: 'sandbox',
  };
}

const substitutes = fc.constantFrom<unknown>(
  ...[undefined, null, '', 'text', 'P3D', '3 days', 'NL', true, false, 0, 1, -1, 2.5, [], ['reminder']],
  ...[['ended'], {}, { more: 1 }, anna, { ...anna, pickUpPointUid: 'pup-central' }],
  { ...anna, languageCode: 'xx-1', phoneNumber: '+31612345678' },
);

function isTaken(type: (typeof flowTypes)[number], input: unknown): boolean {
  try {
    checkInput(type, input);
    return true;
  } catch {
    return false;
  }
}

const more = [
  ...['more', 'tell.more', 'request.more', 'request.toUser', 'request.fromUser', 'request.dimension.more'],
  ...['request.details', 'request.lockerUid', 'request.toUserUid', 'request.isReceiverDelayed'],
].map((path) => path.split('.'));
const onboarding = {
  request: operationExamples.CreateAccount.request,
  applyDetails: true,
  tell: { events: ['ended'] },
  clock: 'sandbox',
};

atSizes({ short: 60, long: 400 }, (numRuns, seed) =>
  test.each([...shipmentFlows, 'OnboardAccount'] as const)(
    'the input of %s is taken by the schema exactly where the flow takes it',
    (type) => {
      const valid = type === 'OnboardAccount' ? onboarding : inputOf(type);
      expect(takes(`${type}.input`, valid)).toBe(true);
      const change = fc.tuple(fc.constantFrom(...pathsOf(valid), ...more), substitutes);
      fc.assert(
        fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), (changes) => {
          const input = changes.reduce<unknown>((before, [path, to]) => withValue(before, path, to), valid);
          expect([input, takes(`${type}.input`, input)]).toEqual([input, isTaken(type, input)]);
        }),
        { seed, numRuns },
      );
    },
  ),
);

test.each<[string, unknown, boolean]>([
  ['Issue.update.setReceiver', { role: 'issue', toUserUid: 'user-bram' }, true],
  ['Issue.update.setReceiver', { role: 'intake', toUserUid: 'user-bram' }, false],
  ['Issue.update.setReceiver', { role: 'issue', toUser: 'user-bram' }, false],
  ['Issue.update.extendDeadline', { role: 'issue', stage: 'pickUp', fromNow: 'P3D' }, true],
  ['Issue.update.extendDeadline', { role: 'issue', stage: 'pickUp', until: '2031-05-01T12:00:00Z' }, true],
  ['Issue.update.extendDeadline', { role: 'issue', stage: 'receiver', fromNow: 'P3D' }, false],
  ['Issue.update.extendDeadline', { role: 'issue', stage: 'pickUp' }, false],
  [
    'Issue.update.extendDeadline',
    { role: 'issue', stage: 'pickUp', fromNow: 'P3D', until: '2031-05-01T12:00:00Z' },
    false,
  ],
  ['Issue.update.resolve', { by: 'Erik', why: 'seen', action: 'adopt', shipments: { issue: 's-1' } }, true],
  ['Issue.update.resolve', { by: 'Erik', why: 'seen', action: 'adopt' }, false],
  ['Issue.update.resolve', { by: '', why: 'seen', action: 'retry' }, false],
  ['Issue.update.removeReceiver', { role: 'issue' }, true],
])('%s takes %j: %j', (name, value, isValid) => {
  expect(takes(name, value)).toBe(isValid);
});

test('progress and results may have more fields than those named', () => {
  const [result] = recorded['Issue.result'];
  expect(takes('Issue.result', { ...result, more: 1 })).toBe(true);
  expect(takes('Issue.result', { ...result, outcome: 'Lost' })).toBe(false);
});

test('the account to onboard stands in the place of no uid', () => {
  const { $defs } = flowSchemas();
  expect($defs?.['OnboardAccount.input']).toMatchObject({ properties: { request: { type: 'object' } } });
  expect(JSON.stringify($defs?.['OnboardAccount.input'])).not.toContain('In the place of a uid');
  expect($defs?.User).toMatchObject({ description: expect.stringContaining('In the place of a uid') });
});
