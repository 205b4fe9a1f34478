// What a search has found, as links in groups: of the field in the header, and of the page that shows all.

import { t } from '../../../shared/texts/text.ts';
import type { Found, LockerFound } from '../../find/find-view.ts';
import type { ProcessRow } from '../../processes/processes-view.ts';
import type { State } from '../parts/badge.tsx';
import { wallAddress } from './address.ts';
import { orderOf } from './exact-hit.ts';

export interface Hit {
  readonly id: string;
  readonly href: string;
  readonly title: string;
  readonly more: string;
  /** At its right end. */
  readonly end: string;
  /** The locker's, as its tile has it. */
  readonly state?: State | undefined;
}

export interface HitGroup {
  readonly title: string;
  readonly hits: readonly Hit[];
}

type FoundOfKinds = Omit<Found, 'isComplete' | 'unread'>;

/** The group of what has exactly what was typed comes first. */
export function hitGroups(found: FoundOfKinds, text: string): HitGroup[] {
  const groups = groupsOf(found);
  return orderOf(found, text).flatMap((kind) => (groups[kind].hits.length > 0 ? [groups[kind]] : []));
}

const groupsOf = ({ people, items, cases, lockers }: FoundOfKinds) => ({
  people: {
    title: t`People`,
    hits: people.map(({ userUid, name, emailAddress, phoneNumber, open }) => ({
      id: `person-${userUid}`,
      href: `/people/${encodeURIComponent(userUid)}`,
      title: name,
      more: [emailAddress, phoneNumber].filter(Boolean).join(' · '),
      end: open === 0 ? '' : t`${open} open`,
    })),
  },
  items: {
    title: t`Items`,
    hits: items.map(({ shipmentUid, title, reference, pupName, lockerName }) => ({
      id: `item-${shipmentUid}`,
      href:
        reference === null
          ? `/processes?${new URLSearchParams({ state: 'all', find: shipmentUid })}`
          : `/items/${encodeURIComponent(reference)}`,
      title,
      more: reference === title ? '' : (reference ?? ''),
      end: lockerName === null ? '' : t`locker ${lockerName}${pupName === null ? '' : `, ${pupName}`}`,
    })),
  },
  cases: { title: t`Cases`, hits: cases.map(hitOfCase) },
  lockers: {
    title: t`Lockers`,
    hits: lockers.map(({ pupUid, pupName, lockerUid, lockerName, doorOpenSince, ...locker }) => ({
      id: `locker-${lockerUid}`,
      href: wallAddress(pupUid, lockerUid),
      title: `${pupName} ${lockerName}`,
      more: '',
      ...(doorOpenSince
        ? { end: t`its door stands open since ${doorOpenSince}`, state: 'fault' as const }
        : stateOf(locker)),
    })),
  },
});

const lockerStates: Readonly<Record<string, Pick<Hit, 'end' | 'state'>>> = {
  Free: { end: t`free` },
  Booked: { end: t`booked`, state: 'booked' },
  OutOfOrder: { end: t`out of order`, state: 'over' },
  ToBeEmptied: { end: t`to be emptied`, state: 'inside' },
};
const inside = { end: t`inside`, state: 'inside' } as const;

const stateOf = ({ state, isInside }: Pick<LockerFound, 'state' | 'isInside'>) =>
  state === 'Booked' && isInside ? inside : (lockerStates[state] ?? { end: '' });

function hitOfCase({ key, runId, about, flowName, phase, status }: ProcessRow): Hit {
  const names = (about?.people ?? []).map(({ name, userUid }) => name ?? userUid);
  const title = [about?.item, names[0] && t`for ${names[0]}`].filter(Boolean).join(' ');
  return {
    id: `case-${runId}`,
    href: `/process/${encodeURIComponent(key)}`,
    title: title || key,
    more: title ? `${key} · ${flowName}` : flowName,
    end: phase === null ? (ends[status] ?? 'ended') : (phases[phase] ?? ''),
  };
}

const phases: Readonly<Record<string, string>> = { NeedsPerson: t`needs us`, Overdue: t`late` };
const ends: Readonly<Record<string, string>> = { Failed: 'failed', Cancelled: 'cancelled' };
