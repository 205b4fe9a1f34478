// What a search has found, as links in groups: of the field in the header, and of the page that shows all.
import type { Found } from '../../find/find-view.ts';
import type { ProcessRow } from '../../processes/processes-view.ts';

export interface Hit {
  readonly id: string;
  readonly href: string;
  readonly title: string;
  readonly more: string;
  /** At its right end. */
  readonly end: string;
}

export interface HitGroup {
  readonly title: string;
  readonly hits: readonly Hit[];
}

export function hitGroups({
  people,
  items,
  cases,
  lockers,
}: Omit<Found, 'isComplete' | 'unread'>): HitGroup[] {
  const groups: HitGroup[] = [
    {
      title: 'People',
      hits: people.map(({ userUid, name, emailAddress, phoneNumber, open }) => ({
        id: `person-${userUid}`,
        href: `/people/${encodeURIComponent(userUid)}`,
        title: name,
        more: [emailAddress, phoneNumber].filter(Boolean).join(' · '),
        end: open === 0 ? '' : `${open} open`,
      })),
    },
    {
      title: 'Items',
      hits: items.map(({ shipmentUid, title, reference, pupName, lockerName }) => ({
        id: `item-${shipmentUid}`,
        href:
          reference === null
            ? `/processes?${new URLSearchParams({ state: 'all', find: shipmentUid })}`
            : `/items/${encodeURIComponent(reference)}`,
        title,
        more: reference === title ? '' : (reference ?? ''),
        end: lockerName === null ? '' : `locker ${lockerName}${pupName === null ? '' : `, ${pupName}`}`,
      })),
    },
    { title: 'Cases', hits: cases.map(hitOfCase) },
    {
      title: 'Lockers',
      hits: lockers.map(({ pupUid, pupName, lockerUid, lockerName, state }) => ({
        id: `locker-${lockerUid}`,
        href: `/walls/${encodeURIComponent(pupUid)}?${new URLSearchParams({ locker: lockerUid })}`,
        title: `${pupName} ${lockerName}`,
        more: '',
        end: lockerStates[state] ?? '',
      })),
    },
  ];
  return groups.filter(({ hits }) => hits.length > 0);
}

const lockerStates: Readonly<Record<string, string>> = {
  Free: 'free',
  Booked: 'booked',
  OutOfOrder: 'out of order',
  ToBeEmptied: 'to be emptied',
};

function hitOfCase({ key, runId, about, flowName, phase, status }: ProcessRow): Hit {
  const names = (about?.people ?? []).map(({ name, userUid }) => name ?? userUid);
  const title = [about?.item, names[0] && `for ${names[0]}`].filter(Boolean).join(' ');
  return {
    id: `case-${runId}`,
    href: `/process/${encodeURIComponent(key)}`,
    title: title || key,
    more: title ? `${key} · ${flowName}` : flowName,
    end: phase === null ? (ends[status] ?? 'ended') : (phases[phase] ?? ''),
  };
}

const phases: Readonly<Record<string, string>> = { NeedsPerson: 'needs us', Overdue: 'late' };
const ends: Readonly<Record<string, string>> = { Failed: 'failed', Cancelled: 'cancelled' };
