// The schedules of published flow files, as Temporal Schedules: each starts processes of the newest version of its file, at
// its times in its zone, whether a worker runs then or not.
import {
  type Client,
  ScheduleAlreadyRunning,
  type ScheduleDescription,
  ScheduleNotFoundError,
  type ScheduleOptions,
  ScheduleOverlapPolicy,
} from '@temporalio/client';
import { internalIds } from '../../contract/flows/internal-ids.ts';
import type { FlowFile, Json, ScheduleData } from '../../flows/language/flow-file.ts';

const overlaps = {
  skip: ScheduleOverlapPolicy.SKIP,
  queue: ScheduleOverlapPolicy.BUFFER_ALL,
  allow: ScheduleOverlapPolicy.ALLOW_ALL,
  cancel: ScheduleOverlapPolicy.CANCEL_OTHER,
} as const satisfies Record<NonNullable<ScheduleData['overlap']>, ScheduleOverlapPolicy>;

/** A start that was due while the server was away is made up for within this time. */
const CATCH_UP = '1 day';

const PREFIX = internalIds.schedule;

/** Such as `DeviceReport/weekly`. */
export type ScheduleName = `${string}/${string}`;

export const scheduleIdOf = (name: ScheduleName): string => PREFIX + name;

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

/**
 * Makes Temporal's schedules those of the file. One that is there already keeps its pause, and its runs: none is skipped, none
 * comes twice.
 */
export async function keepSchedules(
  client: Client,
  { name: flow, schedules = {} }: FlowFile,
  before: FlowFile['schedules'],
  taskQueue: string,
): Promise<void> {
  for (const [name, schedule] of Object.entries(schedules))
    await keepSchedule(client, `${flow}/${name}`, optionsOf(flow, name, schedule, taskQueue));
  // Also if the version before had none: a publication whose answer was lost may have left what that one did not have.
  const there = [
    ...(await scheduleNames(client)),
    ...Object.keys(before ?? {}).map((name) => `${flow}/${name}` as const),
  ];
  const gone = there.filter(
    (name) => name.startsWith(`${flow}/`) && !Object.hasOwn(schedules, name.slice(flow.length + 1)),
  );
  for (const name of new Set(gone)) await ifThere(client.schedule.getHandle(scheduleIdOf(name)).delete());
}

async function keepSchedule(client: Client, name: ScheduleName, options: ScheduleOptions): Promise<void> {
  try {
    await client.schedule.create(options as never);
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    const { spec, action, policies } = options;
    const handle = client.schedule.getHandle(scheduleIdOf(name));
    await handle.update((given) => ({ ...given, spec, action, policies }) as never);
  }
}

function optionsOf(
  flow: string,
  name: string,
  { cron, zone = 'UTC', overlap = 'skip', request = {} }: ScheduleData,
  taskQueue: string,
): ScheduleOptions {
  return {
    scheduleId: scheduleIdOf(`${flow}/${name}`),
    spec: { cronExpressions: [cron], timezone: zone },
    action: {
      type: 'startWorkflow',
      workflowType: flow,
      // Temporal adds the time that the start was due.
      workflowId: `${flow}-${name}`,
      args: [{ request }],
      taskQueue,
      staticSummary: `${flow} by its schedule ${name}`,
      // Temporal keeps a cron expression as a calendar: what the file says is shown from here.
      memo: { schedule: { cron, zone, overlap } },
    },
    policies: { overlap: overlaps[overlap], catchupWindow: CATCH_UP, pauseOnFailure: false },
  } as ScheduleOptions;
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
  const { schedule = {} } = (action.memo ?? {}) as { readonly schedule?: Partial<ScheduleData> };
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
