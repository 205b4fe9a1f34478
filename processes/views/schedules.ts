// The schedules of a published flow file, with their state at Temporal.
import { z } from 'zod';
import { type FlowSchedule, flowSchedules } from '../../client/flow-files/schedules.ts';
import type { FlowFile } from '../../flows/language/flow-file.ts';
import { t } from '../../shared/texts/text.ts';
import type { TemporalContext } from '../temporal-context.ts';
import { formatMoment } from './format-moment.ts';

export const schedule = z
  .object({
    name: z.string().meta({ description: 'In the file, such as `monthly`' }),
    description: z.string().nullable(),
    cron: z.string().meta({ description: 'Minute, hour, day of the month, month, day of the week' }),
    zone: z.string().meta({ description: 'The time zone of these times' }),
    calendar: z.string().nullable().meta({ description: 'Of the file: nothing starts on its closed days' }),
    request: z.unknown().meta({ description: 'With which each process is started' }),
    state: z.enum(['active', 'paused', 'missing']).meta({
      description: 'missing: Temporal does not have it; publishing the file again makes it',
    }),
    note: z.string().nullable().meta({ description: 'Who has paused or resumed it, and why' }),
    next: z.array(z.string()).meta({ description: 'The next starts; none while it is paused' }),
    last: z
      .array(
        z.object({
          at: z.string().meta({ description: 'When it was due' }),
          key: z.string().meta({ description: 'Of the process' }),
        }),
      )
      .meta({ description: 'The latest starts, the newest last' }),
    text: z.string().meta({ description: 'The same in words, for people: never to be read by a program' }),
  })
  .meta({ title: 'Schedule' });

export type ShownSchedule = FlowSchedule & { readonly text: string };

export const readSchedules = async (
  { client }: Pick<TemporalContext, 'client'>,
  file: FlowFile,
): Promise<readonly ShownSchedule[]> =>
  (await flowSchedules(client, file)).map((each) => ({ ...each, text: formatSchedule(each) }));

function formatSchedule({ state, note, zone, next: [next] }: FlowSchedule): string {
  if (state === 'missing') return t`missing: publish the file again`;
  if (state === 'paused') return note ? t`paused by ${note}` : t`paused`;
  return next === undefined ? t`never again` : t`next on ${formatMoment(next, zone)}`;
}
