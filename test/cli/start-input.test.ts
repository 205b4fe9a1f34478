// How `--set` of `lockerflow start` writes the input of a flow, and that nothing is permitted that nobody asked for.
import { expect, test } from 'vitest';
import { startInput, withPermissions } from '../../cli/start-input.ts';
import { schemasOfBuiltIn, schemasOfFile } from '../../client/flow-schemas.ts';
import type { FlowType } from '../../contract/flows/flow-types.ts';
import { shippedFlow } from '../../processes/views/flow-registry.ts';

const inputOf = (flow: FlowType, pairs: readonly string[], given: object = {}) => {
  const { input } = schemasOfBuiltIn(flow);
  return withPermissions(startInput(given, pairs, input), input);
};

test('a permission that is not requested is off where the flow takes it, and the values of the input stay', () => {
  expect(inputOf('CollectOnly', [])).toEqual({
    request: { allowLargerLockers: false, allowOverflowLockers: false, keepBookedAfterPickUp: false },
  });
  const given = { request: { allowLargerLockers: true } };
  expect(inputOf('CollectOnly', ['request.keepBookedAfterPickUp=true'], given)).toEqual({
    request: { allowLargerLockers: true, allowOverflowLockers: false, keepBookedAfterPickUp: true },
  });
  expect(inputOf('IssueFromStock', ['request.priorShipmentUid=7c0e'])).toEqual({
    request: { priorShipmentUid: '7c0e' },
  });
});

test('a copy of a built-in flow is started as that one, and a field of that name in another file is its author’s', () => {
  const { file } = shippedFlow('Issue');
  const { input } = schemasOfFile({ ...file, name: 'MyIssue' });
  expect(withPermissions({ request: { pupUid: 'p' } }, input)).toEqual({
    request: { pupUid: 'p', allowLargerLockers: false, allowOverflowLockers: false },
  });
  const properties = { allowLargerLockers: { type: 'boolean' } };
  const own = schemasOfFile({ ...file, name: 'Own', states: {}, input: { type: 'object', properties } });
  expect(withPermissions({ request: {} }, own.input)).toEqual({ request: {} });
});

test('digits are a number where the flow takes one, and a text elsewhere; maps and lists are JSON', () => {
  const pairs = [
    ...['request.dimension.width=20', 'request.details.referenceNo=20', 'request.allowLargerLockers=true'],
    ...['deadlines.intake.dropOff=PT2H', 'tell.events=["reminder","ended"]'],
  ];
  expect(inputOf('Intake', pairs)).toMatchObject({
    request: { dimension: { width: 20 }, details: { referenceNo: '20' }, allowLargerLockers: true },
    deadlines: { intake: { dropOff: 'PT2H' } },
    tell: { events: ['reminder', 'ended'] },
  });
  const request = { type: 'object' as const, properties: { price: { type: 'number' as const } } };
  const schema = { type: 'object' as const, properties: { request } };
  expect(startInput({}, ['request.price=20.5', 'request.order=20'], schema)).toEqual({
    request: { price: 20.5, order: '20' },
  });
  // What does not fit stays as it was written, and the check of the start names it.
  expect(startInput({}, ['request.price=much'], schema)).toEqual({ request: { price: 'much' } });
});
