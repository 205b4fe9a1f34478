// Finds people, items, cases and lockers by whatever somebody has of them: a name, an e-mail address, a phone number, the number of a
// parcel, a key, business data, a locker. Temporal holds no names: people and items are found at the locker service first, then their
// cases by uid.
import { peopleIn } from '../../flows/language/subjects.ts';
import { commandErrorOf } from '../../processes/outcome.ts';
import type { ProcessFailures } from '../../processes/views/failures.ts';
import type { FoundFlow } from '../../processes/views/found-flows.ts';
import { listedPage, readProcessPage } from '../../processes/views/process-list.ts';
import type { RowSubjects } from '../../processes/views/row-subjects.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { findAccounts } from './find-accounts.ts';
import { casesOf, exactFirst, findCases } from './find-cases.ts';
import { findItems } from './find-items.ts';
import { findLockers } from './find-lockers.ts';
import type { Found, PersonFound } from './find-view.ts';

interface Wanted {
  readonly text: string;
  /** So many of each kind. */
  readonly most: number;
  /** Whether they may know people, and what processes are about. */
  readonly mayKnowPeople: boolean;
}

export interface FindReaders {
  readonly subjects: RowSubjects;
  readonly failures: ProcessFailures;
}

/** So many cases of the people who are found are counted. */
const COUNTED = 500;

export async function find(
  parts: ConsoleParts,
  { subjects, failures }: FindReaders,
  { text, most, mayKnowPeople }: Wanted,
): Promise<Found> {
  const unread = new Set<string>();
  const orUnread =
    <Value>(what: string, value: Value) =>
    (error: unknown): Value => {
      if (!commandErrorOf(error)) throw error;
      unread.add(what);
      return value;
    };
  const about = async () => {
    const [people, sent] = await Promise.all([
      mayKnowPeople ? findAccounts(parts, text, most).catch(orUnread('people', NO_PEOPLE)) : NO_PEOPLE,
      findItems(parts, { text, most, mayKnowPeople }).catch(orUnread('items', NO_ITEMS)),
    ]);
    const userUids = people.people.map(({ userUid }) => userUid);
    const shipmentUids = [
      ...new Set([...sent.items.map(({ shipmentUid }) => shipmentUid), ...sent.shipmentUids]),
    ];
    const of = await casesOf(parts, { shipmentUids, userUids }, COUNTED).catch(orUnread('cases', []));
    return [people, sent, of] as const;
  };
  const [[accounts, items, others], lockers, named] = await Promise.all([
    about(),
    findLockers(parts, text, most).catch(orUnread('lockers', [])),
    findCases(parts, { text, most: most + 1, mayKnowPeople }).catch(orUnread('cases', [])),
  ]);
  const cases = exactFirst(openFirst([...named, ...others]), text);
  const first = cases.slice(0, most);
  const readers = { summaries: null, failures, ...(mayKnowPeople && { subjects }) };
  const page = { flows: first, next: null, count: first.length };
  const { items: rows } = await readProcessPage(
    listedPage(parts, async () => page),
    readers,
  );
  return {
    people: accounts.people
      .map((person) => ({ ...person, open: openOf(person, others) }))
      .sort(
        (one, other) => Number(isCalled(other, text)) - Number(isCalled(one, text)) || other.open - one.open,
      ),
    items: [...items.items],
    cases: rows,
    lockers,
    isComplete: accounts.isComplete && items.isComplete && cases.length <= most,
    unread: [...unread],
  };
}

const NO_PEOPLE = { people: [], isComplete: true } as const;
const NO_ITEMS = { items: [], shipmentUids: [], isComplete: true } as const;

/** "anna" means Anna Jansen rather than Hanna Smit: Enter opens the first one. */
const isCalled = ({ name }: Pick<PersonFound, 'name'>, text: string): boolean =>
  ` ${name}`.toLowerCase().includes(` ${text.toLowerCase()}`);

const openOf = ({ userUid }: Pick<PersonFound, 'userUid'>, cases: readonly FoundFlow[]): number =>
  cases.filter(({ status, subjects }) => status === 'Running' && peopleIn(subjects).includes(userUid)).length;

/** Each once; of each kind in the order in which Temporal lists it. */
function openFirst(found: readonly FoundFlow[]): FoundFlow[] {
  const all = [...new Map(found.map((each) => [each.runId, each])).values()];
  const isOpen = ({ status }: FoundFlow) => status === 'Running';
  return [...all.filter(isOpen), ...all.filter((each) => !isOpen(each))];
}
