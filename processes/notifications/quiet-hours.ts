// Hours in which people are notified only of what is urgent, by the clock on their wall: summer time moves with them.
import { isTimeZone } from '../../contract/wire/service-profile.ts';

export interface QuietHours {
  /** Minutes since midnight. */
  readonly from: number;
  readonly to: number;
  readonly timeZone: string;
}

const QUIET_HOURS = /^([01]\d|2[0-3]):([0-5]\d)-([01]\d|2[0-3]):([0-5]\d) (\S+)$/;

/** Throws an Error that says what was expected. */
export function quietHoursIn(text: string): QuietHours {
  const [, fromHour, fromMinute, toHour, toMinute, timeZone = ''] = QUIET_HOURS.exec(text) ?? [];
  const from = Number(fromHour) * 60 + Number(fromMinute);
  const to = Number(toHour) * 60 + Number(toMinute);
  if (timeZone === '' || !isTimeZone(timeZone))
    throw new Error('must be two times and a time zone, like 22:00-07:00 Europe/Amsterdam');
  if (from === to) throw new Error('must begin and end at two different times');
  return { from, to, timeZone };
}

export function isQuiet({ from, to, timeZone }: QuietHours, now: number): boolean {
  const minute = minuteOfDay(now, timeZone);
  return from < to ? from <= minute && minute < to : from <= minute || minute < to;
}

function minuteOfDay(now: number, timeZone: string): number {
  const clock = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  const [hour = '', minute = ''] = clock.format(now).split(':');
  return Number(hour) * 60 + Number(minute);
}
