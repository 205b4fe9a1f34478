// Commands to a schedule of a published flow file: pause, resume, and run it now.
import { z } from 'zod';
import { pauseSchedule, scheduledKeyOf, scheduleIdOf } from '../../client/flow-files/schedules.ts';
import { formatAttribution } from '../../contract/flows/attribution.ts';
import { nearestOf } from '../../flows/language/nearest-names.ts';
import { t } from '../../shared/texts/text.ts';
import { CommandError, refused } from '../outcome.ts';
import { attributionOf, type CommandContext, callTemporal } from '../temporal-context.ts';
import { flowNamed } from '../views/flow-registry.ts';
import { readSchedules, type ShownSchedule } from '../views/schedules.ts';
import { command } from './command.ts';
import type { Started } from './start.ts';

/** By the names in the file. */
interface OneSchedule {
  readonly flow: string;
  readonly schedule: string;
}

const ofSchedule = {
  input: z.strictObject({}),
  flowOf: async (_acting: CommandContext, { flow }: OneSchedule) => flow,
  preview: found,
  formatPreview: format,
};

const pausing = (name: 'pause' | 'resume') =>
  command({
    ...ofSchedule,
    name,
    right: 'publish',
    why: 'needed',
    async act(commandContext, target): Promise<ShownSchedule> {
      const { state } = await found(commandContext, target);
      if (state === 'missing')
        throw refused(
          'ScheduleMissing',
          t`Temporal does not have the schedule ${target.schedule}; publish the file again, which makes it`,
        );
      const note = `${formatAttribution(commandContext)}: ${commandContext.why?.trim()}`;
      const id = scheduleIdOf(target.flow, target.schedule);
      await callTemporal(commandContext, () =>
        pauseSchedule(commandContext.client, id, name === 'pause', note),
      );
      return await found(commandContext, target);
    },
    formatResult: format,
  });

/** Also while it is paused. The process is like any other that a person starts. */
const run = command({
  ...ofSchedule,
  name: 'run',
  right: 'start',
  why: 'optional',
  async act(commandContext, target): Promise<Started> {
    const { flow, schedule } = target;
    const { request } = await found(commandContext, target);
    const workflowId = scheduledKeyOf(flow, schedule, new Date());
    await commandContext.flows.startPublished(flow, workflowId, { request }, attributionOf(commandContext));
    return { flow, workflowId, isNew: true };
  },
  formatResult: ({ flow, workflowId }) => t`${flow} ${workflowId} is started`,
});

export const scheduleCommands = { pause: pausing('pause'), resume: pausing('resume'), run } as const;

async function found(
  commandContext: CommandContext,
  { flow, schedule }: OneSchedule,
): Promise<ShownSchedule> {
  const { file } = await flowNamed(commandContext, flow);
  const all = file ? await callTemporal(commandContext, () => readSchedules(commandContext, file)) : [];
  const one = all.find(({ name }) => name === schedule);
  if (one) return one;
  const names = all.map(({ name }) => name);
  const near = nearestOf(schedule, names);
  throw new CommandError(
    'notFound',
    'ScheduleNotFound',
    near === undefined
      ? t`${flow} has no schedule ${schedule}; expected one of ${names.join(', ') || t`none`}`
      : t`${flow} has no schedule ${schedule}; did you mean ${near}?`,
  );
}

function format({ name, text }: ShownSchedule): string {
  return `${name}: ${text}`;
}
