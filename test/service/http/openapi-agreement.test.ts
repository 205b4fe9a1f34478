// The OpenAPI document and the running service agree on what is refused, as far as a schema can say it: what the document
// allows is not refused for its form, and what the service refuses for its form is outside of the document. Over HTTP for
// headers, cursors, files and the sandbox; the fields of requests are compared in test/contract/openapi/agreement.test.ts.
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { type OperationName, operationNames, operationRow } from '../../../contract/index.ts';
import { callerAs } from '../../support/caller.ts';
import { sandboxAs } from '../../support/sandbox.ts';
import { createTestService } from '../../support/service.ts';
import { bySuite, freshSeed } from '../../support/suite.ts';
import { useInFile } from '../../support/use.ts';
import { formSenderAs } from '../accounts/suggestions/upload.ts';

type Schema = Readonly<Record<string, unknown>>;
const schema = z.record(z.string(), z.unknown());
const described = z.object({
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
  components: z.object({
    schemas: z.record(z.string(), schema),
    parameters: z.object({ OnBehalfOf: z.object({ schema }) }),
  }),
});

let document: z.infer<typeof described>;
let allows: (what: Schema, value: unknown) => boolean;

const service = useInFile(() => createTestService());
const demo = useInFile(() => callerAs(service.address));
const sandbox = useInFile(() => sandboxAs(service.address));
beforeAll(async () => {
  document = described.parse(await (await fetch(`${service.address}/openapi.json`)).json());
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ ...document, $id: 'document' });
  allows = (what, value) =>
    ajv.validate({ ...JSON.parse(JSON.stringify(what).replaceAll('"#/', '"document#/')) }, value);
});

const requestOf = (name: OperationName): Schema => ({ $ref: `#/components/schemas/${name}Request` });

const bytes = fc
  .array(fc.integer({ min: 0, max: 255 }), { minLength: 1, maxLength: 4 })
  .map((all) => all.map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''));
const encoded = fc
  .string({ unit: 'binary', minLength: 1, maxLength: 4 })
  .map((text) => encodeURIComponent(text));
const odd = fc.constantFrom(
  '%20',
  '%C2%A0',
  '%e2%80%ae',
  '%EF%BB%BF',
  '%',
  '%2',
  '%zz',
  '\u00e9',
  ' ',
  '%00',
  '%7F',
  'a',
);
/** Of the forms in which a name may come, some of them wrong. */
const header = fc.oneof(
  fc.array(fc.oneof(bytes, encoded, odd), { maxLength: 4 }).map((parts) => parts.join('')),
  fc.nat({ max: 4 }).map((more) => 'n'.repeat(98 + more)),
  fc.nat({ max: 4 }).map((more) => '%F0%9F%9A%B2'.repeat(98 + more)),
);

// assumptions: The wire, On whose behalf
test('X-On-Behalf-Of is refused exactly where the document does not allow it', async () => {
  const { schema: ofHeader } = document.components.parameters.OnBehalfOf;
  const seen = { allowed: 0, refused: 0 };
  await fc.assert(
    fc.asyncProperty(header, async (text) => {
      // What no client can send; and blanks around a value belong to no header.
      fc.pre(/^[\x21-\xff](?:[\x20-\xff]*[\x21-\xff])?$/.test(text));
      const { status, body } = await demo('GetAccount', {}, { 'x-on-behalf-of': text });
      const isAllowed = allows(ofHeader, text);
      seen[isAllowed ? 'allowed' : 'refused'] += 1;
      expect([text, status, String(body.message).startsWith('X-On-Behalf-Of:')]).toEqual([
        text,
        isAllowed ? 200 : 400,
        !isAllowed,
      ]);
    }),
    { seed: freshSeed, numRuns: bySuite({ short: 100, long: 400 }) },
  );
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(bySuite({ short: 5, long: 20 }));
});

const withCursor = operationNames.filter((name) => 'cursor' in operationRow(name).request.shape);

test.each(withCursor)(
  'a cursor of %s that the document does not allow is refused, and its own is allowed',
  async (name) => {
    for (let count = 0; count < 2; count += 1)
      await demo('CreateLocalShipmentAsStock', {
        pupUid: 'pup-central',
        dimension: { width: 1, height: 1, length: 1 },
        allowLargerLockers: false,
        allowOverflowLockers: false,
      });
    const page = name === 'GetAuditLog' ? { pageSize: 1 } : { pageNo: 1, pageSize: 1 };
    const ofRequest = requestOf(name);
    const first = await demo(name, { ...page, cursor: '' });
    expect(first.body).toMatchObject({ success: true });
    const { nextCursor } = first.body;
    for (const cursor of [null, '', ...(name === 'GetCollectOnlyShipments' ? [] : [nextCursor])]) {
      expect(cursor).not.toBeUndefined();
      expect(allows(ofRequest, { ...page, cursor }), `${cursor}`).toBe(true);
      expect((await demo(name, { ...page, cursor })).body).toMatchObject({ success: true });
    }
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }), async (cursor) => {
        fc.pre(!allows(ofRequest, { ...page, cursor }));
        const { status, body } = await demo(name, { ...page, cursor });
        expect([status, body.error, String(body.message)]).toEqual([
          400,
          'InvalidRequest',
          expect.stringContaining('cursor: must be'),
        ]);
      }),
      { seed: freshSeed, numRuns: bySuite({ short: 5, long: 50 }) },
    );
    for (const cursor of ['not base64 url', 'a'.repeat(2_001), 'ö', '\n'])
      expect(allows(ofRequest, { ...page, cursor }), cursor).toBe(false);
  },
);

test('an empty file is outside of the document, as MissingFile says', async () => {
  for (const content of ['', 'x']) {
    const form = new FormData();
    form.append('data', '{}');
    form.append('file', new File([content], 'residents.csv'));
    const { body } = await (await formSenderAs(service.address))(form);
    const isAllowed = allows(requestOf('UploadAccountSuggestions'), { data: {}, file: content });
    expect([isAllowed, body.error]).toEqual(
      content === '' ? [false, 'MissingFile'] : [true, 'InvalidHeader'],
    );
  }
});

const posts = [
  ['clock', (length: number) => ({ follow: 'f'.repeat(length) }), 1_300],
  ['clock', (length: number) => ({ leave: ['l'.repeat(length)] }), 1_300],
  ['switches', (length: number) => ({ renamedStates: { Registered: 'r'.repeat(length) } }), 100],
] as const;

test.each(posts)('/sandbox/%s takes texts as long as the document says', async (path, body, most) => {
  const { post } = document.paths[`/sandbox/${path}`] ?? {};
  const { requestBody } = z
    .object({ requestBody: z.object({ content: z.object({ 'application/json': z.object({ schema }) }) }) })
    .parse(post);
  const { schema: ofRequest } = requestBody.content['application/json'];
  for (const length of [most, most + 1]) {
    const isAllowed = allows(ofRequest, body(length));
    expect([length, isAllowed]).toEqual([length, length === most]);
    expect((await sandbox('POST', path, body(length))).status).toBe(isAllowed ? 200 : 400);
  }
  await sandbox('POST', 'reset');
});
