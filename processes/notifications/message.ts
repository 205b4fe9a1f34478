// The message of one round. It has titles and keys as everybody sees them who may read Work, never whom something is for.
import type { Notification, NotificationLine } from '../../contract/flows/notifications.ts';
import { t } from '../../shared/texts/text.ts';
import type { InboxEntry, Unread, WorkEntry } from '../inbox/inbox-entry.ts';
import { workOf } from '../inbox/work.ts';
import { formatLines, paragraphs } from './message-text.ts';
import type { Round } from './round.ts';

export interface MessageContext {
  readonly id: string;
  readonly now: number;
  /** Null: the message has no links. */
  readonly consoleUrl: string | null;
  readonly timeZone: string;
  /** By pupUid. */
  readonly pickUpPoints: ReadonlyMap<string, string>;
  /** What could not be read, or not whole, of what people are notified of. */
  readonly unread: readonly Unread[];
}

/** Null: there is nothing to say. */
export function messageOf(round: Round, context: MessageContext): Notification | null {
  const { added, stillOpen, others, isAllClear } = round;
  if (isAllClear) return allClear(others, context);
  if (added.length + stillOpen.length === 0) return null;
  const [addedLines, openLines] = [linesOf(added, context), linesOf(stillOpen, context)];
  const entries = [...addedLines, ...openLines];
  const unread = context.unread.map(({ what }) => what);
  const more = others === 1 ? t`1 more is open.` : t`${others} more are open.`;
  return {
    ...framed(
      context,
      ...formatLines(t`New`, addedLines, context.timeZone),
      ...formatLines(t`Still open`, openLines, context.timeZone),
      others > 0 ? more : null,
      unread.length > 0 ? t`Could not be read: ${unread.join(', ')}.` : null,
    ),
    reason: added.length > 0 ? 'new' : 'again',
    title: added.length > 0 ? t`Work, new: ${subject(entries)}` : t`Work, still open: ${subject(entries)}`,
    entries,
  };
}

/** The first one is the most urgent. */
function subject([first, ...more]: readonly NotificationLine[]): string {
  const title = first?.title ?? '';
  return more.length > 0 ? t`${title} (and ${more.length} more)` : title;
}

function allClear(others: number, context: MessageContext): Notification {
  const some = others === 1 ? t`1 less urgent entry is open.` : t`${others} less urgent entries are open.`;
  const rest = others === 0 ? t`Nothing else is open.` : some;
  return {
    ...framed(context, t`All that you were notified of is done. ${rest}`),
    reason: 'allClear',
    title: t`Work: all clear`,
  };
}

export const testMessage = (context: MessageContext): Notification => ({
  ...framed(context, t`Somebody tries out notifications (lockerflow notify --test). Nothing is wrong.`),
  reason: 'test',
  title: t`Work: a test message`,
});

function framed({ id, consoleUrl }: MessageContext, ...parts: (string | null)[]) {
  const link = consoleUrl === null ? null : `${consoleUrl}/inbox`;
  return { id, link, text: paragraphs(...parts, link && t`All of Work: ${link}`), entries: [] };
}

const linesOf = (entries: readonly InboxEntry[], context: MessageContext): NotificationLine[] =>
  workOf({ entries, unread: [] }, undefined, context.now).entries.map((entry) => lineOf(entry, context));

function lineOf(entry: WorkEntry, context: MessageContext): NotificationLine {
  const { group, since, due = null, clockAheadMs } = entry;
  const realTime = (at: string | null) =>
    at === null ? null : new Date(Date.parse(at) - clockAheadMs).toISOString();
  return {
    group,
    title: titleOf(entry, context),
    since: realTime(since),
    due: realTime(due),
    link: context.consoleUrl === null ? null : `${context.consoleUrl}${pathOf(entry)}`,
  };
}

const MAX_TITLE = 200;

/** The name of a pick up point in place of its uid; nothing that a chat would take for a mention or a link. */
function titleOf({ title, pupUid }: WorkEntry, { pickUpPoints }: MessageContext): string {
  const name = pupUid === null ? undefined : pickUpPoints.get(pupUid);
  const named = pupUid === null || name === undefined ? title : title.replaceAll(pupUid, () => name);
  return named
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .replaceAll('<', '‹')
    .replaceAll('>', '›')
    .replaceAll('](', '] (')
    .slice(0, MAX_TITLE);
}

function pathOf({ key, pupUid }: WorkEntry): string {
  if (key !== null) return `/process/${encodeURIComponent(key)}`;
  return pupUid === null ? '/inbox' : `/walls/${encodeURIComponent(pupUid)}`;
}
