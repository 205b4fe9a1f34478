// Generates valid requests of an operation from its schema, for the properties that must hold of any.
import fc from 'fast-check';
import { z } from 'zod';
import { type OperationName, operationRow, type Request } from '../../../contract/index.ts';

/** Fields whose value follows a format that the schema's type alone does not tell. */
const formats: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  emailAddress: fc.constantFrom('anna@example.com', 'cor.de-vries+box@mail.example.org', '用户@例え.jp'),
  phoneNumber: fc.constantFrom('+31612345678', '0032 475 12 34 56'),
  languageCode: fc.constantFrom('nl', 'en-GB'),
  countryCode: fc.constantFrom('NL', 'BE', 'ZW'),
  updatedSince: fc.constantFrom('2026-03-02T09:15:00', '2026-03-02T09:15:00.123Z'),
  since: fc.constantFrom('2026-03-02T09:15:00', '2026-03-02T09:15:00.123Z'),
  until: fc.constantFrom('2026-03-02T09:15:00', '2026-03-02T09:15:00.123Z'),
  url: fc.webUrl(),
  content: fc.uint8Array(),
};

const words = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
  .filter((text) => !text.includes('\0'));

function valueOfSchema(schema: z.core.$ZodType, property: string): fc.Arbitrary<unknown> {
  if (schema instanceof z.ZodOptional)
    return fc.option(valueOfSchema(schema.unwrap(), property), { nil: undefined });
  if (schema instanceof z.ZodNullable)
    return fc.option(valueOfSchema(schema.unwrap(), property), { nil: null });
  if (schema instanceof z.ZodPipe) return valueOfSchema(schema.out, property);
  if (schema instanceof z.ZodObject) return fc.record(valuesOfShape(schema));
  const format = formats[property];
  if (format) return format;
  if (schema instanceof z.ZodArray)
    return fc.array(valueOfSchema(schema.element, property), { maxLength: 4 });
  if (schema instanceof z.ZodString) return words;
  if (schema instanceof z.ZodBoolean) return fc.boolean();
  if (schema instanceof z.ZodEnum) return fc.constantFrom(...schema.options);
  if (schema instanceof z.ZodNumber)
    return schema.format === 'safeint'
      ? fc.integer({ min: 1, max: 500 })
      : fc.double({ min: 1, max: 1e6, noNaN: true });
  throw new TypeError(`no generator for ${schema._zod.def.type} of ${property}`);
}

const valuesOfShape = (schema: z.ZodObject) =>
  Object.fromEntries(Object.entries(schema.shape).map(([name, field]) => [name, valueOfSchema(field, name)]));

/** Any valid request; the rules of several fields are met by leaving out what breaks them. */
export function validRequest<Name extends OperationName>(name: Name): fc.Arbitrary<Request<Name>> {
  const { request } = operationRow(name);
  return fc
    .record(valuesOfShape(request))
    .filter((value) => request.safeParse(value).success)
    .map((value) => value as Request<Name>);
}
