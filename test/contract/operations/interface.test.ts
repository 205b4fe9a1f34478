// Holds the contract against the interface, by way of a table that was typed from it by hand.
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  encodeRequest,
  operationNames,
  operationRow,
  parseAnswer,
  parseRequest,
} from '../../../contract/index.ts';
import { unwrapped, wireName } from '../../../contract/wire/casing.ts';
import { refusal } from '../refusal.ts';
import { type InterfaceRow, interfaceTable } from './interface-table.ts';
import { sampleValue } from './sample-values.ts';

type Body = Record<string, unknown>;

/** Required, and null means something: no description, no address. */
const MAY_BE_NULL = new Set(['SetShipmentDetails.Description', 'ConfigureCallback.url']);
/** Optional fields in which an empty text is no value. In every other optional text it is one. */
const NO_VALUE = /uid$|^(userName|phoneNumber|languageCode|countryCode|cursor|data\.reference)$/i;

const names = (list: string | undefined) => (list ?? '').split(' ').filter((name) => name !== '');

/** Sets (or with undefined removes) a field of a body, in place. */
function set(body: Body, path: string, value: unknown): Body {
  const keys = path.split('.');
  const last = keys.pop() ?? '';
  const owner = keys.reduce((object, key) => {
    object[key] ??= {};
    return object[key] as Body;
  }, body);
  if (value === undefined) delete owner[last];
  else owner[last] = value;
  return body;
}

const bodyOf = (...lists: (string | undefined)[]): Body =>
  lists.flatMap(names).reduce<Body>((body, path) => set(body, path, sampleValue(path)), {});

/** The names of an object schema's fields on the wire, nested ones with a dot; a dimension and a file are whole. */
const wireFields = (schema: z.ZodObject, prefix = ''): string[] =>
  Object.entries(schema.shape).flatMap(([property, field]) => {
    const name = prefix + wireName(schema, property);
    const inner = unwrapped(field);
    const nested = inner instanceof z.ZodObject && !['dimension', 'file'].includes(property);
    return nested ? [name, ...wireFields(inner, `${name}.`)] : [name];
  });

it('has exactly the operations of the interface', () => {
  expect([...operationNames].sort()).toEqual(Object.keys(interfaceTable).sort());
});

describe.each(operationNames)('%s', (name) => {
  const row: InterfaceRow = interfaceTable[name];
  const contract = operationRow(name);
  const minimal = () => bodyOf(row.required, row.oneOf);
  const full = () => bodyOf(row.required, row.optional);
  const optional = names(`${row.optional} ${row.alone ?? ''}`);

  it('has the path of the interface', () => {
    expect(contract.path).toBe(row.path);
  });

  it('has no request field that the interface does not list, and lacks none', () => {
    const listed = names(`${row.required} ${row.optional} ${row.alone ?? ''}`);
    expect(wireFields(contract.request).sort()).toEqual(
      listed.filter((field) => !field.startsWith('Dimension.')).sort(),
    );
  });

  it('is sent in exactly the casing of the interface', () => {
    expect(encodeRequest(name, parseRequest(name, full()))).toEqual(full());
  });

  it('is accepted without its optional fields', () => {
    expect(() => parseRequest(name, minimal())).not.toThrow();
  });

  it.each(optional)('accepts a null %s', (field) => {
    if (field === row.oneOf) return;
    expect(() => parseRequest(name, set(minimal(), field, null))).not.toThrow();
  });

  // assumptions: The wire, Empty strings
  it.each(optional.filter((field) => NO_VALUE.test(field)))('takes an empty %s for none', (field) => {
    if (field === row.oneOf) return;
    const none = parseRequest(name, set(minimal(), field, null));
    expect(parseRequest(name, set(minimal(), field, ''))).toEqual(none);
  });

  it.each(names(row.alone))('accepts %s alone', (field) => {
    expect(() => parseRequest(name, set(minimal(), field, sampleValue(field)))).not.toThrow();
  });

  it.each(names(row.required))('is refused without %s, which the refusal names', (field) => {
    const { issues, message } = refusal(() => parseRequest(name, set(full(), field, undefined)));
    expect(issues.map((issue) => issue.field)).toEqual([field]);
    expect(message).toContain(`${field}: is required`);
  });

  const required = names(row.required);

  it.each(required.filter((field) => !MAY_BE_NULL.has(`${name}.${field}`)))(
    'is refused with a null %s',
    (field) => {
      const { issues } = refusal(() => parseRequest(name, set(full(), field, null)));
      expect(issues.map((issue) => issue.field)).toEqual([field]);
    },
  );

  it.each([...required, ...optional])(
    'is refused with a %s of another type, which the refusal names',
    (field) => {
      const other = typeof sampleValue(field) === 'string' ? 7 : 'text';
      const { issues } = refusal(() => parseRequest(name, set(full(), field, other)));
      expect(issues.map((issue) => issue.field)).toEqual([field]);
    },
  );

  it('reads exactly the answer fields of the interface', () => {
    expect(Object.keys(contract.response.shape).sort()).toEqual(names(row.answer).sort());
    const body = bodyOf(row.answer);
    expect(parseAnswer(name, { ...body, success: true, error: null, message: null })).toEqual({
      success: true,
      response: body,
    });
  });
});
