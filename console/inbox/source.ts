// What each source of the inbox is: it reads the entries of its kind, and does what a person decides about one of them.
import { quoted } from '../../client/command-line/flow-query.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { ConsoleRefusal } from '../refusal.ts';
import type { EntryKind, InboxEntry, InboxField } from './inbox-view.ts';

export interface Deed {
  readonly action: string;
  readonly values: Readonly<Record<string, unknown>>;
  /** The signed-in name. */
  readonly by: string;
}

export interface SourceRead {
  readonly entries: readonly InboxEntry[];
  /** Why this is not all of it. */
  readonly incomplete?: string;
}

export interface InboxSource {
  readonly kind: EntryKind;
  /** As in "decisions could not be read". */
  readonly what: string;
  read(parts: ConsoleParts): Promise<SourceRead>;
  /** `key` is the entry's id without its kind. Gives what was done, in a sentence. */
  act(parts: ConsoleParts, key: string, deed: Deed): Promise<string>;
}

/** Another task queue may be another tenant's: of its processes nothing is shown. */
export const onOwnTaskQueue = ({ taskQueue }: ConsoleParts): string => `TaskQueue = ${quoted(taskQueue)}`;

export const WHY: InboxField = { name: 'why', label: 'Why (it is kept with your name)', type: 'text' };

// As long as a person types; the process keeps it in its history.
const LONGEST_TEXT = 2_000;

/** Throws a refusal that names the field, where it is no text. */
export function textOf({ values }: Deed, name: string): string {
  const value = values[name];
  const text = typeof value === 'string' ? value.trim() : '';
  if (text === '') throw refusedField(name, 'is missing; fill it in');
  if (text.length > LONGEST_TEXT) throw refusedField(name, `is too long; at most ${LONGEST_TEXT} characters`);
  return text;
}

export const refusedField = (name: string, problem: string) =>
  new ConsoleRefusal(400, 'InvalidRequest', `${name} ${problem}`, { [name]: problem });

export const noSuchAction = ({ action }: Deed, known: readonly string[]) =>
  new ConsoleRefusal(
    400,
    'InvalidRequest',
    `${JSON.stringify(action)} is no action here; expected one of ${known.join(', ')}`,
  );
