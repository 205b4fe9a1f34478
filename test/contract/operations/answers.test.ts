// Answers, callbacks and tokens of a peer are read tolerantly: only what nothing can be done without is insisted on.
import { describe, expect, it } from 'vitest';
import {
  encodeAnswer,
  encodeFailure,
  type OperationName,
  operationNames,
  parseAnswer,
  parseCallback,
  tokenResponse,
} from '../../../contract/index.ts';
import { examples } from '../../../contract/operations/examples.ts';
import { refusal } from '../refusal.ts';

/** Uids that the caller learns from this answer alone, and the list that a page is. */
const essential: Partial<Record<OperationName, string>> = {
  CreateLocalShipment: 'shipmentUid',
  CreateLocalShipmentAsIssue: 'shipmentUids',
  CreateLocalShipmentAsIssueAndSwapIntake: 'shipmentUids',
  CreateLocalShipmentAsStock: 'shipmentUids',
  CreateLocalShipmentAsStockAfterSwapIntake: 'shipmentUids',
  CreateLocalShipmentAsIssueFromStock: 'shipmentUids',
  CreateLocalShipmentAsIssueFromStockAndSwapIntake: 'shipmentUids',
  CreateLocalShipmentAsIntake: 'shipmentUids',
  CreateLocalShipmentAsIntakeAndCircularStock: 'shipmentUids',
  CreateLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock: 'shipmentUids',
  CreateCollectOnlyShipment: 'shipmentUid',
  CreateCollectOnlyShipmentAsCollectByDispatcher: 'shipmentUids',
  CreateCollectOnlyShipmentAsCollectByUser: 'shipmentUids',
  AddShipmentObject: 'shipmentObjectUid',
  CreateAccount: 'userUid',
  CreateOrGetAccount: 'userUid',
  GetShipments: 'items',
  GetLocalShipments: 'items',
  GetCollectOnlyShipments: 'items',
  GetPickUpPoints: 'items',
  GetAuditLog: 'items',
  GetLockers: 'items',
  GetShipmentObjects: 'items',
  GetShipmentEvents: 'items',
  SearchAccounts: 'items',
};

const page = { pageNo: 1, pageSize: 100, totalItems: 2, totalPages: 1 };

describe.each(operationNames)('the answer of %s', (name) => {
  const body = encodeAnswer(name, examples[name].response);
  const needed = essential[name];

  it.each(Object.keys(body))('may lack %s, unless it is essential', (field) => {
    for (const odd of [undefined, null, { odd: true }]) {
      const read = () => parseAnswer(name, { ...body, [field]: odd });
      if (field === needed || field === 'success') expect(refusal(read).message).toContain(field);
      else expect(read()).toMatchObject({ success: true });
    }
  });

  it('may have unknown fields', () => {
    expect(parseAnswer(name, { ...body, weather: 'fine' })).toEqual(parseAnswer(name, body));
  });
});

describe('a failing answer', () => {
  it('gives its code and message, known or not', () => {
    for (const error of ['NoLockerAvailable', 'SolarEclipse'])
      expect(parseAnswer('CancelShipment', { success: false, error, message: 'No.' })).toEqual({
        success: false,
        error,
        message: 'No.',
        fields: {},
      });
  });

  it('is an internal error of the peer when it gives no code', () => {
    expect(parseAnswer('CancelShipment', { Success: false })).toMatchObject({
      success: false,
      error: 'InternalError',
      message: null,
    });
  });

  it('keeps its other fields, such as the userUid of the created account', () => {
    const body = encodeFailure('MutationConfigFailed', null, { userUid: 'user-anna' });
    expect(parseAnswer('CreateAccount', body)).toMatchObject({
      success: false,
      error: 'MutationConfigFailed',
      message: expect.stringContaining('mutation configuration'),
      fields: { userUid: 'user-anna' },
    });
  });
});

describe('a list in an answer', () => {
  it('keeps an element that cannot be read, as nulls: without it the list would look complete', () => {
    const items = [
      { shipmentUid: 's-1', stateCode: 'SolarEclipse', referenceNo: 7 },
      'odd',
      { shipmentUid: 9.5 },
    ];
    const answer = parseAnswer('GetShipments', { items, ...page, totalItems: 'many', success: true });
    if (!answer.success) throw new Error('expected success');
    expect(answer.response.items).toMatchObject([
      { shipmentUid: 's-1', stateCode: 'SolarEclipse', referenceNo: '7', pupUid: null },
      { shipmentUid: null },
      { shipmentUid: '9.5' },
    ]);
    expect(answer.response.totalItems).toBeNull();
  });

  it('of shipmentUids has every shipment once', () => {
    expect(
      parseAnswer('CreateLocalShipmentAsIssueAndSwapIntake', {
        shipmentUids: ['a', 'b', 'a'],
        success: true,
      }),
    ).toMatchObject({ response: { shipmentUids: ['a', 'b'] } });
  });

  it('of shipmentUids without any, or with one that is not a uid, is refused', () => {
    for (const shipmentUids of [[], [''], ['a', null], 'a'])
      expect(
        refusal(() => parseAnswer('CreateLocalShipmentAsStock', { shipmentUids, success: true })).code,
      ).toBe('InvalidResponse');
  });
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

  it('of an unknown type is kept unchanged', () => {
    const body = { messageType: 'LockerPainted', message: 5, colour: 'red' };
    expect(parseCallback(body)).toEqual({
      messageType: 'Other',
      name: 'LockerPainted',
      body,
      shipmentUid: null,
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

describe("a token service's answer", () => {
  it('may write bearer as it likes, and add fields', () => {
    expect(
      tokenResponse.parse({
        access_token: 't',
        token_type: 'Bearer',
        expires_in: 300,
        scope: 'integration_api',
      }),
    ).toEqual({ access_token: 't', token_type: 'Bearer', expires_in: 300 });
  });

  it('may give the lifetime as text, or not at all: then the token is valid for a minute', () => {
    const token = { access_token: 't', token_type: 'bearer' };
    expect(tokenResponse.parse({ ...token, expires_in: '300' }).expires_in).toBe(300);
    for (const odd of [undefined, null, 0, -5, 'soon'])
      expect(tokenResponse.parse({ ...token, expires_in: odd }).expires_in).toBe(60);
  });

  it('must hold a bearer token', () => {
    expect(tokenResponse.safeParse({ access_token: 't', token_type: 'mac', expires_in: 1 }).success).toBe(
      false,
    );
    expect(tokenResponse.safeParse({ access_token: '', token_type: 'bearer' }).success).toBe(false);
  });
});
