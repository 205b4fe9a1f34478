// A page of a listing (assumptions: Reading): where it begins, how many bytes it may have, and moments on the wire.

interface PageRequest {
  readonly pageNo: number;
  readonly pageSize: number;
}

interface Page<Item> extends PageRequest {
  readonly items: Item[];
  readonly totalItems: number;
  readonly totalPages: number;
}

/** Bytes of a page's items: with long texts, 500 rows would be 5 MB, in the memory until the client has read them. */
export const MAX_PAGE_BYTES = 1_000_000;

/** As many as a page may have, and at least one. */
export function withinBytes<Item extends object>(items: readonly Item[]): Item[] {
  let bytes = 0;
  const most = items.findIndex((item) => {
    bytes += Buffer.byteLength(JSON.stringify(item));
    return bytes > MAX_PAGE_BYTES;
  });
  return most < 0 ? [...items] : items.slice(0, Math.max(1, most));
}

export const offsetOf = ({ pageNo, pageSize }: PageRequest): number => (pageNo - 1) * pageSize;

export function pageOf<Item>(
  { pageNo, pageSize }: PageRequest,
  totalItems: number,
  items: Item[],
): Page<Item> {
  return { items, pageNo, pageSize, totalItems, totalPages: Math.ceil(totalItems / pageSize) };
}
