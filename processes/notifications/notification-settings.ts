// The settings by which people are notified of what is new in Work. Every worker of a task queue needs the same ones.
import { z } from 'zod';
import { durationMs } from '../../flows/language/duration.ts';
import { readBy } from '../../shared/settings/read-settings.ts';
import { type Language, languages } from '../../shared/texts/text.ts';
import { entryKinds } from '../inbox/inbox-entry.ts';
import { quietHoursIn } from './quiet-hours.ts';
import type { RoundSettings } from './round.ts';

export interface NotificationSettings extends RoundSettings {
  /** The name of a connector with `notify`, or of a mailbox. */
  readonly connector: string;
  readonly language: Language;
  /** Without a slash at its end; null: the messages have no links. */
  readonly consoleUrl: string | null;
}

function againAfterIn(text: string): number | null {
  const ms = durationMs(text);
  if (ms === null && text !== 'never') throw new Error('must be a duration like PT2H, or never');
  return ms;
}

const EXPECTED_PRIORITY = 'must be a whole number from 0 to 100';

export const notificationSettings = z.object({
  /** Nobody is notified without it. */
  NOTIFY_CONNECTOR: z.string().optional(),
  NOTIFY_QUIET_HOURS: readBy(quietHoursIn).nullable().default(null),
  NOTIFY_QUIET_PRIORITY: z
    .string()
    .regex(/^(100|\d{1,2})$/, EXPECTED_PRIORITY)
    .transform(Number)
    .default(80),
  NOTIFY_AGAIN_AFTER: readBy(againAfterIn).default(durationMs('PT2H')),
  /** An empty locker that is out of order is not urgent: it is notified only on request. */
  NOTIFY_KINDS: z
    .string()
    .transform((text) => text.split(',').map((kind) => kind.trim()))
    .pipe(z.array(z.enum(entryKinds, `must be a list of ${entryKinds.join(', ')}, separated by commas`)))
    .default(entryKinds.filter((kind) => kind !== 'outOfOrder')),
  NOTIFY_LANGUAGE: z.enum(languages, `must be ${languages.join(' or ')}`).default('en'),
  /** The address by which browsers call the console. */
  CONSOLE_URL: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).optional(),
});

/** Undefined: nobody is notified. */
export function readNotificationSettings(
  data: z.output<typeof notificationSettings>,
): NotificationSettings | undefined {
  if (data.NOTIFY_CONNECTOR === undefined) return undefined;
  return {
    connector: data.NOTIFY_CONNECTOR,
    kinds: new Set(data.NOTIFY_KINDS),
    quietHours: data.NOTIFY_QUIET_HOURS,
    quietPriority: data.NOTIFY_QUIET_PRIORITY,
    againAfterMs: data.NOTIFY_AGAIN_AFTER,
    language: data.NOTIFY_LANGUAGE,
    consoleUrl: data.CONSOLE_URL?.replace(/\/+$/, '') ?? null,
  };
}
