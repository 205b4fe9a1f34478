// What people did at lockers, and who saw codes, as the audit log of the service has it.
import { CODE_COMPARISON } from '../../contract/flows/outreach.ts';
import type { Response } from '../../contract/operations/operations.ts';
import { ownersOf, UIDS_PER_QUERY, workflowIdsOf } from '../../shared/routing/owners.ts';
import { t } from '../../shared/texts/text.ts';
import { sentence } from '../views/readable.ts';
import { lockerOf, placeIn, UNKNOWN } from './audited-locker.ts';
import type { NameOf, WallLogEntry, WallLogParts, WallLogWanted } from './wall-log-entry.ts';

type Audited = Response<'GetAuditLog'>['items'][number];

type Said = Pick<WallLogEntry, 'kind' | 'words' | 'isBad'>;

interface AuditedLocker {
  /** As in "locker 5 of Central". */
  readonly words: string;
  /** What holds now, for the newest entry of the locker; undefined: it is an older one. */
  readonly outOfOrder: boolean | undefined;
  readonly hasShipments: boolean;
}

const PAGE_SIZE = 200;

/** What people do at lockers, by operation. Null: it is nothing that a shift must know. */
const operations: Readonly<
  Record<string, (who: string, locker: AuditedLocker, entry: Audited) => Said | null>
> = {
  GetShipmentAccessCode: (who, { words }, { outcome, onBehalfOf }) =>
    // Programs read codes to hand them on, and a comparison shows them to nobody.
    outcome === SUCCESS && onBehalfOf !== null && onBehalfOf !== CODE_COMPARISON
      ? { kind: 'codesSeen', words: t`${who} saw the codes of ${words}`, isBad: false }
      : null,
  SetLockerOutOfOrder: (who, { words, outOfOrder, hasShipments }, { outcome }) => {
    if (outcome !== SUCCESS) return null;
    const said = { kind: 'outOfOrder', isBad: false } as const;
    if (outOfOrder === true || hasShipments) return { ...said, words: t`${who} took ${words} out of order` };
    if (outOfOrder === false) return { ...said, words: t`${who} put ${words} in order again` };
    return {
      ...said,
      words: t`${who} took ${words} out of order or put it in order: it was changed again since`,
    };
  },
  SetLockerEmptied: (who, { words }, { outcome }) =>
    outcome === SUCCESS
      ? { kind: 'emptied', words: t`${who} reported ${words} as empty: its item was fetched`, isBad: false }
      : null,
  UnlockShipmentLocker: (who, { words }, { outcome }) => openingOf(who, t`${words} without a code`, outcome),
  ReportShipmentAccess: (who, { words }, { outcome }) =>
    outcome === SUCCESS
      ? {
          kind: 'opened',
          words: t`${who} says that the item of ${words} was put in or taken out, without a code`,
          isBad: false,
        }
      : null,
  OpenLocker: (who, { words }, { outcome }) => openingOf(who, t`${words} to look inside`, outcome),
};

const SUCCESS = 'Success';

function openingOf(who: string, what: string, outcome: string | null): Said | null {
  if (outcome === SUCCESS) return { kind: 'opened', words: t`${who} opened ${what}`, isBad: false };
  return outcome === 'UnlockFailed'
    ? { kind: 'stayedShut', words: t`${who} tried to open ${what}, and the door stayed shut`, isBad: true }
    : null;
}

export async function auditedAt(
  parts: WallLogParts,
  { since, until }: WallLogWanted,
  nameOf: NameOf,
  unread: string[],
): Promise<WallLogEntry[]> {
  const { client, service } = parts;
  const span = { pageSize: PAGE_SIZE, since, ...(until !== undefined && { until }) };
  const pages = await Promise.all(
    Object.keys(operations).map((operation) => service.call('GetAuditLog', { ...span, operation })),
  );
  if (pages.some(({ nextCursor }) => nextCursor !== null))
    unread.push(t`more than the last ${PAGE_SIZE} of each kind of what people did at lockers`);
  const items = pages.flatMap((page) => page.items).filter(isOfSomebody);
  const lockers = new Map<string, ReturnType<typeof lockerOf>>();
  const located = await Promise.all(
    items.map(async (entry) => {
      const id = entry.uids.join(' ');
      const known = lockers.get(id) ?? lockerOf(service, entry.uids);
      lockers.set(id, known);
      return { entry, locker: await known };
    }),
  );
  const uids = [...new Set(located.flatMap(({ locker }) => locker?.shipmentUids ?? []))];
  const owners = await ownersOf(client, uids.slice(0, UIDS_PER_QUERY));
  const newest = new Map<string, Audited>();
  for (const { entry } of located)
    if (entry.operation === OUT_OF_ORDER && !newest.has(entry.uids[0] ?? ''))
      newest.set(entry.uids[0] ?? '', entry);
  const entries = located.map(async ({ entry, locker }): Promise<WallLogEntry[]> => {
    const { outOfOrder, ...place } = locker ?? UNKNOWN;
    const isNewest = newest.get(entry.uids[0] ?? '') === entry;
    const words = await placeIn(place, nameOf);
    const told = {
      words,
      outOfOrder: isNewest ? outOfOrder : undefined,
      hasShipments: entry.operation === OUT_OF_ORDER && entry.uids.length > 1,
    };
    const key = place.shipmentUids.flatMap((uid) => workflowIdsOf(owners.get(uid) ?? []))[0] ?? null;
    return entryOf(entry, told, { ...place, key });
  });
  return (await Promise.all(entries)).flat();
}

const OUT_OF_ORDER = 'SetLockerOutOfOrder';

function entryOf(
  entry: Audited,
  locker: AuditedLocker,
  { pupUid, lockerName, key }: Pick<WallLogEntry, 'pupUid' | 'lockerName' | 'key'>,
): WallLogEntry[] {
  const { operation, onBehalfOf, clientId, occurredAt, requestId, why } = entry;
  const by = onBehalfOf ?? (clientId ? t`the program ${clientId}` : t`somebody`);
  const said = operations[operation ?? '']?.(by, locker, entry);
  if (!said) return [];
  const at = `${occurredAt}Z`;
  const id = `${at} ${requestId} ${operation}`;
  return [{ id, at, ...said, words: sentence(said.words), pupUid, lockerName, key, by, why }];
}

/** Programs read codes all day. */
const isOfSomebody = ({ operation, onBehalfOf, occurredAt }: Audited): boolean =>
  occurredAt !== null && (operation !== 'GetShipmentAccessCode' || onBehalfOf !== null);
