// A published flow file as the engine runs it, on any host: its machine, its messages, and what people see of it.
import type { AnyActorLogic, AnyMachineSnapshot, EventObject } from 'xstate';
import type { Ending } from '../../../engine/definition/closing.ts';
import type { Definition } from '../../../engine/definition/definition.ts';
import type { Halt, HaltReason } from '../../../engine/definition/halt-rules.ts';
import type { MigrationRequest } from '../../../engine/definition/migration-request.ts';
import type { Process } from '../../../engine/process.ts';
import type { Listening } from '../correlation.ts';
import { ExpressionFailure, expressionFailureIn } from '../expressions/failure.ts';
import type { FlowFile, Json } from '../flow-file.ts';
import type { Published } from '../registry.ts';
import { subjectsOfInput, subjectsOfKeys } from '../subjects.ts';
import { type ConsequenceOf, flowFileCommands } from './commands.ts';
import { extensionOf, type Incoming, movedEvent, type OutsideEvent } from './incoming.ts';
import { type Correlation, Registration } from './listening.ts';
import { FileMachine } from './machine.ts';
import { type FlowContext, type FlowStart, withDefaults } from './machine-runtime.ts';
import { aliasesIn, type FlowFilePlan, flowFileMigration } from './migration.ts';
import { attributesOf, detailsOf } from './operator-view.ts';
import { progressOf } from './progress.ts';
import type { Questions } from './questions.ts';
import { Work } from './work.ts';

interface FlowFileProcess {
  readonly published: Published;
  /** The logic for each `src` that the file invokes, but `ask`, which needs the process itself. */
  readonly actors: (src: string) => AnyActorLogic;
  readonly questions: Questions;
  readonly incoming: Incoming;
  /** Not given: no queue knows of the process yet. */
  readonly registration?: Registration;
  /** When it began, ISO 8601; asked once. */
  startedAt(): string;
  /** Milliseconds since 1970. */
  now(): number;
  /** That of its file; not given: it has one of its own. */
  readonly machine?: FileMachine;
  /** Not given: nothing bounds the process but each of its steps. */
  readonly work?: Work;
  /** Not known here: it depends on the bookings of the process, too. */
  readonly consequence: ConsequenceOf;
  /** The process with another version of its file. Not given: it keeps this one. */
  readonly as?: (published: Published) => Definition;
}

export function flowFileDefinition({
  published,
  machine = new FileMachine(published.file),
  actors,
  questions,
  incoming,
  registration = new Registration(),
  startedAt,
  now,
  work = new Work(),
  consequence,
  as,
}: FlowFileProcess): Definition {
  const { file, version } = published;
  const { correlation } = machine;
  let isCancelled = false;
  const beside = () => ({
    questions: questions.open,
    putAside: incoming.putAside,
    keys: file.correlate && (registration.known?.keys ?? {}),
  });
  const logicOf = (src: string) => (src === 'ask' ? questions.logic() : actors(src));
  const running = machine.of(
    {
      now,
      // A cancelled process has only to end.
      endsUnhandled: () => isCancelled,
      work,
    },
    logicOf,
  );
  return {
    machine: running,
    stepping: (process) => {
      isCancelled = process.isCancelled;
    },
    pace: work,
    input: ({ input, flow, workflowId }): FlowStart => ({
      input: withDefaults(file.input, requestOf(input)),
      flow: { key: workflowId, name: flow, version, startedAt: startedAt() },
    }),
    messages: {
      signals: { event: 'Something has happened outside: type, id (each counts once), data' },
      updates: {
        extendDeadline:
          'Moves the end of a wait: timer, and until (an instant), fromNow, extendBy or shortenBy (durations), or undo',
      },
      event: (message, named) => incoming.take(message, named),
      aliases: aliasesIn(file),
      keyOf: ({ type, payload }) => (type === 'event' ? (payload as OutsideEvent).id : undefined),
      keepsFor: ({ payload }) => keptFor(payload),
      ofChild: (event, child) => incoming.ofChild(event, child),
      putAside: (event) => incoming.putAsideMisfit(event),
      forged: () => incoming.drop(),
    },
    views: {
      progress: (snapshot, _late, pending, query) =>
        progressOf(published, snapshot, beside(), pending, query),
      details: (snapshot, pending) => detailsOf(published, snapshot, beside(), pending),
      searchAttributes: (snapshot, pending) => {
        const subjects = subjectsIn(file, correlation, snapshot.context as FlowContext);
        return attributesOf(questions.open, subjects, snapshot, pending);
      },
    },
    outgoing: {
      toParent: (_before, _now, halted) => eventsToParent(halted),
      toOthers: (snapshot, isOpen) => {
        const context = snapshot.context as FlowContext;
        const change = registration.change(isOpen ? listeningIn(correlation, context, registration) : null);
        return change ? [change] : [];
      },
    },
    halting: { ofError: haltBy, ofLoop: haltOfLoop },
    extension: {
      of: (payload, open) => extensionOf(payload, open, { machine: running, now: now() }),
      event: (extension) => movedEvent(extension, running),
    },
    commands: (process: Process) => flowFileCommands({ file, process, questions, incoming, consequence }),
    ...(as && {
      migrates: ({ to, plan = {} }: MigrationRequest, { context }: AnyMachineSnapshot, actors) => {
        const next = publishedIn(to, file.name);
        const before = context as FlowContext;
        const given = { from: published, to: next, plan: plan as FlowFilePlan, before, actors, now, work };
        // As one step.
        const migration = work.beside(() => flowFileMigration(given));
        return { ...migration, definition: as(next), version: next.version };
      },
    }),
    ending: (snapshot, isCancelled) => (isCancelled ? { kind: 'cancelled' } : endingOf(snapshot)),
  };
}

/** A version whose keys cannot be had of this context changes nothing: its next step that changes the context says so. */
function listeningIn(
  correlation: Correlation,
  context: FlowContext,
  { known }: Registration,
): Listening | null {
  try {
    return correlation.listening(context);
  } catch (error) {
    if (!expressionFailureIn(error)) throw error;
    return known;
  }
}

/** An ended process is found by its last keys. */
function subjectsIn({ input }: FlowFile, correlation: Correlation, context: FlowContext): string[] {
  const about = subjectsOfInput(input, context.input);
  try {
    return [...new Set([...about, ...subjectsOfKeys(correlation.keys(context))])];
  } catch (error) {
    if (!expressionFailureIn(error)) throw error;
    return about;
  }
}

/** What a queue has brought of an event by correlation. */
function keptFor(payload: unknown): number | undefined {
  const { keepForMs } = (payload ?? {}) as OutsideEvent;
  return typeof keepForMs === 'number' && keepForMs > 0 ? keepForMs : undefined;
}

const requestOf = (input: unknown): Json => (input as { readonly request?: Json }).request ?? {};

function endingOf({ output, context }: AnyMachineSnapshot): Ending {
  const { failure } = context as FlowContext;
  if (!failure) return { kind: 'result', result: output ?? null };
  const { code, message, detail, details = [{ detail }] } = failure;
  return { kind: 'failed', code, message, details };
}

/** The whole check is the publisher's: here it is only that the process gets a file of its own name. */
function publishedIn(to: unknown, name: string): Published {
  const { file, version } = (to ?? {}) as Partial<Published>;
  if (file?.name !== name || !Number.isSafeInteger(version))
    throw new TypeError(`expected to, a published version of ${name}: file, version, publishedAt`);
  return to as Published;
}

function haltBy(error: unknown): HaltReason | undefined {
  const failure = expressionFailureIn(error);
  if (!failure) return undefined;
  const { code, haltMessage, fault } = failure;
  return { code, message: haltMessage, details: fault };
}

// Temporal takes a second for each. More than a file needs that catches up on a quarter of a year, day by day.
const MAX_ROUNDS = 100;

function haltOfLoop(rounds: number, delay: string): HaltReason | undefined {
  if (rounds < MAX_ROUNDS) return undefined;
  const reason = `the process goes around without a pause: ${MAX_ROUNDS} times in a row, what it was to wait for was due at once`;
  return haltBy(new ExpressionFailure({ code: 'GoesAround', path: `after ${delay}`, reason }));
}

function eventsToParent(halted: Halt | undefined): (EventObject & Pick<Halt, 'code' | 'message'>)[] {
  if (!halted) return [];
  const { code, message } = halted;
  return [{ type: 'needsPerson', code, message }];
}
