// The OpenAPI document and the check of requests agree on any request: valid ones of each operation, with one value
// replaced, removed or added. What a schema cannot say is listed here. Of headers, cursors and files: test/proofs.
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ContractError,
  encodeRequest,
  type OperationName,
  operationNames,
  operationRow,
  parseRequest,
} from '../../../contract/index.ts';
import { openApiDocument } from '../../../contract/openapi/openapi.ts';
import { wireName } from '../../../contract/wire/casing.ts';
import { atSizes } from '../../support/suite.ts';
import { pathsOf, withValue } from '../changed-value.ts';
import { validRequest } from '../operations/valid-request.ts';

const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema({ ...JSON.parse(JSON.stringify(openApiDocument())), $id: 'document' });

const lengths = [0, 1, 40, 41, 200, 201, 320, 321, 2_000, 2_001];
/** Texts at the edges of the rules for texts, e-mail addresses, numbers, languages, countries and moments. */
const texts = fc.oneof(
  fc
    .tuple(fc.constantFrom('a', 'ö', '\u{1f6b2}'), fc.constantFrom(...lengths))
    .map(([one, n]) => one.repeat(n)),
  fc.constantFrom('\0', '\ud83d', 'a\udeb2', '\n', ' ', '\u202e', 'null', '0', '-'),
  fc.constantFrom(...'a@b.co,A@B,ö@ä.ü,a@b.c,a..b@c.de,a@b.xn--p1ai,a @b.co,a@1.2.3.4,"a"@b.co'.split(',')),
  fc.constantFrom(
    ...'+31612345678,0031 6 12345678,+31 (0)6-1234.5678,0612345678,+3161234567890123,+1'.split(','),
  ),
  fc.constantFrom('nl', 'NL-be', 'nld', 'n', 'BE', 'XX', 'en_GB', 'en-GB-x'),
  fc.constantFrom(
    ...'2031-05-01T12:00:00 2031-05-01 2031-02-30T00:00:00Z 2031-05-01T24:00:00 0000-01-01T00:00Z'.split(' '),
  ),
  fc.constantFrom(
    '2031-05-01T12:00:00.1234567890+23:59',
    '2031-05-01T12:00:60Z',
    '2031-05-01t12:00:00z',
    '2031-05-01T12:00:00+2400',
  ),
  fc.string({ unit: 'binary', maxLength: 8 }),
);
const values: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 5, arbitrary: texts },
  fc.constantFrom(null, true, false, [], {}, [null], ['a'], { a: 1 }),
  fc.constantFrom(-1, -0.5, 0, 0.5, 1, 1.5, 2, 500, 501, 2 ** 53, 1e300, Number.MIN_VALUE),
);

/** JSON, as it comes over the wire: without what is undefined. */
const asJson = (body: unknown): unknown => JSON.parse(JSON.stringify(body));

const changed = (name: OperationName): fc.Arbitrary<unknown> =>
  validRequest(name).chain((request) => {
    const body = asJson(encodeRequest(name, request));
    const { request: schema } = operationRow(name);
    const fields = Object.keys(schema.shape).map((field) => [wireName(schema, field)]);
    const paths = [...pathsOf(body), ...fields];
    return fc
      .tuple(fc.constantFrom(...paths), fc.oneof({ weight: 9, arbitrary: values }, fc.constant(undefined)))
      .map(([path, value]) => asJson(withValue(body, path, value)));
  });

/** The names of fields whose rule no schema can state in full. The document allows less or more than the service takes. */
const beyondSchema = {
  /** More: which domain beyond ASCII DNS can have. Less: how a URL parser reads unusual forms of an address. */
  isRefused: /^emailAddress: is not an e-mail address$/,
  isTaken: new Set(['url', 'pageNo', 'pageSize']),
};

function refusalOf(name: OperationName, body: unknown): string | null {
  try {
    parseRequest(name, body);
    return null;
  } catch (error) {
    if (error instanceof ContractError) return error.message;
    throw error;
  }
}

const onlyJson = operationNames.filter((name) => !operationRow(name).isMultipart);

describe.each(onlyJson)('%s', (name) => {
  atSizes({ short: 30, long: 150 }, (numRuns, seed) =>
    it('refuses nothing that the document allows, and takes nothing that it forbids', () => {
      const allows = ajv.compile({ $ref: `document#/components/schemas/${name}Request` });
      fc.assert(
        fc.property(changed(name), (body) => {
          const refusal = refusalOf(name, body);
          if (allows(body)) {
            if (!beyondSchema.isRefused.test(refusal ?? '')) expect(refusal).toBeNull();
          } else if (refusal === null) {
            const places = (allows.errors ?? []).map(
              ({ instancePath }) => instancePath.slice(1).split('/')[0] ?? '',
            );
            if (!places.some((place) => beyondSchema.isTaken.has(place))) expect(allows.errors).toEqual([]);
          }
        }),
        { seed, numRuns },
      );
    }),
  );
});
