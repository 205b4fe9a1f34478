// What a request is about, for the log: its shipments and its case numbers, by which one life is found in all logs. Never a
// code, a name or a text.

export interface NamedInLog {
  readonly shipmentUids?: readonly string[];
  readonly caseNumbers?: readonly string[];
}

const SHIPMENTS: ReadonlySet<string> = new Set([
  'shipmentUid',
  'shipmentUids',
  'priorShipmentUid',
  'swapsShipmentUid',
]);
const CASES: ReadonlySet<string> = new Set(['referenceCaseNo', 'caseReferenceNew']);
// A flow books with details of each of its shipments.
const DETAILS: ReadonlySet<string> = new Set(['details', 'return', 'issue']);

/** From a request and its answer. */
export function namedIn(...bodies: readonly object[]): NamedInLog {
  const fields = bodies.flatMap(fieldsOf);
  const shipmentUids = textsOf(fields, SHIPMENTS);
  const caseNumbers = textsOf(fields, CASES);
  return {
    ...(shipmentUids.length > 0 && { shipmentUids }),
    ...(caseNumbers.length > 0 && { caseNumbers }),
  };
}

type Field = readonly [name: string, value: unknown];

/** With those of its details. */
const fieldsOf = (body: object): Field[] =>
  Object.entries(body).flatMap(([name, value]): Field[] =>
    DETAILS.has(name) && typeof value === 'object' && value !== null ? fieldsOf(value) : [[name, value]],
  );

function textsOf(fields: readonly Field[], names: ReadonlySet<string>): string[] {
  const values = fields.filter(([name]) => names.has(name)).flatMap(([, value]) => value);
  return [...new Set(values.filter((value) => typeof value === 'string' && value !== ''))] as string[];
}
