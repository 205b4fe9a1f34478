// The schedules of published flow files, as Temporal Schedules: each starts processes of the newest version of its file, at
// its times in its zone, whether a worker runs then or not.
import {
  type Client,
  type ScheduleDescription,
  ScheduleNotFoundError,
  ScheduleOverlapPolicy,
} from '@temporalio/client';
import type { Json } from '../../flows/language/flow-file.ts';

const PREFIX = 'schedule of ';

/** Such as `DeviceReport/weekly`. */
export type ScheduleName = `${string}/${string}`;

const scheduleIdOf = (name: ScheduleName): string => PREFIX + name;

const nameIn = (id: string): ScheduleName | undefined =>
  id.startsWith(PREFIX) && id.includes('/') ? (id.slice(PREFIX.length) as ScheduleName) : undefined;

export interface FlowSchedule {
  readonly name: ScheduleName;
  readonly flow: string;
  readonly cron: string;
  readonly zone: string;
  readonly overlap: string;
  readonly request: Json;
  readonly isPaused: boolean;
  /** Who has paused it or let it go on, and why. */
  readonly note: string | null;
  /** ISO 8601. */
  readonly next: readonly string[];
  /** The latest starts. */
  readonly last: readonly { readonly at: string; readonly key: string }[];
}

async function scheduleNames(client: Client): Promise<ScheduleName[]> {
  const names: ScheduleName[] = [];
  for await (const { scheduleId } of client.schedule.list()) {
    const name = nameIn(scheduleId);
    if (name !== undefined) names.push(name);
  }
  return names;
}

/** Those of all flow files, or of one. */
export async function flowSchedules(client: Client, flow?: string): Promise<FlowSchedule[]> {
  const names = (await scheduleNames(client)).filter(
    (name) => flow === undefined || name.startsWith(`${flow}/`),
  );
  const described = await Promise.all(names.sort().map((name) => scheduleAt(client, name)));
  return described.filter((each) => each !== undefined);
}

/** Undefined if there is none of that name. */
export async function scheduleAt(client: Client, name: ScheduleName): Promise<FlowSchedule | undefined> {
  const described = await ifThere(client.schedule.getHandle(scheduleIdOf(name)).describe());
  return described && viewOf(name, described);
}

function viewOf(name: ScheduleName, { action, state, info }: ScheduleDescription): FlowSchedule {
  const { schedule = {} } = (action.memo ?? {}) as { readonly schedule?: Readonly<Record<string, string>> };
  const { cron, zone, overlap } = schedule;
  const [given] = (action.args ?? []) as [{ readonly request?: Json }?];
  return {
    name,
    flow: name.slice(0, name.lastIndexOf('/')),
    cron: cron ?? '',
    zone: zone ?? 'UTC',
    overlap: overlap ?? 'skip',
    request: given?.request ?? {},
    isPaused: state.paused,
    note: state.note === undefined || state.note === '' ? null : state.note,
    next: state.paused ? [] : info.nextActionTimes.slice(0, 5).map((at) => at.toISOString()),
    last: info.recentActions.slice(-5).map(({ scheduledAt, action: { workflow } }) => ({
      at: scheduledAt.toISOString(),
      key: workflow.workflowId,
    })),
  };
}

/** The note says who and why. */
export const pauseSchedule = (client: Client, name: ScheduleName, note: string): Promise<void> =>
  client.schedule.getHandle(scheduleIdOf(name)).pause(note);

export const resumeSchedule = (client: Client, name: ScheduleName, note: string): Promise<void> =>
  client.schedule.getHandle(scheduleIdOf(name)).unpause(note);

/** Now, beside its times. The note of a schedule that is paused stays: it says why it is. */
export async function runSchedule(client: Client, name: ScheduleName, note: string): Promise<void> {
  const handle = client.schedule.getHandle(scheduleIdOf(name));
  await handle.update(
    (given) =>
      ({
        ...given,
        state: given.state.paused ? given.state : { ...given.state, note: `${note} (run now)` },
      }) as never,
  );
  await handle.trigger(ScheduleOverlapPolicy.ALLOW_ALL);
}

const ifThere = <Value>(asked: Promise<Value>): Promise<Value | undefined> =>
  asked.catch((error: unknown) => {
    if (error instanceof ScheduleNotFoundError) return undefined;
    throw error;
  });
