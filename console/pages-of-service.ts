// Lists that the locker service tells page by page.
import type { Response } from '../contract/operations/operations.ts';
import type { ConsoleParts } from './console-parts.ts';

interface Page<Item> {
  readonly items: readonly Item[];
  readonly totalPages: number | null;
}

export async function everyItem<Item>(read: (pageNo: number) => Promise<Page<Item>>): Promise<Item[]> {
  const found: Item[] = [];
  for (let pageNo = 1; ; pageNo++) {
    const { items, totalPages } = await read(pageNo);
    found.push(...items);
    if (pageNo >= (totalPages ?? 1)) return found;
  }
}

export type Locker = Response<'GetLockers'>['items'][number];

// The most that the service gives at a time.
const PAGE_SIZE = 500;

/** All of a pick up point. */
export const lockersOf = ({ service }: Pick<ConsoleParts, 'service'>, pupUid: string): Promise<Locker[]> =>
  everyItem((pageNo) => service.call('GetLockers', { pageNo, pageSize: PAGE_SIZE, pupUid }));
