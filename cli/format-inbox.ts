// What waits for a person as lines of a terminal: each entry with its case, why it waits, and what to do.
import { entryGroups, type WorkEntry, type WorkView } from '../processes/inbox/inbox-entry.ts';
import { shellWord } from '../shared/terminal/terminal.ts';
import { decidedBy } from './format-progress.ts';
import { INSTANTS, utcMinute } from './moments.ts';

export function formatInbox({ entries }: Pick<WorkView, 'entries'>): string[] {
  if (entries.length === 0) return ['nothing waits for a person'];
  const groups = entryGroups.flatMap((group) => {
    const its = entries.filter((entry) => entry.group === group);
    return its.length === 0 ? [] : [`${group} (${its.length})`, '', ...its.flatMap(entryLines)];
  });
  return groups.slice(0, -1);
}

function entryLines(entry: WorkEntry): string[] {
  const { title, key, shipmentUid, since, many, why, ifNothing, toDo } = entry;
  const words = [...keysIn(many?.keys ?? []), why, `If nobody does anything: ${ifNothing}`, toDo];
  const command = commandOf(entry);
  if (command !== undefined) words.push(`By: lockerflow ${command}`);
  return [
    [since && `${utcMinute(since)} UTC`, title, key ?? shipmentUid].filter(Boolean).join('  '),
    ...words.map((each) => `  ${each.replaceAll(INSTANTS, (instant) => `${utcMinute(instant)} UTC`)}`),
    '',
  ];
}

/** What is typed for it, where a command does it: the page has buttons. */
function commandOf({ kind, id, key, shipmentUid, reasons = [] }: WorkEntry): string | undefined {
  if (kind === 'itemOut' && shipmentUid !== null) return `item settle ${shellWord(shipmentUid)}`;
  if (key === null) return undefined;
  const word = shellWord(key);
  const [verbs] = reasons.flatMap(({ code }) => decidedBy[code] ?? []);
  switch (kind) {
    case 'question':
      return `answer ${word} --question ${shellWord(id.slice('question:'.length, -`:${key}`.length))}`;
    case 'decision':
      return verbs && `${verbs}, each with ${word}`;
    case 'late':
      return `extend ${word}`;
    case 'failedStart':
      return `start-again ${word}`;
    default:
      return undefined;
  }
}

/** More would fill the screen; all are in the JSON. */
const MAX_KEYS = 20;

/** Who has nothing but the command line acts on the processes of an entry by their keys. */
function keysIn(keys: readonly string[]): string[] {
  if (keys.length === 0) return [];
  const more = keys.length - MAX_KEYS;
  return [`${keys.slice(0, MAX_KEYS).join(', ')}${more > 0 ? ` and ${more} more` : ''}`];
}
