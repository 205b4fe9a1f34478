// The schedules of published flow files: when each starts processes by itself, and what came of the last times.
import { z } from 'zod';
import { type FlowSchedule, flowSchedules } from '../client/flow-files/schedules.ts';
import { type AtTemporal, askedTemporal } from './at-temporal.ts';

export type { FlowSchedule };

export const schedule = z
  .object({
    name: z.string().meta({ description: 'Such as DeskReport/weekly' }),
    flow: z.string(),
    cron: z.string().meta({ description: 'Minute, hour, day of the month, month, day of the week' }),
    zone: z.string().meta({ description: 'The time zone of these times' }),
    overlap: z.string().meta({
      description: 'What becomes of a start while the last process runs: skip, queue, allow, cancel',
    }),
    request: z.unknown().meta({ description: 'With which each process is started' }),
    isPaused: z.boolean(),
    note: z.string().nullable().meta({ description: 'Who changed it last, and why' }),
    next: z.array(z.string()).meta({ description: 'The next starts; none while it is paused' }),
    last: z
      .array(
        z.object({
          at: z.string().meta({ description: 'When it was due' }),
          key: z.string().meta({ description: 'The key of the process' }),
        }),
      )
      .meta({ description: 'The latest starts, the newest last' }),
  })
  .meta({ title: 'Schedule' });

export const scheduleList = z.object({ items: z.array(schedule) });

/** Those of all flow files, or of one. */
export const readSchedules = async (
  temporal: Pick<AtTemporal, 'client'>,
  flow?: string,
): Promise<{ readonly items: readonly FlowSchedule[] }> => ({
  items: await askedTemporal(temporal, () => flowSchedules(temporal.client, flow)),
});
