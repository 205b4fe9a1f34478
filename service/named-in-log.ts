// What a request is about, for the log: its shipments and its case numbers, by which one life is found in all logs. Never a
// code, a name or a text.

interface NamedInLog {
  readonly shipmentUids?: readonly string[];
  readonly caseNumbers?: readonly string[];
}

/** What a field names. A flow books with details of each of its shipments, which name more. */
const FIELDS: ReadonlyMap<string, 'shipment' | 'case' | 'details'> = new Map([
  ['shipmentUid', 'shipment'],
  ['shipmentUids', 'shipment'],
  ['priorShipmentUid', 'shipment'],
  ['swapsShipmentUid', 'shipment'],
  ['referenceCaseNo', 'case'],
  ['caseReferenceNew', 'case'],
  ['details', 'details'],
  ['return', 'details'],
  ['issue', 'details'],
]);

/** From a request and its answer. */
export function namedIn(...bodies: readonly object[]): NamedInLog {
  const found = { shipment: new Set<string>(), case: new Set<string>() };
  for (const body of bodies) gather(body, found);
  return {
    ...(found.shipment.size > 0 && { shipmentUids: [...found.shipment] }),
    ...(found.case.size > 0 && { caseNumbers: [...found.case] }),
  };
}

function gather(body: object, found: Readonly<Record<'shipment' | 'case', Set<string>>>): void {
  for (const [name, value] of Object.entries(body)) {
    const named = FIELDS.get(name);
    if (named === undefined || value === null) continue;
    if (named === 'details') gather(Object(value), found);
    else
      for (const each of [value].flat()) if (typeof each === 'string' && each !== '') found[named].add(each);
  }
}
