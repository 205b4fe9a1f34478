// The schedules of published flow files as schedules of Temporal: each starts processes on the current version, whether a worker is
// running or not.
import {
  type Client,
  ScheduleAlreadyRunning,
  type ScheduleDescription,
  ScheduleNotFoundError,
  type ScheduleOptions,
  ScheduleOverlapPolicy,
  type ScheduleSpec,
} from '@temporalio/client';
import { internalIds } from '../../contract/flows/internal-ids.ts';
import { closedDays } from '../../flows/language/calendar.ts';
import type { FlowFile, Json } from '../../flows/language/flow-file.ts';
import { temporalCron } from '../../flows/language/reading/schedules.ts';
import { shownAsText } from '../../shared/markdown/shown-as-text.ts';
import { grpcCodes, grpcFailureOf } from '../grpc-failure.ts';
import { searchAttributesOf } from '../start-attributes.ts';
import { publishedFlow } from './published-flows.ts';
import { untilListed } from './until-listed.ts';

/** Neither name can have a dot, so the ids are unique. */
const nameOf = (flow: string, name: string): string => `${flow}.${name}`;

export const scheduleIdOf = (flow: string, name: string): string =>
  `${internalIds.schedule}${nameOf(flow, name)}`;

/** The key that Temporal gives to the process that is started at this time. */
export const scheduledKeyOf = (flow: string, name: string, at: Date): string =>
  `${nameOf(flow, name)}-${at.toISOString().replace(/\.\d+Z$/, 'Z')}`;

/** The files are published nonetheless. */
export class SchedulesNotKept extends Error {
  override readonly name = 'SchedulesNotKept';

  constructor(schedule: string, reason: string, options: ErrorOptions) {
    super(
      `the files are published, but Temporal does not take the schedule ${schedule}: ${reason}; correct it, and publish the file again`,
      options,
    );
  }
}

/** Brings Temporal's schedules in line with the current versions of the files. */
export async function keepSchedules(
  client: Client,
  files: readonly FlowFile[],
  taskQueue: string,
): Promise<void> {
  const there = await listedIds(client);
  const made: string[] = [];
  for (const { name: flow, schedules } of files) {
    const own = there.filter((id) => id.startsWith(scheduleIdOf(flow, '')));
    if (schedules !== undefined || own.length > 0)
      made.push(...(await keepThoseOf(client, flow, own, taskQueue)));
  }
  // The next publication finds in the list what it has to delete.
  await untilListed(made, async (missing) => {
    const listed = new Set(await listedIds(client));
    return missing.filter((id) => !listed.has(id));
  });
}

/** Looks again if the current version has changed meanwhile, so the last publication wins. Returns the ids of new schedules. */
async function keepThoseOf(
  client: Client,
  flow: string,
  before: readonly string[],
  taskQueue: string,
): Promise<readonly string[]> {
  const ids = new Set(before);
  const made: string[] = [];
  for (let kept = 0; ; ) {
    const current = await publishedFlow(client, flow);
    if (!current || current.version === kept) return made;
    kept = current.version;
    const wanted = scheduleOptions(current.file, taskQueue);
    for (const each of wanted) {
      ids.add(each.scheduleId);
      if (await keepSchedule(client, each)) made.push(each.scheduleId);
    }
    const gone = [...ids].filter((id) => !wanted.some(({ scheduleId }) => scheduleId === id));
    for (const id of gone) await ifThere(client.schedule.getHandle(id).delete());
  }
}

type Options = ScheduleOptions & {
  readonly action: { readonly memo: ScheduleMemo & Record<string, unknown> };
};

/** What a schedule was made from, to see whether it has changed: Temporal returns its times in another form. */
interface ScheduleMemo {
  readonly schedule: {
    readonly cron: string;
    readonly zone: string;
    /** Days on which it starts nothing. */
    readonly closed: readonly string[];
    readonly request: Json;
    readonly taskQueue: string;
  };
}

const scheduleOptions = (file: FlowFile, taskQueue: string): Options[] =>
  Object.entries(file.schedules ?? {}).map(([name, given]) => {
    const { name: flow } = file;
    const { cron, request = {} } = given;
    const { zone, closed = [] } = calendarOf(file, given);
    const action = {
      type: 'startWorkflow' as const,
      workflowType: flow,
      // Temporal appends the time at which the start was due.
      workflowId: nameOf(flow, name),
      args: [{ request }],
      taskQueue,
      searchAttributes: searchAttributesOf({ request }),
      staticSummary: `${shownAsText(flow)}, by its schedule ${shownAsText(name)}`,
      memo: { schedule: { cron, zone, closed, request, taskQueue } },
    };
    const spec = { cronExpressions: [temporalCron(cron)], timezone: zone, skip: daysOf(closed) };
    return { scheduleId: scheduleIdOf(flow, name), spec, action, policies };
  });

type Schedule = NonNullable<FlowFile['schedules']>[string];

/** Its calendar; without one, its zone has no closed days. */
const calendarOf = ({ calendars = {} }: FlowFile, { calendar = '', zone = 'UTC' }: Schedule) =>
  calendars[calendar] ?? { zone, closed: [] };

/** Each time starts a process of its own. Starts that were missed while Temporal was down are made up for within a day. */
const policies = { overlap: ScheduleOverlapPolicy.ALLOW_ALL, catchupWindow: '1 day', pauseOnFailure: false };

const MONTHS = [
  ...(['JANUARY', 'FEBRUARY', 'MARCH', 'APRIL', 'MAY', 'JUNE', 'JULY', 'AUGUST'] as const),
  ...(['SEPTEMBER', 'OCTOBER', 'NOVEMBER', 'DECEMBER'] as const),
] as const;

/** One entry per month, because Temporal checks every entry at each time. */
function daysOf(closed: readonly string[]): NonNullable<ScheduleSpec['skip']> {
  const months = new Map<string, number[]>();
  for (const day of closed.flatMap(closedDays)) {
    const month = day.slice(0, -3);
    months.set(month, [...(months.get(month) ?? []), Number(day.slice(-2))]);
  }
  const all = { start: 0, end: 59 };
  return [...months].map(([month, dayOfMonth]) => ({
    ...{ second: all, minute: all, hour: { start: 0, end: 23 } },
    ...{
      dayOfMonth,
      month: MONTHS[Number(month.slice(-2)) - 1] ?? 'JANUARY',
      // `12-25` is closed each year.
      ...(month.length > 2 && { year: Number(month.slice(0, 4)) }),
    },
  }));
}

/** Whether it is new. Throws SchedulesNotKept where Temporal refuses it. */
async function keepSchedule(client: Client, options: Options): Promise<boolean> {
  try {
    await client.schedule.create(options);
    return true;
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw refusalOf(error, options.scheduleId);
    await changeSchedule(client, options).catch((refused: unknown) => {
      throw refusalOf(refused, options.scheduleId);
    });
    return false;
  }
}

/** A paused schedule stays paused. An unchanged one is left alone: an update would drop the starts still to be made up for. */
async function changeSchedule(client: Client, { scheduleId, spec, action, policies: kept }: Options) {
  const handle = client.schedule.getHandle(scheduleId);
  const { action: before } = await handle.describe();
  if (JSON.stringify(before.memo) === JSON.stringify(action.memo)) return;
  await handle.update((given) => ({ ...given, spec, action, policies: kept }) as never);
}

/** SchedulesNotKept if Temporal refuses the schedule; any other error as it is. */
function refusalOf(error: unknown, id: string): unknown {
  const { code, details = '' } = grpcFailureOf(error) ?? {};
  // The SDK itself throws a TypeError for wrong times.
  const reason = error instanceof TypeError ? error.message : details;
  return error instanceof TypeError || code === grpcCodes.invalidArgument
    ? new SchedulesNotKept(id.slice(internalIds.schedule.length), reason, { cause: error })
    : error;
}

async function listedIds(client: Client): Promise<string[]> {
  const ids: string[] = [];
  for await (const { scheduleId } of client.schedule.list())
    if (scheduleId.startsWith(internalIds.schedule)) ids.push(scheduleId);
  return ids;
}

export interface FlowSchedule {
  readonly name: string;
  readonly description: string | null;
  readonly cron: string;
  readonly zone: string;
  readonly calendar: string | null;
  readonly request: Json;
  /** Missing: somebody has deleted it, or its publication failed. Publishing the file again makes it. */
  readonly state: 'active' | 'paused' | 'missing';
  /** Who has paused it or let it go on, and why. */
  readonly note: string | null;
  /** ISO 8601; none while it is paused. */
  readonly next: readonly string[];
  /** The latest starts, the newest last. */
  readonly last: readonly { readonly at: string; readonly key: string }[];
}

const MANY = 5;

/** The schedules of a published file, with their state at Temporal. */
export const flowSchedules = (client: Client, file: FlowFile) =>
  Promise.all(
    Object.entries(file.schedules ?? {}).map(async ([name, given]): Promise<FlowSchedule> => {
      const { cron, calendar = null, request = {}, description = null } = given;
      const { zone } = calendarOf(file, given);
      const described = await ifThere(client.schedule.getHandle(scheduleIdOf(file.name, name)).describe());
      return { name, description, cron, zone, calendar, request, ...stateOf(described) };
    }),
  );

function stateOf(
  described: ScheduleDescription | undefined,
): Pick<FlowSchedule, 'state' | 'note' | 'next' | 'last'> {
  if (!described) return { state: 'missing', note: null, next: [], last: [] };
  const { state, info } = described;
  return {
    state: state.paused ? 'paused' : 'active',
    note: state.note || null,
    next: state.paused ? [] : info.nextActionTimes.slice(0, MANY).map((at) => at.toISOString()),
    last: info.recentActions.slice(-MANY).map(({ scheduledAt, action: { workflow } }) => ({
      at: scheduledAt.toISOString(),
      key: workflow.workflowId,
    })),
  };
}

/** `note` says who does it, and why. Throws ScheduleNotFoundError. */
export async function pauseSchedule(
  client: Client,
  id: string,
  isPaused: boolean,
  note: string,
): Promise<void> {
  const handle = client.schedule.getHandle(id);
  await (isPaused ? handle.pause(note) : handle.unpause(note));
}

const ifThere = <Value>(asked: Promise<Value>): Promise<Value | undefined> =>
  asked.catch((error: unknown) => {
    if (error instanceof ScheduleNotFoundError) return undefined;
    throw error;
  });
