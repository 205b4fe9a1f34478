// A process of a flow file: a workflow of any name that no built-in one has. It fetches the newest version of that name, keeps
// it in its own history, and runs it on the engine as the built-in flows are run.
import {
  ApplicationFailure,
  CancellationScope,
  defineQuery,
  defineUpdate,
  proxyLocalActivities,
  setHandler,
  upsertSearchAttributes,
  uuid4,
  workflowInfo,
} from '@temporalio/workflow';
import type { FlowFileActivities, PassedOn } from '../../activities/flow-file-activities.ts';
import type { FlowClock } from '../../contract/flows/flow-input.ts';
import type { FlowMemo } from '../../contract/flows/search-attributes.ts';
import type { ActivityCall } from '../../engine/actor-kinds.ts';
import type { Refusal } from '../../engine/commands.ts';
import { actionsOf, cancelCommand } from '../../engine/commands.ts';
import type { Continued, Definition } from '../../engine/definition.ts';
import { throwRefused } from '../../engine/temporal/handlers.ts';
import { processClock, runProcess } from '../../engine/temporal/workflow.ts';
import type { CorrelationMessage, Listening } from '../../flows/language/correlation.ts';
import { expressionFailureIn } from '../../flows/language/expressions/failure.ts';
import type { Json } from '../../flows/language/flow-file.ts';
import { flowFileDefinition } from '../../flows/language/machine/definition.ts';
import { Incoming } from '../../flows/language/machine/incoming.ts';
import type { EmittedEvent } from '../../flows/language/machine/kit.ts';
import { Registration } from '../../flows/language/machine/listening.ts';
import { type FlowFileProgress, notBegun } from '../../flows/language/machine/progress.ts';
import { type Answer, type ChangedTask, Questions } from '../../flows/language/machine/questions.ts';
import { type TaskAction, type TaskChange, taskActions } from '../../flows/language/machine/tasks.ts';
import { Work } from '../../flows/language/machine/work.ts';
import type { Published } from '../../flows/language/registry.ts';
import { eventOutbox } from '../event-delivery.ts';
import { localRetries } from '../local-calls.ts';
import { clockOf, goesBySandboxClock } from '../sandbox-clock.ts';
import { actorsOf, atStart, type InvocationCounts, Invocations } from './actors.ts';

/** What a process of a flow file is started with: its one argument. */
export interface FlowFileStart {
  /** By the file's `input`. */
  readonly request?: Json;
  /** What its time is, and that of the flows that it starts; the real time if not given. */
  readonly clock?: FlowClock;
}

/** What a process takes along into its next run. */
interface Carried {
  readonly published: Published;
  readonly invoked: InvocationCounts;
  readonly dropped?: number;
  /** What its queues have been told. */
  readonly listening?: Listening;
}

// A local one costs a single event of history.
const { fetchFlowDefinition } = proxyLocalActivities<FlowFileActivities>({
  startToCloseTimeout: '10 s',
  ...localRetries,
});

/** To the queues of events by correlation. It costs a single event of history too. */
const passOn: ActivityCall<readonly unknown[]> = {
  activity: 'passOn' satisfies keyof FlowFileActivities,
  isLocal: true,
  heedsCancellation: false,
  options: () => ({
    startToCloseTimeout: '20 s',
    ...localRetries,
  }),
  summary: () => undefined,
  argument: (messages): PassedOn => ({
    from: { workflowId: workflowInfo().workflowId, firstRunId: workflowInfo().firstExecutionRunId },
    // The same in each attempt.
    messages: (messages as readonly CorrelationMessage[]).map((message) =>
      message.kind === 'event' ? { ...message, event: { id: uuid4(), ...message.event } } : message,
    ),
  }),
};

const progress = defineQuery<FlowFileProgress>('progress');
const actions = defineQuery<unknown, [unknown]>('actions');
const answer = defineUpdate<{ readonly question: string }, [Answer]>('answer');
/** The updates by which people change a question, with their descriptions. */
const taskUpdates: Readonly<Record<TaskAction, string>> = {
  claim: 'Says who is to answer a question, and nobody else: question, by',
  release: 'Lets others answer a question that one holds: question, by',
  assign: 'Gives a question to a person (to) or to another inbox (of): question, by, why',
};

export async function flowFileProcess(input: FlowFileStart = {}, continued?: Continued): Promise<unknown> {
  const { workflowType } = workflowInfo();
  // The engine's own takes its place with the first step.
  let hasFailed = false;
  setHandler(progress, () => notBegun(workflowType, hasFailed));
  setHandler(actions, (asked) =>
    actionsOf({ isOpen: !hasFailed, start: { flow: workflowType } }, onlyCancel, asked),
  );
  try {
    return await begunProcess(input, continued);
  } catch (error) {
    // For what asks a process that has failed before its first step.
    hasFailed = true;
    // Other SDKs and schedules start it without a phase, by which lists find it.
    if (workflowInfo().searchAttributes.LockerPhase === undefined) upsertSearchAttributes(atStart);
    throw error;
  }
}

const onlyCancel = () => [cancelCommand({ cancellationRefusal: () => undefined })];

async function begunProcess(input: FlowFileStart, continued?: Continued): Promise<unknown> {
  const { workflowType, workflowId, firstExecutionRunId } = workflowInfo();
  const carried =
    (continued?.carries as Carried | undefined) ??
    begunOn(await fetchFlowDefinition({ name: workflowType, input: input ?? {} }));
  const { version } = carried.published;
  const questions = new Questions();
  if (!continued) listenToPeople(questions);
  const start = { flow: workflowType, version, input: input ?? {}, workflowId, firstExecutionRunId };
  const clock = processClock({ clock: clockOf }, start, continued);
  // Without an await where there is nothing to wait for.
  const movable = clock instanceof Promise ? await clock : clock;
  const { published, invoked, dropped, listening } = carried;
  const registration = new Registration(listening ?? null);
  const invocations = new Invocations(invoked);
  const work = new Work(() => Date.now());
  const process = { questions, input, registration, invocations, work };
  const ended = begun(() => runProcess(declared(published, process, dropped), start, continued, movable));
  // Not before the process has taken up the questions of the former run.
  if (continued) listenToPeople(questions);
  return ended;
}

const begunOn = (published: Published): Carried => ({ published, invoked: {} });

/** What stays the same when its definition is replaced. */
interface OneProcess {
  readonly questions: Questions;
  readonly invocations: Invocations;
  readonly registration: Registration;
  readonly work: Work;
  readonly input: unknown;
}

function declared(published: Published, process: OneProcess, dropped?: number): Definition {
  const { questions, invocations, registration, input, work } = process;
  const clock: FlowClock | undefined = goesBySandboxClock(input) ? 'sandbox' : undefined;
  const { file } = published;
  const root = CancellationScope.current();
  const incoming = new Incoming(file, dropped);
  return {
    ...flowFileDefinition({
      published,
      questions,
      incoming,
      registration,
      actors: actorsOf(invocations, clock),
      startedAt: () => (clock ? new Date() : new Date(workflowInfo().startTime)).toISOString(),
      now: () => Date.now(),
      work,
      isCancelled: () => root.consideredCancelled,
      as: (next) => declared(next, process, incoming.dropped),
    }),
    outbox: eventOutbox('emit', ({ event, version }) => ({
      ...(event as EmittedEvent).emitted,
      flow: { name: file.name, version },
    })),
    carries: (): Carried => ({
      published,
      invoked: invocations.counts,
      dropped: incoming.dropped,
      ...(registration.known && { listening: registration.known }),
    }),
    handOver: passOn,
    versionAttribute: 'LockerFlowVersion',
    detailsMemo: 'consoleLink' satisfies keyof FlowMemo,
  };
}

/** What people say to its questions: the answer, and who is to give it. */
function listenToPeople(questions: Questions): void {
  listen(answer, {
    description: 'Answers a question: question (its id, where several are open), inbox, values, by',
    refusal: (given) => questions.refusal(given),
    take: (given) => questions.answer(given),
  });
  for (const action of taskActions)
    listen(defineUpdate<ChangedTask, [TaskChange]>(action), {
      description: taskUpdates[action],
      refusal: (given) => questions.changeRefusal(action, given),
      take: (given) => questions.change(action, given),
    });
}

interface Listener<Given, Result> {
  readonly description: string;
  refusal(given: Given): Refusal | undefined;
  take(given: Given): Result;
}

function listen<Given, Result>(
  update: ReturnType<typeof defineUpdate<Result, [Given]>>,
  { description, refusal, take }: Listener<Given, Result>,
): void {
  const validator = (given: Given): void => throwRefused(refusal(given));
  const handler = (given: Given): Result => {
    validator(given);
    return take(given);
  };
  setHandler(update, handler as never, { description, validator } as never);
}

/** An error before the first step fails the process, so that its starter hears of it. */
function begun<Result>(begin: () => Result): Result {
  try {
    return begin();
  } catch (error) {
    const failure = expressionFailureIn(error);
    if (!failure) throw error;
    const { code, message, fault } = failure;
    throw ApplicationFailure.nonRetryable(message, code, fault);
  }
}
