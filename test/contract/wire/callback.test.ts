// A callback is read tolerantly. One of a type that we do not know is kept whole, unless it is nested so deep that it could not
// be written again. Of our own type ShipmentAccess another service may have a message of its own.
import { describe, expect, it, test } from 'vitest';
import { callbackExample } from '../../../contract/operations/examples.ts';
import { parseCallback } from '../../../contract/wire/callback.ts';
import { refusal } from '../refusal.ts';

/** The body is the first level. */
function nested(levels: number): object {
  let message: object = {};
  for (let level = 2; level < levels; level += 1) message = { message };
  return { messageType: 'Visited', message };
}

test('a callback of an unknown type is kept with 100 levels, and refused with one more', () => {
  expect(parseCallback(nested(100))).toEqual({
    messageType: 'Other',
    name: 'Visited',
    body: nested(100),
    shipmentUid: null,
  });
  expect(() => parseCallback(nested(101))).toThrow('must not be nested deeper than 100 levels');
});

test('a ShipmentAccess tells of a pick-up; one that says something else is kept like any unknown type', () => {
  const accessExample = callbackExample('ShipmentAccess');
  // The fields that only some tenants ask for are null.
  const extraFields = { pupUid: null, fromUserUid: null, toUserUid: null };
  expect(parseCallback(accessExample)).toEqual({
    ...accessExample,
    message: { ...accessExample.message, ...extraFields },
  });
  const { shipmentUid } = accessExample.message;
  for (const message of [{ shipmentUid }, { ...accessExample.message, accessGoal: 'Inspection' }]) {
    const body = { messageType: 'ShipmentAccess', message };
    expect(parseCallback(body)).toEqual({ messageType: 'Other', name: 'ShipmentAccess', body, shipmentUid });
  }
});

const status = { shipmentUid: 'S-1', stateCode: 'Completed' };
const ofType = (messageType: string, message: object) => ({ messageType, message });

test.each([
  ['messageType', ofType('\ud800', {})],
  ['message.shipmentUid', ofType('ShipmentStatusUpdate', { ...status, shipmentUid: '\ud800q' })],
  ['message.referenceCaseNo', ofType('ShipmentStatusUpdate', { ...status, referenceCaseNo: '\ud800' })],
  ['message.description', ofType('ShipmentStatusUpdate', { ...status, description: 'a\udc00' })],
  ['message.shipmentUid', ofType('Visited', { shipmentUid: '\ud800' })],
  ['message.visits.1.by', ofType('Visited', { visits: [{}, { by: '\ud800' }] })],
  ['message.\ufffd', ofType('Visited', { '\ud800': 1 })],
])('half a surrogate pair is refused with its place: %s', (place, body) => {
  expect(() => parseCallback(body)).toThrow(`${place}: has half a surrogate pair`);
});

test('a NUL character is refused in a case number, and nowhere else', () => {
  expect(() => parseCallback(ofType('ShipmentStatusUpdate', { ...status, referenceCaseNo: 'a\0' }))).toThrow(
    'message.referenceCaseNo: must be well-formed Unicode without a NUL character',
  );
  const elsewhere = { ...status, shipmentUid: 'a\0', description: '\0' };
  expect(parseCallback(ofType('ShipmentStatusUpdate', elsewhere))).toMatchObject({ message: elsewhere });
  expect(parseCallback(ofType('\0', {}))).toMatchObject({ messageType: 'Other' });
});

describe('a callback', () => {
  const message = {
    shipmentUid: 'shipment-1',
    stateCode: 'ReadyForPickup',
    stateStart: '2026-03-02T09:15:00',
  };

  it('is read in any casing, with null for missing fields', () => {
    expect(
      parseCallback({
        MessageType: 'ShipmentStatusUpdate',
        Message: { ShipmentUid: 's', STATECODE: 'Eclipse' },
      }),
    ).toEqual({
      messageType: 'ShipmentStatusUpdate',
      message: {
        shipmentUid: 's',
        stateCode: 'Eclipse',
        stateStart: null,
        shipmentType: null,
        referenceNo: null,
        referenceCaseNo: null,
        description: null,
        pupUid: null,
        fromUserUid: null,
        toUserUid: null,
      },
    });
  });

  it.each([
    ['message.shipmentUid', { ...message, shipmentUid: null }],
    ['message.stateCode', { ...message, stateCode: '' }],
    ['message.shipmentUid', { ...message, ShipmentUid: 'another' }],
    ['message', 'text'],
  ])('is refused for its %s, which the refusal names', (field, odd) => {
    const error = refusal(() => parseCallback({ messageType: 'ShipmentStatusUpdate', message: odd }));
    expect(error.issues.map((issue) => issue.field)).toEqual([field]);
  });

  it('is refused without a type', () => {
    expect(refusal(() => parseCallback({ message })).message).toContain('messageType');
    expect(refusal(() => parseCallback([])).message).toContain('JSON object');
  });
});
