// An item as people know it: what it is, and its number.
import { mapOf } from '../../flows/language/flow-file.ts';
import { textOf } from './account-names.ts';

/** "Laptop 7 (3SLOCK302)"; null: nobody has said. */
export function formatItem(
  given: { readonly description?: unknown; readonly referenceNo?: unknown } | undefined,
): string | null {
  const [words, number] = [textOf(given?.description), textOf(given?.referenceNo)];
  if (words === null) return number;
  return number === null ? words : `${words} (${number})`;
}

interface Numbered {
  readonly referenceNo: string | null;
  readonly referenceCaseNo: string | null;
}

/** By which people know a shipment; null: by none. */
export const referenceOf = ({ referenceNo, referenceCaseNo }: Numbered): string | null =>
  referenceNo !== null && referenceCaseNo !== null && isOfLeg(referenceNo, referenceCaseNo)
    ? null
    : referenceNo;

/** What is in a shipment; null: nobody has said. */
export const formatContent = (shipment: (Numbered & { readonly description: string | null }) | undefined) =>
  shipment ? formatItem({ ...shipment, referenceNo: referenceOf(shipment) }) : null;

/** By what a process was asked to book; null: nobody has said. */
export const itemOfRequest = (request: Readonly<Record<string, unknown>>): string | null =>
  formatItem(mapOf(request.details ?? request.issue)) ?? formatItem(request);

/** Where a caller gives none, a flow numbers its legs itself, as `LN-2043/intake`: by that nobody knows an item. */
export const isOfLeg = (reference: string, caseNo: string): boolean => reference.startsWith(`${caseNo}/`);
