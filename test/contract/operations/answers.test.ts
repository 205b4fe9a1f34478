// Answers and tokens of a service are read tolerantly: only what nothing can be done without is insisted on.
import { describe, expect, it } from 'vitest';
import {
  encodeAnswer,
  type OperationName,
  operationNames,
  parseAnswer,
  tokenResponse,
} from '../../../contract/index.ts';
import { examples } from '../../../contract/operations/examples.ts';
import { readLockersTried } from '../../../contract/wire/lockers-tried.ts';
import { refusal } from '../refusal.ts';
import { type InterfaceRow, interfaceTable } from './interface-table.ts';

/** The uid that the caller learns from this answer alone, or the list that a page is. */
function essentialOf(name: OperationName): string | undefined {
  const { answer }: InterfaceRow = interfaceTable[name];
  const fields = answer.split(' ');
  const isMade = /^(Create|Add)/.test(name);
  const uids = isMade ? ['shipmentObjectUid', 'shipmentUid', 'userUid'] : [];
  return ['items', 'shipmentUids', ...uids].find((field) => fields.includes(field));
}

const page = { pageNo: 1, pageSize: 100, totalItems: 2, totalPages: 1 };

describe.each(operationNames)('the answer of %s', (name) => {
  const body = encodeAnswer(name, examples[name].response);
  const needed = essentialOf(name);

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

  it('of no free locker gives what was tried, as the service says it', () => {
    const tried = [{ pupUid: 'p', size: 'M', lockers: 2, taken: 2, outOfOrder: 0, toBeEmptied: 0 }];
    const why = { itemSides: [1, 2, 3], tried, allowLargerLockers: true, allowOverflowLockers: false };
    const body = { success: false, error: 'NoLockerAvailable', message: 'No.', ...why };
    expect(parseAnswer('CreateLocalShipmentAsIssue', body)).toMatchObject({ fields: why });
    expect(readLockersTried(why)).toEqual(why);
    expect(readLockersTried({ ...why, tried: 'none' })).toBeUndefined();
  });

  it('is an internal error of the service when it gives no code', () => {
    expect(parseAnswer('CancelShipment', { Success: false })).toMatchObject({
      success: false,
      error: 'InternalError',
      message: null,
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
});
