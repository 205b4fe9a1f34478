// A moment as people read it, where no page formats it: in a mail, a chat, a message. Whoever reads it may be elsewhere, so it names its
// zone.
import { formattingLocale } from '../../shared/texts/text.ts';

/** Of this installation: what the variable TZ of its programs says, or the system. */
const INSTALLATION_ZONE = new Intl.DateTimeFormat().resolvedOptions().timeZone;

/**
 * As `Sat 12 Dec, 11:15 CET`.
 * @param timeZone null: none is known, and it is the installation's
 */
export function formatMoment(at: string, timeZone: string | null): string {
  const format = new Intl.DateTimeFormat(formattingLocale(), {
    timeZone: timeZone ?? INSTALLATION_ZONE,
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'short',
  });
  const parts = Object.fromEntries(
    format.formatToParts(new Date(at)).map(({ type, value }) => [type, value]),
  );
  const { weekday, day, month, hour, minute, timeZoneName } = parts;
  return `${weekday} ${day} ${month}, ${hour}:${minute} ${timeZoneName}`;
}
