// What happened at the walls since a moment: what people did at lockers, who saw codes, who asked for a mechanic, and what is wrong there
// by itself. The service tells it by its audit log and its lockers, the requests are Temporal's; nothing is kept for it. What has ended by
// itself, as a wall that came online again, no service tells.
import { z } from 'zod';
import { CODE_COMPARISON } from '../../contract/flows/outreach.ts';
import type { Response } from '../../contract/operations/operations.ts';
import { LockerApiError } from '../../shared/locker-api/index.ts';
import { holdersOf, UIDS_PER_QUERY, workflowIdsOf } from '../../shared/routing/owners.ts';
import { t } from '../../shared/texts/text.ts';
import type { Acting, AtTemporal } from '../at-temporal.ts';
import { forgottenOpen } from '../inbox/open-doors.ts';
import { unlessUnknown } from '../locker-service.ts';
import { commandErrorOf } from '../outcome.ts';
import { pickUpPointOf } from '../outreach/case-about.ts';
import { mechanicRequests } from '../outreach/mechanic-requests.ts';
import { isBehindOfflineWall, offlineSince } from '../views/offline-wall.ts';
import { sentence } from '../views/readable.ts';
import { shutDoors } from '../views/shut-doors.ts';

const kinds = [
  'codesSeen',
  'opened',
  'stayedShut',
  'outOfOrder',
  'emptied',
  'mechanic',
  'offline',
  'openDoor',
] as const;

export const wallLogEntry = z
  .object({
    id: z.string(),
    at: z.string(),
    kind: z.enum(kinds),
    pupUid: z.string().nullable(),
    lockerName: z.string().nullable().meta({ description: 'Null: the whole wall, or it is not known' }),
    key: z
      .string()
      .nullable()
      .meta({ description: 'Of the process that had the locker, where one is known' }),
    words: z.string().meta({ description: 'What happened, as a sentence for people, with who and where' }),
    by: z.string().nullable().meta({ description: 'Who did it; null: it came by itself' }),
    why: z.string().nullable(),
    isBad: z.boolean(),
  })
  .meta({ title: 'WallLogEntry' });
export type WallLogEntry = Readonly<z.infer<typeof wallLogEntry>>;

interface Wanted {
  readonly since: string;
  readonly until?: string | undefined;
  readonly by?: string | undefined;
}

export interface WallLog {
  /** The newest first. */
  readonly entries: WallLogEntry[];
  /** In words for people. */
  readonly unread: string[];
}

type Service = NonNullable<Acting['service']>;
type Parts = AtTemporal & { readonly service: Service };
type Audited = Response<'GetAuditLog'>['items'][number];

const MOST_REQUESTS = 100;

export async function readWallLog(parts: Parts, wanted: Wanted): Promise<WallLog> {
  const { service } = parts;
  const unread: string[] = [];
  const read = async <Item>(
    what: string,
    asking: () => Promise<readonly Item[]>,
  ): Promise<readonly Item[]> => {
    try {
      return await asking();
    } catch (error) {
      const isUnknown = error instanceof LockerApiError && error.code === 'UnknownOperation';
      if (!isUnknown && !(error instanceof LockerApiError) && !commandErrorOf(error)) throw error;
      if (!isUnknown) unread.push(what);
      return [];
    }
  };
  const points = new Map<string, Promise<string>>();
  const nameOf = (pupUid: string): Promise<string> => {
    const known = points.get(pupUid) ?? pickUpPointOf(service, pupUid).then(({ name }) => name);
    points.set(pupUid, known);
    return known;
  };
  const all = await Promise.all([
    read(t`what people did at lockers`, () => auditedAt(parts, wanted, nameOf, unread)),
    read(t`which doors stayed shut, and which walls are offline`, () => faultsAt(service, nameOf)),
    read(t`which doors stand open`, () => openAt(service, nameOf)),
    read(t`who asked for a mechanic`, () => requestsAt(parts, wanted, nameOf)),
  ]);
  const isWanted = ({ at, by }: WallLogEntry) =>
    at >= wanted.since &&
    (wanted.until === undefined || at < wanted.until) &&
    (wanted.by === undefined || by?.toLowerCase() === wanted.by.toLowerCase());
  const entries = onceShut(all.flat()).filter(isWanted);
  return { entries: entries.sort((one, other) => other.at.localeCompare(one.at)), unread };
}

/** The service settles a command within that time after the request for it. */
const SAME_TRY_MS = 15_000;

/** The last try of a door stands in the audit log, too, if a person has made it. */
function onceShut(entries: readonly WallLogEntry[]): WallLogEntry[] {
  const tries = entries.filter(({ kind, by }) => kind === 'stayedShut' && by !== null);
  const isSame = (one: WallLogEntry, other: WallLogEntry) =>
    one.pupUid === other.pupUid &&
    one.lockerName === other.lockerName &&
    Math.abs(Date.parse(one.at) - Date.parse(other.at)) < SAME_TRY_MS;
  return entries.filter(
    (entry) => entry.kind !== 'stayedShut' || entry.by !== null || !tries.some((each) => isSame(each, entry)),
  );
}

type NameOf = (pupUid: string) => Promise<string>;

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
  OpenLocker: (who, { words }, { outcome }) => openingOf(who, t`${words} to look inside`, outcome),
};

const SUCCESS = 'Success';

function openingOf(who: string, what: string, outcome: string | null): Said | null {
  if (outcome === SUCCESS) return { kind: 'opened', words: t`${who} opened ${what}`, isBad: false };
  return outcome === 'UnlockFailed'
    ? { kind: 'stayedShut', words: t`${who} tried to open ${what}, and the door stayed shut`, isBad: true }
    : null;
}

async function auditedAt(
  parts: Parts,
  { since, until }: Wanted,
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
  const holders = await holdersOf(client, uids.slice(0, UIDS_PER_QUERY));
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
    const key = place.shipmentUids.flatMap((uid) => workflowIdsOf(holders.get(uid) ?? []))[0] ?? null;
    return entryOf(entry, told, { ...place, key });
  });
  return (await Promise.all(entries)).flat();
}

const OUT_OF_ORDER = 'SetLockerOutOfOrder';
const UNKNOWN: Located = { pupUid: null, lockerName: null, outOfOrder: undefined, shipmentUids: [] };

async function placeIn({ pupUid, lockerName }: Omit<Located, 'outOfOrder'>, nameOf: NameOf): Promise<string> {
  if (lockerName === null) return 'a locker';
  return t`locker ${lockerName}${pupUid === null ? '' : t` of ${await nameOf(pupUid)}`}`;
}

function entryOf(
  entry: Audited,
  locker: AuditedLocker,
  { pupUid, lockerName, key }: Pick<WallLogEntry, 'pupUid' | 'lockerName' | 'key'>,
): WallLogEntry[] {
  const { operation, onBehalfOf, clientId, occurredAt, requestId, why } = entry;
  const by = onBehalfOf ?? (clientId ? t`the program ${clientId}` : 'somebody');
  const said = operations[operation ?? '']?.(by, locker, entry);
  if (!said) return [];
  const at = `${occurredAt}Z`;
  const id = `${at} ${requestId} ${operation}`;
  return [{ id, at, ...said, words: sentence(said.words), pupUid, lockerName, key, by, why }];
}

/** Programs read codes all day. */
const isOfSomebody = ({ operation, onBehalfOf, occurredAt }: Audited): boolean =>
  occurredAt !== null && (operation !== 'GetShipmentAccessCode' || onBehalfOf !== null);

interface Located {
  readonly pupUid: string | null;
  readonly lockerName: string | null;
  /** Now; undefined: only the shipment is known. */
  readonly outOfOrder: boolean | undefined;
  readonly shipmentUids: readonly string[];
}

/** Of the locker or the shipment among the uids; undefined: the service does not know it any more. */
async function lockerOf(service: Service, uids: readonly string[]): Promise<Located | undefined> {
  for (const uid of uids) {
    const page = await unlessUnknown(() =>
      service.call('GetLockers', { pageNo: 1, pageSize: 1, lockerUid: uid }),
    );
    const locker = page?.items.find(({ lockerUid }) => lockerUid === uid);
    if (locker)
      return {
        pupUid: locker.pupUid,
        lockerName: locker.lockerName,
        outOfOrder: locker.outOfOrder === true,
        shipmentUids: uids.filter((each) => each !== uid),
      };
  }
  for (const shipmentUid of uids) {
    const shipments = await unlessUnknown(() =>
      service.call('GetShipments', { pageNo: 1, pageSize: 1, shipmentUid }),
    );
    const shipment = shipments?.items.find((each) => each.shipmentUid === shipmentUid);
    if (shipment) {
      const { pupUid, lockerName } = shipment;
      return { pupUid, lockerName, outOfOrder: undefined, shipmentUids: [shipmentUid] };
    }
  }
  return undefined;
}

const byItself = { by: null, why: null, key: null, isBad: true } as const;

async function faultsAt(service: Service, nameOf: NameOf): Promise<WallLogEntry[]> {
  const shut = await shutDoors({ service });
  const cutOff = shut.filter(isBehindOfflineWall);
  const offline = [...new Set(cutOff.map(({ pupUid }) => pupUid ?? ''))];
  const walls = offline.map(async (pupUid): Promise<WallLogEntry[]> => {
    const at = offlineSince(cutOff.filter((door) => door.pupUid === pupUid));
    if (at === null) return [];
    const words = sentence(t`${await nameOf(pupUid)} went offline, and still is`);
    return [{ ...byItself, id: `offline ${pupUid}`, at, kind: 'offline', pupUid, lockerName: null, words }];
  });
  const doors = shut.map(async (door): Promise<WallLogEntry[]> => {
    const { pupUid, lockerUid, lockerName, doorFailure } = door;
    if (isBehindOfflineWall(door) || doorFailure.occurredAt === null) return [];
    const where = await nameOf(pupUid ?? '');
    const words = sentence(
      t`the door of locker ${lockerName} of ${where} stayed shut: ${doorFailure.reason}`,
    );
    const at = `${doorFailure.occurredAt}Z`;
    return [{ ...byItself, id: `shut ${lockerUid}`, at, kind: 'stayedShut', pupUid, lockerName, words }];
  });
  return (await Promise.all([...walls, ...doors])).flat();
}

async function openAt(service: Service, nameOf: NameOf): Promise<WallLogEntry[]> {
  const { open } = await forgottenOpen({ service } as Parameters<typeof forgottenOpen>[0]);
  return await Promise.all(
    open.map(async ({ pupUid, lockerUid, lockerName, doorOpenSince }): Promise<WallLogEntry> => {
      const where = await nameOf(pupUid ?? '');
      const words = sentence(t`the door of locker ${lockerName} of ${where} was left open, and still is`);
      const at = `${doorOpenSince}Z`;
      return { ...byItself, id: `open ${lockerUid}`, at, kind: 'openDoor', pupUid, lockerName, words };
    }),
  );
}

/** Those of processes stand in their timelines, and so in the log. */
async function requestsAt(parts: Parts, { since, until }: Wanted, nameOf: NameOf): Promise<WallLogEntry[]> {
  const all = await mechanicRequests(parts, { since, until, most: MOST_REQUESTS });
  return await Promise.all(
    all
      .filter(({ key }) => key === null)
      .map(async (request): Promise<WallLogEntry> => {
        const { at, pupUid, lockerName, problem, state, why, runId } = request;
        const by = request.onBehalfOf ?? request.by;
        const where = `${lockerName === null ? '' : t`locker ${lockerName} of `}${await nameOf(pupUid)}`;
        const asked = t`${by} asked for a mechanic at ${where}: ${problem}`;
        const words = `${sentence(asked)} ${request.words}`;
        const isBad = state === 'refused';
        return { id: runId, at, kind: 'mechanic', pupUid, lockerName, key: null, words, by, why, isBad };
      }),
  );
}
