// A process of a flow file as Temporal runs it: its definition, and what it takes along into its next run.
import { uuid4, workflowInfo } from '@temporalio/workflow';
import type { FlowFileActivities, PassedOn } from '../../activities/flow-file-activities.ts';
import type { FlowClock, FlowInput } from '../../contract/flows/flow-input.ts';
import type { ActivityCall } from '../../engine/actor-kinds.ts';
import type { Definition } from '../../engine/definition/definition.ts';
import { withOnboarding } from '../../flows/accounts/onboarding.ts';
import { BookingSnapshots } from '../../flows/booking/booking-state.ts';
import { consequence } from '../../flows/booking/consequence.ts';
import { withBookings } from '../../flows/booking/process-of-bookings.ts';
import type { CorrelationMessage, Listening } from '../../flows/language/correlation.ts';
import type { Json } from '../../flows/language/flow-file.ts';
import { flowFileDefinition } from '../../flows/language/machine/definition.ts';
import type { FileMachines } from '../../flows/language/machine/file-machines.ts';
import { Incoming, type PutAside } from '../../flows/language/machine/incoming.ts';
import type { Registration } from '../../flows/language/machine/listening.ts';
import type { Questions } from '../../flows/language/machine/questions.ts';
import type { Work } from '../../flows/language/machine/work.ts';
import type { Published } from '../../flows/language/registry.ts';
import { keepCall } from '../booking-calls.ts';
import { eventOutbox } from '../event-delivery.ts';
import { localRetries } from '../local-calls.ts';
import { operatorFields } from '../operator-fields.ts';
import { goesBySandboxClock } from '../sandbox-clock.ts';
import { actorsOf, type InvocationCounts, type Invocations } from './actors.ts';

/**
 * What a process of a flow file is started with: its one argument. What else a built-in flow takes is for a file whose booking is
 * the whole process.
 */
export interface FlowFileStart extends Partial<Omit<FlowInput, 'request'>> {
  /** By the file's `input`. */
  readonly request?: Json;
  /** What its time is, and that of the flows that it starts; the real time if not given. */
  readonly clock?: FlowClock;
}

/** What a process takes along into its next run. */
export interface Carried {
  /** Absent: its file comes with the workers. */
  readonly published?: Published;
  readonly invoked: InvocationCounts;
  readonly dropped?: number;
  readonly misfits?: PutAside['misfits'];
  /** What its queues have been told. */
  readonly listening?: Listening;
}

/** What stays the same when its definition is replaced. */
export interface OneProcess {
  readonly questions: Questions;
  readonly invocations: Invocations;
  readonly registration: Registration;
  readonly work: Work;
  /** Those of its worker. */
  readonly machines: FileMachines;
  readonly input: unknown;
  /** Its file comes with the workers. */
  readonly isShipped: boolean;
}

/** What there was before it has this definition. */
interface Before {
  readonly putAside?: ConstructorParameters<typeof Incoming>[1];
  /** It has had another definition. */
  readonly isMigrated?: boolean;
}

export function processDefinition(
  given: Published,
  process: OneProcess,
  { putAside, isMigrated = false }: Before = {},
): Definition {
  const { questions, invocations, registration, input, work, machines, isShipped } = process;
  const clock: FlowClock | undefined = goesBySandboxClock(input) ? 'sandbox' : undefined;
  const machine = machines.of(given.file);
  // Its own copy of the file would have to be read anew for each process.
  const { file } = machine;
  const published = { ...given, file };
  const incoming = new Incoming(file, putAside);
  const bookings = new BookingSnapshots();
  const own = flowFileDefinition({
    published,
    machine,
    questions,
    incoming,
    registration,
    actors: actorsOf(invocations, bookings, clock),
    // A published file is fetched first.
    startedAt: () => (clock || isShipped ? new Date() : new Date(workflowInfo().startTime)).toISOString(),
    now: () => Date.now(),
    work,
    consequence,
    as: (next) => processDefinition(next, process, { putAside: incoming.putAside, isMigrated: true }),
  });
  const declared = withOnboarding(withBookings(own, file, { isMigrated, snapshots: bookings }), file);
  return {
    ...declared,
    outgoing: {
      ...declared.outgoing,
      outbox: eventOutbox(file.name),
      handOver: (message) => ('kind' in (message as object) ? passOn : keepCall),
    },
    carries: (): Carried => ({
      ...(!isShipped && { published }),
      invoked: invocations.counts,
      dropped: incoming.putAside.dropped,
      ...(incoming.putAside.misfits.length > 0 && { misfits: incoming.putAside.misfits }),
      ...(registration.known && { listening: registration.known }),
    }),
    views: { ...declared.views, ...operatorFields },
  };
}

/** To the queues of events by correlation. It costs a single event of history. */
const passOn: ActivityCall<readonly unknown[]> = {
  activity: 'passOn' satisfies keyof FlowFileActivities,
  isLocal: true,
  isCancellable: false,
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
