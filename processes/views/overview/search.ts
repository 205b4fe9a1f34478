// One search for everything that people look for by a text: processes by keys and parts of keys, case numbers and shipments;
// shipments by their references and tracking numbers; pick up points and lockers; flows; and people, for those who may see them.
import { z } from 'zod';
import type { Response } from '../../../contract/operations/operations.ts';
import { type LockerApi, LockerApiError } from '../../../shared/locker-api/index.ts';
import { holdersOf, runningAmong, workflowIdsOf } from '../../../shared/routing/owners.ts';
import { type AtTemporal, askedTemporal } from '../../at-temporal.ts';
import { flowQuery, quoted } from '../flow-query.ts';
import { readFlows } from '../flows.ts';
import { type FoundFlow, foundPage, statusOf } from '../found-flows.ts';
import { formatFlowName, formatState } from './format.ts';

const foundKinds = ['person', 'process', 'shipment', 'locker', 'pickUpPoint', 'flow'] as const;
export type SearchHitKind = (typeof foundKinds)[number];

export interface SearchHit {
  readonly kind: SearchHitKind;
  readonly title: string;
  readonly words: string | null;
  /** The process to look at, if there is one. */
  readonly key: string | null;
  readonly pupUid: string | null;
  readonly lockerUid: string | null;
  readonly flow: string | null;
}

export interface SearchView {
  /** By kind; of one kind the best first. */
  readonly items: readonly SearchHit[];
  /** What could not be searched, and why. */
  readonly unread: readonly { readonly what: string; readonly why: string }[];
}

export const searchView = z
  .object({
    items: z
      .array(
        z.object({
          kind: z.enum(foundKinds),
          title: z.string(),
          words: z.string().nullable(),
          key: z.string().nullable().meta({ description: 'The process to look at' }),
          pupUid: z.string().nullable(),
          lockerUid: z.string().nullable(),
          flow: z.string().nullable(),
        }),
      )
      .meta({ description: 'By kind; of one kind the best first' }),
    unread: z
      .array(z.object({ what: z.string(), why: z.string() }))
      .meta({ description: 'What could not be searched' }),
  })
  .meta({ title: 'Search' }) satisfies z.ZodType<SearchView>;

interface SearchParts extends AtTemporal {
  readonly service: Pick<LockerApi, 'call'>;
}

interface SearchWanted {
  readonly text: string;
  /** Those that are open, also those that have just begun. */
  readonly open: () => Promise<readonly FoundFlow[]>;
  /** Whether whoever asks may see people. */
  readonly people: boolean;
}

const MAX_PER_KIND = 6;
/** A search asks for the shipments of each. */
const MAX_PEOPLE = 3;

const nothing = { words: null, key: null, pupUid: null, lockerUid: null, flow: null };

type Source = readonly [what: string, read: () => Promise<readonly SearchHit[]>];

/** A source that fails hides none of the others. */
export async function searchAll(parts: SearchParts, wanted: SearchWanted): Promise<SearchView> {
  const points = pickUpPointsOf(parts);
  // Awaited by several sources, some of which may have failed before.
  points.catch(() => undefined);
  const names = async () => new Map((await points).map(({ pupUid, name }) => [pupUid, name ?? pupUid]));
  const sources: readonly Source[] = [
    ['people', async () => (wanted.people ? await foundPeople(parts, wanted.text) : [])],
    ['processes', () => foundProcesses(parts, wanted)],
    ['shipments', async () => foundShipments(parts, wanted.text, await names().catch(() => new Map()))],
    ['lockers', async () => foundPlaces(await points, wanted.text)],
    ['flows', () => foundFlows(parts, wanted.text)],
  ];
  const unread: { what: string; why: string }[] = [];
  const read = sources.map(async ([what, ask]) => {
    try {
      return await ask();
    } catch (error) {
      // A service that does not know the operation has nothing to find.
      if (!(error instanceof LockerApiError && error.code === 'UnknownOperation'))
        unread.push({ what, why: error instanceof Error ? error.message : String(error) });
      return [];
    }
  });
  return { items: (await Promise.all(read)).flat(), unread };
}

async function foundProcesses(parts: SearchParts, { text, open }: SearchWanted): Promise<SearchHit[]> {
  const value = quoted(text);
  const query = flowQuery({
    query: `WorkflowId STARTS_WITH ${value} OR LockerShipmentUids = ${value} OR LockerCase = ${value}`,
  });
  const ask = () => foundPage(parts.client, query, { size: MAX_PER_KIND });
  const { flows } = await askedTemporal(parts, ask);
  const lower = text.toLowerCase();
  const isPart = ({ workflowId, case: caseNo }: FoundFlow) =>
    workflowId.toLowerCase().includes(lower) || caseNo?.toLowerCase().includes(lower);
  // Temporal finds no part in the middle of a key.
  const byPart = (await open()).filter(isPart);
  const all = new Map([...flows, ...byPart].map((flow) => [flow.workflowId, flow]));
  return [...all.values()].slice(0, MAX_PER_KIND).map(ofProcess);
}

function ofProcess(found: FoundFlow): SearchHit {
  const { workflowId: key, flow, case: caseNo, phase } = found;
  const words = [
    formatFlowName(flow),
    ...(caseNo !== null && caseNo !== key ? [`case ${caseNo}`] : []),
    statusOf(found) === 'Running' ? phaseWords(phase) : 'ended',
  ];
  return { ...nothing, kind: 'process', title: key, words: words.join(', '), key };
}

const phaseWords = (phase: string | null): string =>
  ({ Overdue: 'overdue', NeedsPerson: 'needs a person' })[phase ?? ''] ?? 'on its way';

type Shipment = Response<'GetShipments'>['items'][number];
type Names = ReadonlyMap<string, string>;

const REFERENCES = ['shipmentUid', 'referenceNo', 'referenceCaseNo'] as const;

async function foundShipments(parts: SearchParts, text: string, names: Names): Promise<SearchHit[]> {
  const asked = REFERENCES.map(async (name) => {
    const page = { pageNo: 1, pageSize: MAX_PER_KIND };
    return (await parts.service.call('GetShipments', { ...page, [name]: text })).items;
  });
  const items = (await Promise.all(asked)).flat();
  const all = [...new Map(items.map((each) => [each.shipmentUid, each])).values()].slice(0, MAX_PER_KIND);
  const keys = await keysOf(parts, all);
  return all.map((shipment) => ({
    ...nothing,
    kind: 'shipment',
    title: titleOf(shipment),
    words: placeWords(shipment, names),
    key: keys.get(shipment.shipmentUid ?? '') ?? null,
    pupUid: shipment.pupUid,
  }));
}

const titleOf = ({ referenceNo, referenceCaseNo, description }: Shipment): string =>
  referenceNo ?? referenceCaseNo ?? description ?? 'A shipment';

function placeWords({ stateCode, lockerName, pupUid }: Shipment, names: Names): string {
  const place = pupUid === null ? null : (names.get(pupUid) ?? pupUid);
  const locker = lockerName === null ? null : `locker ${lockerName}`;
  return [formatState(stateCode ?? 'Unknown'), locker, place].filter((each) => each !== null).join(', ');
}

async function keysOf(
  { client }: SearchParts,
  shipments: readonly Shipment[],
): Promise<ReadonlyMap<string, string>> {
  const holders = await holdersOf(
    client,
    shipments.flatMap(({ shipmentUid }) => shipmentUid ?? []),
  );
  return new Map(
    [...holders].flatMap(([uid, all]) => {
      const key = runningAmong(all)[0] ?? workflowIdsOf(all)[0];
      return key === undefined ? [] : [[uid, key] as const];
    }),
  );
}

async function foundPeople(parts: SearchParts, text: string): Promise<SearchHit[]> {
  const { items } = await parts.service.call('SearchAccounts', { searchText: text, most: MAX_PEOPLE });
  const people = items.map(async (person) => {
    const name = [person.firstName, person.lastName].filter(Boolean).join(' ');
    const { emailAddress, userUid } = person;
    const about = { ...nothing, kind: 'person' as const, title: name || (emailAddress ?? 'A person') };
    if (userUid === null) return [{ ...about, words: 'suggested, has no account yet' }];
    const page = { pageNo: 1, pageSize: MAX_PER_KIND, userUid, activeShipments: true };
    const { items: shipments } = await parts.service.call('GetShipments', page);
    const keys = await keysOf(parts, shipments);
    const having = shipments.flatMap((shipment): SearchHit[] => {
      const key = keys.get(shipment.shipmentUid ?? '');
      return key ? [{ ...about, words: `${key}, ${placeWords(shipment, new Map())}`, key }] : [];
    });
    return having.length > 0
      ? having.slice(0, MAX_PER_KIND)
      : [{ ...about, words: [emailAddress, 'no open process'].filter(Boolean).join(', ') }];
  });
  return (await Promise.all(people)).flat();
}

type PickUpPoint = Response<'GetPickUpPoints'>['items'][number] & { readonly pupUid: string };

async function pickUpPointsOf({ service }: SearchParts): Promise<PickUpPoint[]> {
  const found: PickUpPoint[] = [];
  for (let pageNo = 1; ; pageNo++) {
    const request = { pageNo, pageSize: 100, includeDetails: true };
    const { items, totalPages } = await service.call('GetPickUpPoints', request);
    for (const each of items) if (each.pupUid !== null) found.push({ ...each, pupUid: each.pupUid });
    if (pageNo >= (totalPages ?? 1)) return found;
  }
}

/** "12", or "locker 12". */
const LOCKER = /^(?:locker\s+)?(\S+)$/i;

function foundPlaces(points: readonly PickUpPoint[], text: string): SearchHit[] {
  const lower = text.toLowerCase();
  const [, locker] = LOCKER.exec(text) ?? [];
  const walls = points.filter(({ pupUid, name, city }) =>
    [pupUid, name, city].some((each) => each?.toLowerCase().includes(lower)),
  );
  const lockers = points.flatMap(({ pupUid, name, lockers: all }) =>
    (all ?? []).flatMap(({ lockerUid, lockerName, size, free }): SearchHit[] => {
      const isIt = lockerName?.toLowerCase() === locker?.toLowerCase() || lockerUid === text;
      if (!isIt || lockerName === null) return [];
      const words = [name ?? pupUid, size, free === true ? 'free' : 'not free'].filter(Boolean).join(', ');
      return [{ ...nothing, kind: 'locker', title: `Locker ${lockerName}`, words, pupUid, lockerUid }];
    }),
  );
  return [
    ...lockers.slice(0, MAX_PER_KIND),
    ...walls.slice(0, MAX_PER_KIND).map(
      ({ pupUid, name, city }): SearchHit => ({
        ...nothing,
        kind: 'pickUpPoint' as const,
        title: name ?? pupUid,
        words: city,
        pupUid,
      }),
    ),
  ];
}

async function foundFlows(parts: SearchParts, text: string): Promise<SearchHit[]> {
  const { items } = await askedTemporal(parts, () => readFlows(parts));
  const lower = text.toLowerCase();
  return items
    .filter(({ flow }) => `${flow} ${formatFlowName(flow)}`.toLowerCase().includes(lower))
    .slice(0, MAX_PER_KIND)
    .map(({ flow, meaning }) => ({
      ...nothing,
      kind: 'flow' as const,
      title: formatFlowName(flow),
      words: meaning,
      flow,
    }));
}
