// The entries of a message as plain text: by when they are to be dealt with, each with its moments and its link.
import type { NotificationLine } from '../../contract/flows/notifications.ts';
import { t } from '../../shared/texts/text.ts';
import { type EntryGroup, entryGroups } from '../inbox/inbox-entry.ts';
import { formatMoment } from '../views/format-moment.ts';

/** More is read in the console. */
const MAX_LINES = 20;

export const paragraphs = (...parts: (string | null)[]): string =>
  parts.filter((part) => part !== null).join('\n\n');

/** One paragraph for each group. */
export function formatLines(title: string, lines: readonly NotificationLine[], timeZone: string): string[] {
  const left = lines.length - MAX_LINES;
  const groups = entryGroups.flatMap((group) => {
    const its = lines.slice(0, MAX_LINES).filter((line) => line.group === group);
    if (its.length === 0) return [];
    return [
      [`${title}, ${groupTexts()[group]}:`, ...its.map((line) => formatLine(line, timeZone))].join('\n'),
    ];
  });
  return left > 0 ? [...groups, t`and ${left} more`] : groups;
}

const groupTexts = (): Readonly<Record<EntryGroup, string>> => ({
  urgent: t`urgent`,
  today: t`today`,
  later: t`later`,
  snoozed: t`snoozed`,
});

function formatLine({ title, since, due, link }: NotificationLine, timeZone: string): string {
  const moments = [
    since === null ? [] : t`since ${formatMoment(since, timeZone)}`,
    due === null ? [] : t`due ${formatMoment(due, timeZone)}`,
  ].flat();
  const line = [`- ${title}`, ...moments].join(', ');
  return link === null ? line : `${line}\n  ${link}`;
}
