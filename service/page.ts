// Pages of a listing (assumptions: Reading): pageNo from 1, and totals of all matches.

export interface PageRequest {
  readonly pageNo: number;
  readonly pageSize: number;
}

export interface Page<Item> extends PageRequest {
  readonly items: Item[];
  readonly totalItems: number;
  readonly totalPages: number;
}

export const offsetOf = ({ pageNo, pageSize }: PageRequest): number => (pageNo - 1) * pageSize;

export function pageOf<Item>(
  { pageNo, pageSize }: PageRequest,
  totalItems: number,
  items: Item[],
): Page<Item> {
  return { items, pageNo, pageSize, totalItems, totalPages: Math.ceil(totalItems / pageSize) };
}
