// The commands about what begins: `start` a process, and what is done to a schedule of a flow file.
import { z } from 'zod';
import type { InputOf } from '../../client/flow-contract.ts';
import type { FlowFileStart } from '../../client/flow-files/flow-file-handle.ts';
import {
  type FlowSchedule,
  flowSchedules,
  pauseSchedule,
  resumeSchedule,
  runSchedule,
  type ScheduleName,
  scheduleAt,
} from '../../client/flow-files/schedules.ts';
import { type FlowType, flowTypes } from '../../contract/flows/flow-types.ts';
import { checkBusinessKey } from '../../contract/flows/internal-ids.ts';
import { type Acting, askedTemporal, attributionOf, namedDecisionOf, type Right } from '../at-temporal.ts';
import { Refusal } from '../outcome.ts';
import { type Command, command } from './command.ts';
import { text } from './read-values.ts';

const input = z.strictObject({
  flow: text,
  /** The one argument of the flow: request, deadlines and so on. The flow's contract checks it, field by field. */
  input: z.record(z.string(), z.unknown()),
});
type Input = z.infer<typeof input>;

export interface Started {
  readonly flow: string;
  readonly workflowId: string;
}

/** The target is the business key of the new process. */
export const start = command({
  name: 'start',
  right: 'start',
  why: 'optional',
  input,
  flowOf: async (_acting, _key: string, { flow }: Input) => flow,
  async preview(acting, workflowId, given) {
    await checkStart(acting, workflowId, given);
    return { flow: given.flow, workflowId, input: given.input };
  },
  async act(acting, workflowId, { flow, input: given }): Promise<Started> {
    const { flows } = acting;
    const who = attributionOf(acting);
    if (isBuiltIn(flow)) await flows.start(flow, workflowId, given as unknown as InputOf<FlowType>, who);
    else await flows.startPublished(flow, workflowId, given as FlowFileStart, who);
    return { flow, workflowId };
  },
  would: ({ flow, workflowId }) => `${flow} ${workflowId} would be started`,
  did: ({ flow, workflowId }) => `${flow} ${workflowId} is started`,
});

export const isBuiltIn = (name: string): name is FlowType => flowTypes.some((each) => each === name);

async function checkStart({ flows }: Acting, key: string, { flow, input: given }: Input): Promise<void> {
  checkBusinessKey(key);
  if (isBuiltIn(flow)) flows.check(flow, given);
  else await flows.checkPublished(flow, given as FlowFileStart);
}

const nothing = z.strictObject({});
type Nothing = z.infer<typeof nothing>;

/** The target is the name of a schedule, such as `DeskReport/weekly`. */
type ScheduleCommand = Command<Nothing, FlowSchedule, FlowSchedule>;

function scheduleCommand(
  name: 'pause' | 'resume' | 'run',
  right: Right,
  [would, did]: readonly [string, string],
): ScheduleCommand {
  return command<Nothing, FlowSchedule, FlowSchedule, string>({
    name,
    right,
    why: 'needed',
    input: nothing,
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
