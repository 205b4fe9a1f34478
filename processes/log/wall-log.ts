// What happened at the walls since a moment: what people did at lockers, who saw codes, who asked for a mechanic or sent a message, and what is wrong there
// by itself, or is over. The service tells it by its audit log and its lockers, the requests and messages are Temporal's; nothing is kept for it.
import { LockerApiError } from '../../shared/locker-api/index.ts';
import { t } from '../../shared/texts/text.ts';
import { commandErrorOf } from '../outcome.ts';
import { mechanicRequests } from '../outreach/mechanic-requests.ts';
import { shipmentMessages } from '../outreach/shipment-messages.ts';
import { pickUpPointOf } from '../pick-up-points.ts';
import { sentence } from '../views/readable.ts';
import { auditedAt } from './audited-at-walls.ts';
import { placeIn } from './audited-locker.ts';
import { faultsAt, openAt } from './faults-at-walls.ts';
import { overAt } from './over-at-walls.ts';
import type { NameOf, WallLogEntry, WallLogParts, WallLogWanted } from './wall-log-entry.ts';

export interface WallLog {
  /** The newest first. */
  readonly entries: WallLogEntry[];
  /** In words for people. */
  readonly unread: string[];
}

const MOST_REQUESTS = 100;

export async function readWallLog(parts: WallLogParts, wanted: WallLogWanted): Promise<WallLog> {
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
    read(t`which walls are online again, and which doors are shut again`, () =>
      overAt({ service, nameOf }, wanted, unread),
    ),
    read(t`who asked for a mechanic`, () => requestsAt(parts, wanted, nameOf)),
    read(t`who sent messages about items that no case follows`, () => messagesAt(parts, wanted, nameOf)),
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

/** Those of processes stand in their timelines, and so in the log. */
async function requestsAt(
  parts: WallLogParts,
  { since, until }: WallLogWanted,
  nameOf: NameOf,
): Promise<WallLogEntry[]> {
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

async function messagesAt(
  parts: WallLogParts,
  { since, until }: WallLogWanted,
  nameOf: NameOf,
): Promise<WallLogEntry[]> {
  const all = await shipmentMessages(parts, { since, until, most: MOST_REQUESTS });
  return await Promise.all(
    all.map(async (message): Promise<WallLogEntry> => {
      const { at, pupUid, lockerName, text, state, why, runId } = message;
      const by = message.onBehalfOf ?? message.by;
      const where = await placeIn({ pupUid, lockerName }, nameOf);
      const words = `${sentence(t`${by} sent a message about the item in ${where}: “${text}”`)} ${message.words}`;
      const isBad = state === 'refused';
      return { id: runId, at, kind: 'message', pupUid, lockerName, key: null, words, by, why, isBad };
    }),
  );
}
