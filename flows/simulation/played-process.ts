// A process of a flow file on a host with virtual time, on the engine that runs it in production. Whoever plays it moves the time,
// answers its calls and drains its inbox.
import type { AnyActorLogic } from 'xstate';
import { type ActivityCall, activityLogic, childLogic } from '../../engine/actor-kinds.ts';
import type { Definition } from '../../engine/definition/definition.ts';
import type { Host } from '../../engine/host.ts';
import { Process } from '../../engine/process.ts';
import { withOnboarding } from '../accounts/onboarding.ts';
import { type BookingCalls, bookingActor } from '../booking/booking-actor.ts';
import { consequence } from '../booking/consequence.ts';
import { withBookings } from '../booking/process-of-bookings.ts';
import { instantText } from '../language/duration.ts';
import { type ExpressionFailure, expressionFailureIn } from '../language/expressions/failure.ts';
import type { Json, JsonObject } from '../language/flow-file.ts';
import { kindOfActor } from '../language/machine/actor-kinds.ts';
import { flowFileDefinition } from '../language/machine/definition.ts';
import { FileMachines } from '../language/machine/file-machines.ts';
import { Incoming, type PutAside } from '../language/machine/incoming.ts';
import { Registration } from '../language/machine/listening.ts';
import type { Questions } from '../language/machine/questions.ts';
import type { Published } from '../language/registry.ts';

/** A call that the player answers: nothing of it runs. */
const call = <Input>(activity: string): ActivityCall<Input> => ({
  activity,
  options: () => ({}),
  summary: () => undefined,
  isCancellable: true,
});
const bookingCalls: BookingCalls = {
  book: activityLogic(call('book')),
  undo: activityLogic(call('undo')),
  changeReceiver: activityLogic(call('changeReceiver')),
};

function actorOf(src: string): AnyActorLogic {
  const kind = kindOfActor(src);
  if (kind === 'book') return bookingActor(bookingCalls);
  return kind === 'flow' ? child(src) : activityLogic(call(src));
}

const passOn = call<readonly unknown[]>('passOn');
const child = (workflow: string) =>
  childLogic({ workflow, workflowId: () => '', subscriptions: () => [], argument: () => undefined });

export type Version = Omit<Published, 'publishedAt'>;

interface PlayedStart extends Version {
  readonly input: Json;
  /** What else it is started with. */
  readonly beside?: JsonObject;
  readonly key: string;
  readonly questions: Questions;
  readonly host: Host;
  /** Not given: it has one of its own. */
  readonly machines?: FileMachines | undefined;
  /** Called when the process halts. */
  halted(failure: ExpressionFailure | undefined): void;
}

interface PlayedProcess {
  /** Not begun yet. */
  readonly process: Process;
  readonly registration: Registration;
  /** What it has put aside. */
  putAside(): PutAside;
}

/** Throws an ExpressionFailure if its first step fails. */
export function playedProcess({
  file,
  version,
  input,
  beside = {},
  key,
  questions,
  host,
  machines = new FileMachines(),
  halted,
}: PlayedStart): PlayedProcess {
  const begunAt = instantText(host.now());
  const registration = new Registration();
  let incomingNow = new Incoming(file);
  const definitionOf = (published: Published, putAside?: PutAside, isMigrated = false): Definition => {
    const incoming = new Incoming(published.file, putAside);
    incomingNow = incoming;
    const own = flowFileDefinition({
      published,
      machine: machines.of(published.file),
      questions,
      incoming,
      registration,
      actors: actorOf,
      startedAt: () => begunAt,
      now: () => host.now(),
      consequence,
      as: (next) => definitionOf(next, incoming.putAside, true),
    });
    const declared = withOnboarding(withBookings(own, published.file, { isMigrated }), published.file);
    return {
      ...declared,
      outgoing: {
        ...declared.outgoing,
        outbox: { type: 'emit', call: call('emitEvent'), relay: { workflow: '', patience: {} } },
        handOver: () => passOn,
      },
      halting: {
        ...declared.halting,
        ofError: (error) => {
          halted(expressionFailureIn(error));
          return declared.halting?.ofError(error);
        },
      },
    };
  };
  const process: Process = new Process({
    definition: definitionOf({ file, version, publishedAt: begunAt }),
    start: {
      input: { ...beside, request: input },
      flow: file.name,
      version,
      workflowId: key,
      firstExecutionRunId: key,
    },
    host,
  });
  return { process, registration, putAside: () => incomingNow.putAside };
}
