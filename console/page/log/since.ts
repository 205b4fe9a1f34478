// Since when the log is read, as it stands in the address: by name, or as a day or a moment of the reader.
import { t } from '../../../shared/texts/text.ts';

export const choices = { visit: t`My last visit`, night: '22:00', today: t`Today` } as const;
export type Choice = keyof typeof choices;

const EVENING = 22;

const moments: Readonly<Record<Choice, (now: Date, visit: Date | undefined) => Date | undefined>> = {
  visit: (_, visit) => visit,
  night: (now) => at(now, EVENING, now.getHours() < EVENING ? 1 : 0),
  today: (now) => at(now, 0, 0),
};

const at = (now: Date, hour: number, daysAgo: number): Date =>
  new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysAgo, hour);

/** As a field of the browser writes it, in the reader's zone. */
const LOCAL = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/;

/** Undefined for what is no moment, and for a last visit of which nothing is known. */
export function momentOf(text: string, visit: Date | undefined, now = new Date()): Date | undefined {
  if (Object.hasOwn(moments, text)) return moments[text as Choice](now, visit);
  const moment = new Date(LOCAL.test(text) ? text : Number.NaN);
  return Number.isNaN(moment.getTime()) ? undefined : moment;
}
