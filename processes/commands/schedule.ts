// Pauses and resumes a schedule of a flow file, or starts a process of it now. The schedule keeps who asked for it, and why.
import { z } from 'zod';
import {
  type FlowSchedule,
  flowSchedules,
  pauseSchedule,
  resumeSchedule,
  runSchedule,
  type ScheduleName,
  scheduleAt,
} from '../../client/flow-files/schedules.ts';
import { type Acting, askedTemporal, namedDecisionOf, type Right } from '../at-temporal.ts';
import { Refusal } from '../outcome.ts';
import { type Command, command } from './command.ts';

const input = z.strictObject({});
type Input = z.infer<typeof input>;

/** The target is the name of a schedule, such as `DeskReport/weekly`. */
type ScheduleCommand = Command<Input, FlowSchedule, FlowSchedule>;

function scheduleCommand(
  name: 'pause' | 'resume' | 'run',
  right: Right,
  [would, did]: readonly [string, string],
): ScheduleCommand {
  return command<Input, FlowSchedule, FlowSchedule, string>({
    name,
    right,
    why: 'needed',
    input,
    flowOf: async (acting, target) => {
      const { flow } = await found(acting, target);
      // From then on it starts processes, in the place of whoever resumes it.
      if (name === 'resume' && acting.may?.('start', flow) === false)
        throw new Refusal(
          'forbidden',
          'NotAllowed',
          `${acting.by} may resume ${target} only with the right to start ${flow}`,
        );
      return flow;
    },
    preview: (acting, target) => found(acting, target),
    async act(acting, target) {
      const { by, why } = namedDecisionOf(acting);
      const schedule = target as ScheduleName;
      await askedTemporal(acting, () => acts[name](acting.client, schedule, `${by}: ${why}`));
      return await found(acting, target);
    },
    would: (schedule) => `${schedule.name} ${would}`,
    did: (schedule) => `${schedule.name} ${did}`,
  });
}

const acts = { pause: pauseSchedule, resume: resumeSchedule, run: runSchedule } as const;

export const scheduleCommands = {
  pause: scheduleCommand('pause', 'publish', ['would start nothing until it is resumed', 'is paused']),
  resume: scheduleCommand('resume', 'publish', [
    'would start at its times again',
    'starts at its times again',
  ]),
  run: scheduleCommand('run', 'start', ['would start one now, beside its times', 'is started now']),
} as const;

async function found(acting: Acting, target: string): Promise<FlowSchedule> {
  const { client } = acting;
  return await askedTemporal(acting, async () => {
    const schedule = await scheduleAt(client, target as ScheduleName);
    if (schedule) return schedule;
    const known = (await flowSchedules(client)).map(({ name }) => name).join(', ');
    const message = `there is no schedule ${target}; expected one of ${known || 'none: no flow file has one'}`;
    throw new Refusal('notFound', 'ScheduleNotFound', message);
  });
}
