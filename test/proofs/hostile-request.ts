// Random hostile requests over all operations: valid ones with something wrong in them, and bodies that are wrong whole.

import fc from 'fast-check';
import { encodeRequest, type OperationName, operationNames, operationRow } from '../../contract/index.ts';
import { examples } from '../../contract/operations/examples.ts';
import { sandboxRoutes } from '../../service/sandbox/sandbox.ts';
import { hostileValue, jsonText, RawJson } from './hostile-values.ts';

export interface HostileRequest {
  readonly tenant: 'demo' | 'other';
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer> | null;
}

/** Uids that exist, by the field that names such a thing, so that a request gets past the look-up. */
export type KnownUids = Readonly<Record<string, readonly string[]>>;

const asDemo = { tenant: 'demo', method: 'POST' } as const;
const json = { 'content-type': 'application/json' };
const jsonNames = operationNames.filter((name) => !operationRow(name).isMultipart);

type Fields = Record<string, unknown>;
type Mutation = (fields: Fields) => void;

/** The example as the wire has it, with uids that exist. */
function validFields(name: OperationName, known: KnownUids, pick: number): Fields {
  const fields = structuredClone(encodeRequest(name, examples[name].request)) as Fields;
  for (const key of Object.keys(fields)) {
    const uids = known[key.charAt(0).toLowerCase() + key.slice(1)];
    if (uids) fields[key] = uids[pick % uids.length];
  }
  return fields;
}

const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(fc.nat(), hostileValue).map(([at, value]) => setField(at, value)) },
  { weight: 1, arbitrary: fc.nat().map((at) => removeField(at)) },
  { weight: 1, arbitrary: fc.tuple(fc.nat(), hostileValue).map(([at, value]) => doubleField(at, value)) },
  { weight: 1, arbitrary: fc.tuple(fc.string(), hostileValue).map(([key, value]) => addField(key, value)) },
);

/** Of the request itself, or of an object within it. */
function someField(fields: Fields, at: number): { owner: Fields; key: string } {
  const owners = [fields, ...Object.values(fields).filter(isFields)];
  const places = owners.flatMap((owner) => Object.keys(owner).map((key) => ({ owner, key })));
  return places[at % places.length] ?? { owner: fields, key: 'missing' };
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof RawJson);

/** A value is drawn again and again, and what one request does to it must not reach the next, nor the value itself. */
const own = (value: unknown): unknown => (value instanceof RawJson ? value : structuredClone(value));

const setField =
  (at: number, value: unknown): Mutation =>
  (fields) => {
    const { owner, key } = someField(fields, at);
    owner[key] = own(value);
  };
const removeField =
  (at: number): Mutation =>
  (fields) => {
    const { owner, key } = someField(fields, at);
    delete owner[key];
  };
const doubleField =
  (at: number, value: unknown): Mutation =>
  (fields) => {
    const { owner, key } = someField(fields, at);
    owner[key.toUpperCase()] = own(value);
  };
const addField =
  (key: string, value: unknown): Mutation =>
  (fields) =>
    void Object.defineProperty(fields, key, {
      value: own(value),
      enumerable: true,
      configurable: true,
      writable: true,
    });

const mutated = (known: KnownUids): fc.Arbitrary<HostileRequest> =>
  fc
    .tuple(fc.constantFrom(...jsonNames), fc.nat(), fc.array(mutation, { maxLength: 3 }))
    .map(([name, pick, mutations]) => {
      const fields = validFields(name, known, pick);
      for (const mutate of mutations) mutate(fields);
      return { ...asDemo, path: operationRow(name).path, headers: json, body: jsonText(fields) };
    });

const anyPath = fc.constantFrom(...operationNames).map((name) => operationRow(name).path);

const wholeBody: fc.Arbitrary<HostileRequest> = fc
  .tuple(
    anyPath,
    fc.oneof(
      hostileValue.map(jsonText),
      fc.constantFrom(
        '',
        '{',
        '{"a":}',
        '\ufeff{}',
        '{}{}',
        '[',
        'undefined',
        '{"a":1,"a":2}',
        '/*x*/{}',
        '\0',
      ),
      fc.string({ unit: 'binary' }),
      fc.uint8Array({ maxLength: 2_000 }).map((bytes) => new Uint8Array(bytes)),
      fc.constant('x'.repeat(300_000)),
    ),
  )
  .map(([path, body]) => ({ ...asDemo, path, headers: json, body }));

const contentTypes = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'multipart/form-data; boundary=',
  `multipart/form-data; boundary=${'b'.repeat(500)}`,
  'application/json; charset=utf-16',
  'application/json;;;=',
  'application/vnd.api+json',
  '*/*',
  '/',
];

const wrongHeaders = (known: KnownUids): fc.Arbitrary<HostileRequest> =>
  fc
    .tuple(
      mutated(known),
      fc.oneof(
        fc.constantFrom(...contentTypes).map((type): Record<string, string> => ({ 'content-type': type })),
        fc.constantFrom('gzip', 'br', 'chunked').map((encoding) => ({ 'content-encoding': encoding })),
        fc
          .constantFrom('k', 'k'.repeat(255), 'k'.repeat(256), 'ÿ', '"')
          .map((key) => ({ 'idempotency-key': key })),
        fc
          .constantFrom('Bearer', 'Bearer x.y.z', 'Basic Og==', `Bearer ${'a'.repeat(5_000)}`)
          .map((value) => ({
            authorization: value,
          })),
      ),
    )
    .map(([request, headers]) => ({ ...request, headers: { ...request.headers, ...headers } }));

const uploadPath = operationRow('UploadAccountSuggestions').path;
const HEADER = 'EmailAddress;PhoneNumber;LanguageCode;FirstName;LastName;Remarks;PickUpPoint';

const part = fc
  .tuple(
    fc.constantFrom('data', 'file', 'DATA', 'File', '', '__proto__', 'data"; name="file', 'x'.repeat(300)),
    fc.constantFrom('', '; filename="a.csv"', '; filename="a.xlsx"', '; filename=""', '; filename="\0"'),
    fc.oneof(
      fc.constantFrom('{}', '{"reference":1}', '[', '{"reference":"x"}', HEADER, `${HEADER}\n`),
      fc
        .array(fc.string({ maxLength: 40 }), { maxLength: 9 })
        .map((cells) => `${HEADER}\n${cells.join(';')}`),
      hostileValue.map(jsonText),
      fc.uint8Array({ maxLength: 500 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
      fc.constant('PK\u0003\u0004'.repeat(50)),
      fc.constant('\u00d0\u00cf\u0011\u00e0'.repeat(50)),
    ),
  )
  .map(([name, file, content]) => `Content-Disposition: form-data; name="${name}"${file}\r\n\r\n${content}`);

const upload: fc.Arbitrary<HostileRequest> = fc
  .tuple(fc.array(part, { maxLength: 4 }), fc.constantFrom('--b--\r\n', '', '--b', '--c--', '\r\n--b\r\n'))
  .map(([parts, end]) => ({
    ...asDemo,
    path: uploadPath,
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
    body: new Uint8Array(
      Buffer.from(`${parts.map((each) => `--b\r\n${each}\r\n`).join('')}${end}`, 'latin1'),
    ),
  }));

/** Valid input of the routes that have any, to be made hostile. */
const sandboxInputs: Readonly<Record<string, Fields>> = {
  '/sandbox/faults': { lockerUid: 'locker-other-3', fault: null },
  '/sandbox/switches': { renamedStates: { Completed: 'DONE' }, plainCallbacks: false },
};

/** As the other tenant: what it switches off is not missed by the rest. */
const sandbox: fc.Arbitrary<HostileRequest> = fc
  .tuple(fc.constantFrom(...sandboxRoutes), fc.array(mutation, { maxLength: 2 }))
  .map(([{ method, path }, mutations]) => {
    const fields = structuredClone(sandboxInputs[path] ?? {});
    for (const mutate of mutations) mutate(fields);
    const query = Object.entries(fields).map(([key, value]) => `${inUrl(key)}=${inUrl(value)}`);
    return method === 'GET'
      ? { tenant: 'other', method, path: `${path}?${query.join('&')}`, headers: {}, body: null }
      : { tenant: 'other', method, path, headers: json, body: jsonText(fields) };
  });

/** A URL holds no half surrogate pairs, and no more than some kilobytes. */
const inUrl = (value: unknown) =>
  encodeURIComponent((typeof value === 'string' ? value : jsonText(value)).slice(0, 1_000).toWellFormed());

/** The same requests for the same seed, the uids aside. */
export function hostileRequests(seed: number, count: number, known: KnownUids): HostileRequest[] {
  const request = fc.oneof(
    { weight: 70, arbitrary: mutated(known) },
    { weight: 10, arbitrary: wholeBody },
    { weight: 10, arbitrary: wrongHeaders(known) },
    { weight: 10, arbitrary: upload },
    { weight: 15, arbitrary: sandbox },
  );
  return fc.sample(request, { seed, numRuns: count });
}
