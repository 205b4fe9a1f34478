// Where each option of `lockerflow start` goes in the input of a flow, and that nothing is permitted that nobody asked for.
import { expect, test } from 'vitest';
import { publishedInput, startInput } from '../../../client/command-line/start-input.ts';

test('every option goes where the operation of its flow has the field', () => {
  const input = startInput(
    'LocalShipment',
    {},
    {
      pupUid: 'pup-central',
      toUserUid: 'user-bram',
      fromUserUid: 'user-anna',
      lockerUid: 'pup-central-7',
      dimension: '20x10.5x30',
      allowLargerLockers: true,
      allowOverflowLockers: true,
      referenceNo: 'R-7',
      referenceCaseNo: '7',
      description: 'a lamp',
      deadline: ['shipment.dropOff=PT2H', 'shipment.pickUp=P3D'],
      onOverdue: 'cancel',
      set: ['waitForLocker=PT1H', 'tell.events=["reminder","ended"]', 'tell.to=hub', 'tell.remindBefore=P2D'],
    },
  );
  expect(input).toEqual({
    request: {
      pupUid: 'pup-central',
      toUserUid: 'user-bram',
      fromUserUid: 'user-anna',
      lockerUid: 'pup-central-7',
      dimension: { width: 20, height: 10.5, length: 30 },
      allowLargerLockers: true,
      allowOverflowLockers: true,
      referenceNo: 'R-7',
      referenceCaseNo: '7',
      description: 'a lamp',
    },
    deadlines: { shipment: { dropOff: 'PT2H', pickUp: 'P3D' } },
    onOverdue: 'cancel',
    waitForLocker: 'PT1H',
    tell: { events: ['reminder', 'ended'], to: 'hub', remindBefore: 'P2D' },
  });
});

test('a detail goes into the details of the new shipment, the case number of issued stock into its issue', () => {
  expect(startInput('Intake', {}, { referenceNo: 'R-7' })).toMatchObject({
    request: { details: { referenceNo: 'R-7' } },
  });
  const issued = startInput('IssueFromStock', {}, { priorShipmentUid: '7c0e', referenceCaseNo: 'C-7' });
  expect(issued).toEqual({ request: { priorShipmentUid: '7c0e', issue: { referenceCaseNo: 'C-7' } } });
});

test('a permission that is not requested is off, and the values of the input stay', () => {
  expect(startInput('CollectOnly', {}, {})).toEqual({
    request: { allowLargerLockers: false, allowOverflowLockers: false, keepBookedAfterPickUp: false },
  });
  const given = { request: { allowLargerLockers: true } };
  expect(startInput('CollectOnly', given, { keepBookedAfterPickUp: true })).toEqual({
    request: { allowLargerLockers: true, allowOverflowLockers: false, keepBookedAfterPickUp: true },
  });
});

test('digits of --set are a number where the flow takes one, and a text elsewhere', () => {
  const set = [
    'request.dimension.width=20',
    'request.details.referenceNo=20',
    'request.allowLargerLockers=true',
  ];
  expect(startInput('Intake', {}, { set })).toMatchObject({
    request: { dimension: { width: 20 }, details: { referenceNo: '20' }, allowLargerLockers: true },
  });
  const request = { type: 'object' as const, properties: { price: { type: 'number' as const } } };
  const schema = { type: 'object' as const, properties: { request } };
  const given = ['request.price=20.5', 'request.order=20'];
  expect(publishedInput({}, { set: given }, schema)).toEqual({
    request: { price: 20.5, order: '20' },
  });
  // What does not fit stays as it was written, and the check of the start names it.
  expect(publishedInput({}, { set: ['request.price=much'] }, schema)).toEqual({
    request: { price: 'much' },
  });
});
