// All lockers of a pick up point, as the locker service tells them.
import type { Response } from '../contract/operations/operations.ts';
import type { ConsoleParts } from './console-parts.ts';

export type Locker = Response<'GetLockers'>['items'][number];

// The most that the service gives at a time; a wall with more lockers is read page by page.
const PAGE_SIZE = 500;

export async function lockersOf(
  { service }: Pick<ConsoleParts, 'service'>,
  pupUid: string,
): Promise<Locker[]> {
  const found: Locker[] = [];
  for (let pageNo = 1; ; pageNo++) {
    const { items, totalPages } = await service.call('GetLockers', { pageNo, pageSize: PAGE_SIZE, pupUid });
    found.push(...items);
    if (pageNo >= (totalPages ?? 1)) return found;
  }
}
