// What must hold of any JSON and of any valid request, whoever sends it.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ContractError,
  encodeAnswer,
  encodeRequest,
  operationNames,
  operationRow,
  parseAnswer,
  parseCallback,
  parseRequest,
} from '../../../contract/index.ts';
import { examples } from '../../../contract/operations/examples.ts';
import { atSizes } from '../../support/suite.ts';
import { validRequest } from './valid-request.ts';

const hostileKeys = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'valueOf',
  '',
  'success',
];
const wireKeys = operationNames.flatMap((name) => {
  const { request, response } = operationRow(name);
  return [...Object.keys(request.shape), ...Object.keys(response.shape)];
});
const key = fc.oneof(
  fc.constantFrom(...hostileKeys),
  fc.constantFrom(...wireKeys).chain(inRandomCasing),
  fc.string(),
);

/** Deep JSON whose keys are partly the wire's own and partly hostile; through JSON.parse, as a body comes. */
const anyJson = fc.oneof(
  fc.letrec<{ json: unknown }>((tie) => ({
    json: fc.oneof(
      { maxDepth: 6, withCrossShrink: true },
      fc.constantFrom(null, true, false, 0, -1, 1e308, '', 'x', '\0', '\ud800'),
      fc.array(tie('json'), { maxLength: 4 }),
      fc.array(fc.tuple(key, tie('json')), { maxLength: 6 }).map(jsonObject),
    ),
  })).json,
  fc.jsonValue({ maxDepth: 8 }),
);

/** Object.fromEntries would define __proto__ as JSON.parse does: an own property like any other. */
function jsonObject(entries: readonly (readonly [string, unknown])[]): unknown {
  const text = entries.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(',');
  return JSON.parse(`{${text}}`);
}

function inRandomCasing(name: string): fc.Arbitrary<string> {
  return fc
    .array(fc.boolean(), { minLength: name.length, maxLength: name.length })
    .map((upper) =>
      [...name].map((letter, at) => (upper[at] ? letter.toUpperCase() : letter.toLowerCase())).join(''),
    );
}

/** The same JSON with the letters of every name in other casings, nested ones too. */
function recased(value: unknown): fc.Arbitrary<unknown> {
  if (Array.isArray(value)) return fc.tuple(...value.map(recased));
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return fc.constant(value);
  return fc
    .tuple(...Object.entries(value).map(([name, item]) => fc.tuple(inRandomCasing(name), recased(item))))
    .map((entries) => Object.fromEntries(entries));
}

/** Any throw but ContractError comes through and fails the property. */
function mayRefuse(action: () => unknown): void {
  try {
    action();
  } catch (error) {
    if (!(error instanceof ContractError)) throw error;
    if (error.issues.length === 0 || error.message === '') throw new Error('a refusal that says nothing');
  }
}

describe('any JSON', () => {
  atSizes({ short: 400, long: 2_000 }, (numRuns, seed) =>
    it('is read as a request or refused by the contract, never more', () => {
      fc.assert(
        fc.property(fc.constantFrom(...operationNames), anyJson, (name, json) =>
          mayRefuse(() => parseRequest(name, json)),
        ),
        { seed, numRuns },
      );
    }),
  );

  atSizes({ short: 400, long: 2_000 }, (numRuns, seed) =>
    it('is read as an answer or refused by the contract, never more', () => {
      fc.assert(
        fc.property(fc.constantFrom(...operationNames), anyJson, fc.boolean(), (name, json, success) => {
          mayRefuse(() => parseAnswer(name, json));
          if (typeof json === 'object') mayRefuse(() => parseAnswer(name, { ...json, success }));
        }),
        { seed, numRuns },
      );
    }),
  );

  atSizes({ short: 400, long: 2_000 }, (numRuns, seed) =>
    it('is read as a callback or refused by the contract, never more', () => {
      fc.assert(
        fc.property(anyJson, (json) => {
          mayRefuse(() => parseCallback(json));
          mayRefuse(() => parseCallback({ messageType: 'ShipmentStatusUpdate', message: json }));
        }),
        { seed, numRuns },
      );
    }),
  );

  it('changes no prototype', () => {
    const body = JSON.parse(
      '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"shipmentUid":"s"}',
    );
    expect(parseRequest('CancelShipment', body)).toEqual({ shipmentUid: 's' });
    expect({}).not.toHaveProperty('polluted');
  });

  it('may be nested deeper than a call stack', () => {
    const deep = JSON.parse(`${'{"details":'.repeat(20_000)}1${'}'.repeat(20_000)}`);
    mayRefuse(() => parseRequest('AddShipmentObject', deep));
    mayRefuse(() => parseCallback({ messageType: 'Other', message: deep }));
  });
});

describe.each(operationNames)('%s', (name) => {
  // assumptions: The wire, Casing
  atSizes({ short: 10, long: 30 }, (numRuns, seed) =>
    it('comes back the same from the wire, for any valid request in any casing', () => {
      fc.assert(
        fc.property(
          validRequest(name).chain((request) => {
            const wire = encodeRequest(name, request);
            return fc.tuple(fc.constant(request), fc.constant(wire), recased(wire));
          }),
          ([request, wire, othersCasing]) => {
            const parsed = parseRequest(name, wire);
            expect(parsed).toEqual(request);
            expect(parseRequest(name, othersCasing)).toEqual(parsed);
            expect(encodeRequest(name, parsed)).toEqual(wire);
          },
        ),
        { seed, numRuns },
      );
    }),
  );

  atSizes({ short: 5, long: 20 }, (numRuns, seed) =>
    it('has an example that comes back unchanged from the wire, its answer in any casing', () => {
      const { request, response } = examples[name];
      expect(parseRequest(name, encodeRequest(name, request))).toEqual(request);
      expect(parseAnswer(name, encodeAnswer(name, response))).toEqual({ success: true, response });
      fc.assert(
        fc.property(recased(encodeAnswer(name, response)), (body) => {
          expect(parseAnswer(name, body)).toEqual({ success: true, response });
        }),
        { seed, numRuns },
      );
    }),
  );
});
