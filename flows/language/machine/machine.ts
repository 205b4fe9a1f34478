// Turns a flow file into an xstate machine, for the engine and for the player of `test`. It is pure, and runs in
// the workflow sandbox.
import {
  type AnyActorLogic,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  createMachine,
  type EventObject,
  fromPromise,
} from 'xstate';
import { activeNodes, type Enclosure, machineWith, marked } from '../../../engine/stepper.ts';
import { calendarsOf } from '../calendar.ts';
import { instantText } from '../duration.ts';
import type { Budget } from '../expressions/cost.ts';
import { ExpressionFailure } from '../expressions/failure.ts';
import { template } from '../expressions/template.ts';
import { bounds, type FlowFile, invokesIn, type Json, type JsonObject } from '../flow-file.ts';
import { resultProblem } from '../schema.ts';
import { withCode } from '../with-code.ts';
import { delaysOf } from './delays.ts';
import { eachLogic } from './each.ts';
import { eachName, eachOf } from './each-data.ts';
import { Correlation } from './listening.ts';
import {
  type Calendars,
  contextFailure,
  detailsOf,
  errorView,
  type FlowContext,
  type FlowStart,
  type MachineRuntime,
  type Moment,
  scopeOf,
} from './machine-runtime.ts';
import { stateConfig } from './states.ts';
import { undoLogic, withoutUndone } from './undo.ts';
import { Work } from './work.ts';

/** What a machine asks of the process whose step it computes. */
interface MachineProcess {
  /** Milliseconds since 1970: the time of the workflow, or of the player. */
  readonly now: () => number;
  /** Whether a failure that no state takes ends the process at once. If not, a person decides. */
  readonly endsUnhandled: () => boolean;
  /** What bounds its steps, together with all else that the process does. */
  readonly work: Work;
}

type Places = Pick<MachineRuntime, 'file' | 'calendars' | 'invokePaths' | 'eachById'>;

/** The machine of a file. It is built once for all processes of the file, and computes a step of one of them at a time. */
export class FileMachine {
  readonly file: FlowFile;
  readonly correlation: Correlation;
  readonly #machine: AnyStateMachine;
  readonly #places: Places;
  /** That of the step that is being computed. */
  #process: MachineProcess | undefined;

  constructor(file: FlowFile) {
    this.file = file;
    this.correlation = new Correlation(file);
    const calendars = calendarsOf(file.calendars);
    this.#places = { file, calendars, invokePaths: new Map(), eachById: new Map() };
    const runtime = this.#runtime(() => this.#running);
    const first = template(file.context ?? {}, 'context');
    const states = stateConfig(file, [], runtime);
    const endsUnhandled = () => this.#running.endsUnhandled();
    const config = {
      id: file.name,
      ...states,
      ...(file.result && { output: checkedOutput(states.output as Output, file.result, endsUnhandled) }),
      context: ({ input }: { readonly input: FlowStart }): FlowContext => {
        const begun: FlowContext = { ...input, context: {} };
        return {
          ...begun,
          context: runtime.evaluate(first, { context: begun, event: { type: 'xstate.init' } }) as JsonObject,
        };
      },
      options: { maxIterations: bounds.microsteps },
    };
    this.#machine = createMachine(marked(config as object), { delays: delaysOf(file, runtime) } as never);
  }

  get #running(): MachineProcess {
    if (!this.#process) throw new TypeError(`${this.file.name} is asked outside of a step`);
    return this.#process;
  }

  /**
   * As one process runs it. `actors` gives the logic for each `src` that the file invokes (a flow, an operation, `ask`, `call`,
   * `book`). The logic's input is an `Invocation`. If the file does something wrong while it runs, `transition` throws an
   * ExpressionFailure; in the first step the failure is the snapshot's error. The step is not taken then.
   */
  of(process: MachineProcess, actors: (src: string) => AnyActorLogic): AnyStateMachine {
    const runtime = this.#runtime(() => process);
    const unhandledFailure = (event: EventObject) =>
      process.endsUnhandled() ? undefined : unhandled(event, runtime);
    const during = <Result>(step: () => Result): Result => this.#during(process, step);
    const enclosure = guarded(process.work, during, { unhandledFailure, correlation: this.correlation });
    return machineWith(this.#machine, actorsOf(this.file, actors, runtime), enclosure);
  }

  #runtime(running: () => MachineProcess): MachineRuntime {
    return { ...this.#places, ...runningPart(running, this.#places.calendars) };
  }

  #during<Result>(process: MachineProcess, step: () => Result): Result {
    const before = this.#process;
    this.#process = process;
    try {
      return step();
    } finally {
      this.#process = before;
    }
  }
}

const runningPart = (
  running: () => MachineProcess,
  calendars: Calendars,
): Omit<MachineRuntime, keyof Places> => ({
  now: () => running().now(),
  evaluate: (run, moment) => {
    const { work, now } = running();
    return work.evaluate(run, scopeOf(moment, instantText(now()), calendars));
  },
  failed: (failure) => running().work.failed(failure),
  budget: () => running().work.budget,
  beside: (run) => running().work.beside(run),
});

/** For what runs no processes. */
export const machineOf = (
  file: FlowFile,
  actors: (src: string) => AnyActorLogic,
  { now = Date.now, endsUnhandled = () => false, work = new Work() }: Partial<MachineProcess> = {},
): AnyStateMachine => new FileMachine(file).of({ now, endsUnhandled, work }, actors);

type Output = (moment: Moment) => Json;

/** As the check of an expression: a result that is wrong leaves the process where it was. One that was cancelled only ends. */
function checkedOutput(output: Output, schema: JsonObject, endsUnhandled: () => boolean): Output {
  return (moment) => {
    const value = output(moment);
    const problem = moment.context.failure || endsUnhandled() ? undefined : resultProblem(value, schema);
    if (problem === undefined) return value;
    throw new ExpressionFailure({ code: 'ResultWrong', path: 'output', reason: problem });
  };
}

/** For its drawing: what it invokes does nothing. */
export const idleMachineOf = (file: FlowFile): AnyStateMachine =>
  machineOf(file, () => fromPromise(async () => undefined));

function actorsOf(
  file: FlowFile,
  actors: (src: string) => AnyActorLogic,
  runtime: MachineRuntime,
): Record<string, AnyActorLogic> {
  const invokes = invokesIn(file).map(({ invoke }) => invoke);
  const undoes = ['ask', ...invokes.flatMap(({ undo }) => (undo ? [undo.src] : []))];
  const undoing = () => undoLogic(Object.fromEntries(undoes.map((each) => [each, actors(each)])));
  const named = invokes.map((invoke): [string, () => AnyActorLogic] => {
    if (invoke.src === 'undo') return ['undo', undoing];
    const each = eachOf(invoke);
    const { src } = each?.do ?? invoke;
    return each === undefined
      ? [src, () => actors(src)]
      : [eachName(src), () => eachLogic(actors(src), src, runtime)];
  });
  // Also for a booking that an `each` runs, or that a former version has begun and that cleans up.
  const book: [string, () => AnyActorLogic] = ['book', () => actors('book')];
  return Object.fromEntries([...new Map([book, ...named])].map(([name, logic]) => [name, logic()]));
}

/** xstate stops a machine at a failure that no state takes. Here the failure stays the next event instead. */
function unhandled(event: EventObject, { invokePaths }: MachineRuntime): ExpressionFailure {
  const { actorId, error } = event as EventObject & { readonly actorId: string; readonly error: unknown };
  const { code, message } = errorView(error);
  const [detail] = detailsOf(error);
  const { operation } = (detail ?? {}) as { readonly operation?: unknown };
  return new ExpressionFailure({
    code: 'FailureUnhandled',
    path: invokePaths.get(actorId) ?? '',
    reason: `no state takes the failure of ${actorId}: ${withCode(code, message)}`,
    ...(typeof operation === 'string' && { refused: { code, operation } }),
  });
}

/** The innermost state that is active. */
function placeOf(snapshot: AnyMachineSnapshot): string {
  const paths = snapshot.status === 'active' ? activeNodes(snapshot).map(({ path }) => path) : [];
  const [deepest = []] = paths.toSorted((one, other) => other.length - one.length);
  return deepest.flatMap((key) => ['states', key]).join('.');
}

function keysFailure(correlation: Correlation, context: FlowContext, budget: Budget): unknown {
  try {
    correlation.keys(context, budget);
    return undefined;
  } catch (error) {
    return error;
  }
}

function guarded(
  work: Work,
  during: <Result>(step: () => Result) => Result,
  {
    unhandledFailure,
    correlation,
  }: { unhandledFailure(event: EventObject): ExpressionFailure | undefined; correlation: Correlation },
): Enclosure {
  const failureOf = (context: FlowContext) =>
    contextFailure(context) ?? keysFailure(correlation, context, work.budget);
  const within: typeof work.within = (run, place) => during(() => work.within(run, place));
  return {
    next: (from, step, event) =>
      within(() => {
        const next = withoutUndone(from, event) ?? step();
        const untaken =
          from.status === 'active' && next.status === 'error' ? unhandledFailure(event) : undefined;
        if (untaken) throw untaken;
        const failure = next.context === from.context ? undefined : failureOf(next.context);
        if (failure) throw failure;
        return next;
      }, placeOf(from)),
    // If the first step fails, xstate does not throw: it puts the error into the snapshot.
    first: (step) =>
      within(() => {
        const first = step();
        const error = first.status === 'error' ? work.asFailure(first.error) : failureOf(first.context);
        return error === undefined ? first : { ...first, status: 'error', error };
      }, ''),
    ask: (guards) => within(guards),
  };
}
