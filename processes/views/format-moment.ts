// A moment as people read it, where no page formats it: in a mail, a chat, a message.

/** As `Sat 12 Dec, 11:15` by the clock of the zone; by UTC, where none is known, it says so. */
export function formatMoment(at: string, timeZone: string | null): string {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: timeZone ?? 'UTC',
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  const parts = Object.fromEntries(
    format.formatToParts(new Date(at)).map(({ type, value }) => [type, value]),
  );
  const { weekday, day, month, hour, minute } = parts;
  return `${weekday} ${day} ${month}, ${hour}:${minute}${(timeZone ?? 'UTC') === 'UTC' ? ' UTC' : ''}`;
}
