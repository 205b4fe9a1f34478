// The examples are shown to integrators and feed other tests: each must be what the contract accepts.
import { describe, expect, it } from 'vitest';
import {
  encodeAnswer,
  encodeRequest,
  operationNames,
  parseAnswer,
  parseRequest,
} from '../../../contract/index.ts';
import { examples } from '../../../contract/operations/examples.ts';

describe.each(operationNames)('the example of %s', (name) => {
  it('is a request that comes back unchanged from the wire', () => {
    const { request } = examples[name];
    expect(parseRequest(name, encodeRequest(name, request))).toEqual(request);
  });

  it('is an answer that comes back unchanged from the wire', () => {
    const { response } = examples[name];
    expect(parseAnswer(name, encodeAnswer(name, response))).toEqual({ success: true, response });
  });
});
