// The workflow ids that lockerflow makes for itself. A business key that looks like one would be taken for the registry of a
// flow file, an unmatched callback or a reservation, or would keep the real one from starting.
import { ContractError, type FieldIssue } from '../wire/contract-error.ts';
import { isStorable, STORABLE_MESSAGE } from '../wire/text.ts';

/** How each kind begins. Whatever makes such an id makes it from here. */
export const internalIds = {
  definition: 'flow-definition:',
  unmatched: 'unmatched:',
  adopted: 'adopted:',
  itemOut: 'item out:',
  snoozed: 'snoozed:',
  noteAfterEnd: 'note after end:',
  reconciler: 'reconciler of ',
  notifier: 'notifier of ',
  migration: 'migration of ',
  batch: 'batch:',
  correlation: 'correlation:',
  outreach: 'outreach:',
  schedule: 'schedule:',
  eventStarts: 'event starts:',
} as const;

/** Temporal's own workflows, those of schedules for example. */
const TEMPORAL_PREFIX = 'temporal-sys-';

const reservedPrefixes: readonly string[] = [...Object.values(internalIds), TEMPORAL_PREFIX];

/** Bytes. Temporal takes an id of 1,000, and the flows that a process invokes add theirs to its own. */
const LONGEST_KEY = 800;

/** As the last part of a path each is taken out of an address by every client (RFC 3986, section 5.2.4), even percent-encoded. */
const PARTS_OF_PATHS: readonly string[] = ['.', '..'];

/** Empty for a key that a process may be started with. */
export function businessKeyIssues(key: string): readonly FieldIssue[] {
  const wrong = problemOf(key);
  if (wrong !== undefined) return [{ field: 'key', message: wrong }];
  const prefix = reservedPrefixes.find((each) => key.startsWith(each));
  if (prefix === undefined) return [];
  const message = `must not begin with "${prefix}": lockerflow uses such workflow ids itself; expected a key of your own, like order-1042`;
  return [{ field: 'key', message }];
}

function problemOf(key: string): string | undefined {
  if (key === '') return 'must not be empty';
  if (PARTS_OF_PATHS.includes(key))
    return `must not be "${key}": no address could name the process; expected a key of your own, like order-1042`;
  if (!isStorable(key)) return STORABLE_MESSAGE;
  const { length } = new TextEncoder().encode(key);
  return length > LONGEST_KEY ? `must have at most ${LONGEST_KEY} bytes, not ${length}` : undefined;
}

export function checkBusinessKey(key: string): void {
  const issues = businessKeyIssues(key);
  if (issues.length > 0) throw new ContractError('InvalidRequest', issues);
}
