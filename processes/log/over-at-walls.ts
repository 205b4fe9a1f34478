// What is over at walls by itself, with how long it had lasted, as the audit log of the service has it: walls that are online again,
// and doors that are shut again.
import type { Response } from '../../contract/operations/operations.ts';
import { formatSpan } from '../../shared/texts/format-span.ts';
import { t } from '../../shared/texts/text.ts';
import { sentence } from '../views/readable.ts';
import { lockerOf, placeIn } from './audited-locker.ts';
import type { NameOf, Service, WallLogEntry, WallLogWanted } from './wall-log-entry.ts';

type Audited = Response<'GetAuditLog'>['items'][number];
type Told = Pick<WallLogEntry, 'kind' | 'pupUid' | 'lockerName' | 'words'>;

interface Parts {
  readonly service: Pick<Service, 'call'>;
  readonly nameOf: NameOf;
}

const PAGE_SIZE = 200;

/** By what the audit log calls it. A service that has none of it knows no such entries. */
const kinds: Readonly<
  Record<string, (uids: readonly string[], lasted: string, parts: Parts) => Promise<Told>>
> = {
  WallOnline: async ([pupUid = ''], lasted, { nameOf }) => ({
    kind: 'online',
    pupUid,
    lockerName: null,
    words: t`${await nameOf(pupUid)} is online again, after ${lasted}`,
  }),
  DoorShut: async ([lockerUid = '', pupUid = ''], lasted, { service, nameOf }) => {
    const lockerName = (await lockerOf(service, [lockerUid]))?.lockerName ?? null;
    const where = lockerName === null ? await nameOf(pupUid) : await placeIn({ pupUid, lockerName }, nameOf);
    const words =
      lockerName === null
        ? t`a door of ${where} is shut again, after ${lasted}`
        : t`the door of ${where} is shut again, after ${lasted}`;
    return { kind: 'doorShut', pupUid, lockerName, words };
  },
};

/** @param unread what could not be read, in words for people */
export async function overAt(
  parts: Parts,
  { since, until }: WallLogWanted,
  unread: string[],
): Promise<WallLogEntry[]> {
  const span = { pageSize: PAGE_SIZE, since, ...(until !== undefined && { until }) };
  const pages = await Promise.all(
    Object.keys(kinds).map((operation) => parts.service.call('GetAuditLog', { ...span, operation })),
  );
  if (pages.some(({ nextCursor }) => nextCursor !== null))
    unread.push(t`more than the last ${PAGE_SIZE} of each kind of what was over at walls`);
  const entries = pages.flatMap(({ items }) => items.map((entry) => entryOf(entry, parts)));
  return (await Promise.all(entries)).flat();
}

async function entryOf(entry: Audited, parts: Parts): Promise<WallLogEntry[]> {
  const { operation, occurredAt, lastedSince, requestId, uids } = entry;
  const tell = kinds[operation ?? ''];
  if (!tell || !occurredAt || !lastedSince) return [];
  const lasted = formatSpan(Date.parse(`${occurredAt}Z`) - Date.parse(`${lastedSince}Z`));
  const told = await tell(uids, lasted, parts);
  const byItself = { by: null, why: null, key: null, isBad: false };
  return [
    { ...byItself, ...told, words: sentence(told.words), id: `over ${requestId}`, at: `${occurredAt}Z` },
  ];
}
