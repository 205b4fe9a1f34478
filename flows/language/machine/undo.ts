// Undoing finished steps. An invoke with `undo` is written down when it is done; `src: undo` undoes what is written down, the last
// step first, one after the other. It is an inline actor. What cannot be undone is asked of a person.

import { type AnyActorLogic, type AnyMachineSnapshot, assign, type EventObject } from 'xstate';
import type { FlowResult } from '../../../contract/flows/flow-result.ts';
import { CANCEL_REQUESTED } from '../../../engine/chart/messages.ts';
import {
  type InlineActorLogic,
  type InvokeContext,
  inlineActorLogic,
  type StepResult,
} from '../../../engine/inline-actor.ts';
import { ExpressionFailure } from '../expressions/failure.ts';
import { bounds, type InvokeData, type Json, type JsonObject, listOf } from '../flow-file.ts';
import { jsonBytes } from '../json-bytes.ts';
import { withCode } from '../with-code.ts';
import {
  attemptsOf,
  type ErrorView,
  errorView,
  type FinishedStep,
  type FlowContext,
  type Invocation,
  inputTemplate,
  type MachineRuntime,
  type Moment,
} from './machine-runtime.ts';
import { checkQuestion } from './question.ts';

/** Who is asked about what cannot be undone. */
const DEFAULT_INBOX = 'operator';

/** What a person may say of it. */
const AGAIN = 'again';
const BY_HAND = 'undoneByHand';

const NOT_UNDONE_FIELDS = {
  action: { choice: [AGAIN, BY_HAND], label: 'Undo it again, or somebody has undone it' },
};

/** What the keys of calls that undo steps have in place of an id. */
export const UNDO_KEY = 'undo';

/** An `undo` tells the process so of each step; outside nobody may send it. */
const UNDONE = 'lockerflow.undone';

/** The first action of each transition that an invoke with `undo` leads to when it is done. */
export function writtenDown(
  { src: of, undo }: InvokeData,
  id: string,
  path: string,
  runtime: MachineRuntime,
): object {
  const { src = '', input: written = {} } = undo ?? {};
  const run = inputTemplate(src, written, `${path}.undo.input`);
  const action = assign(((moment: Moment): FlowContext => {
    const { context, event } = moment;
    if (of === 'book' && hasLeftNothing(event)) return context;
    const input = runtime.evaluate(run, moment);
    if (src === 'ask')
      checkQuestion(input as JsonObject, written as JsonObject, `${path}.undo.input`, runtime);
    const { count, done } = context.steps ?? { count: 0, done: [] };
    const step: FinishedStep = {
      number: count + 1,
      id,
      undo: { src, input, ...(undo && attemptsOf(undo)) },
    };
    const steps = { count: count + 1, done: [...done, step] };
    const bytes = jsonBytes(steps);
    if (bytes > bounds.contextBytes)
      throw runtime.failed(
        new ExpressionFailure({
          code: 'ContextTooLarge',
          path: `${path}.undo`,
          reason: `what is needed to undo all steps would have ${bytes} bytes, expected at most ${bounds.contextBytes}`,
        }),
      );
    return { ...context, steps };
  }) as never);
  return Object.assign(action, { text: `can undo ${id}` });
}

/** A booking that a passed deadline or a person has undone already. */
function hasLeftNothing(event: Moment['event']): boolean {
  const { output } = event as { readonly output?: unknown } & EventObject;
  const { shipments = {}, itemsLeft = [] } = (output ?? {}) as Partial<FlowResult>;
  const states = Object.values(shipments).map(({ stateCode }) => stateCode);
  return itemsLeft.length === 0 && states.every((state) => state === 'Cancelled');
}

/** What a state that undoes takes by itself: a cancellation does not stop it halfway. */
export const undoing = { [CANCEL_REQUESTED]: { actions: [assign({})] } } as const;

/** The process when one of its steps is undone. */
export function withoutUndone(from: AnyMachineSnapshot, event: EventObject): AnyMachineSnapshot | undefined {
  if (event.type !== UNDONE) return undefined;
  const context = from.context as FlowContext;
  const { steps = { count: 0, done: [] } } = context;
  const done = steps.done.filter(({ number }) => number !== (event as Undone).number);
  return { ...from, context: { ...context, steps: { ...steps, done } } } as AnyMachineSnapshot;
}

interface Undone extends EventObject {
  readonly number: number;
}

interface UndoContext {
  /** The inbox of questions about it. */
  readonly of: string;
  /** The ids of the steps that it undoes; null: all. */
  readonly only: readonly string[] | null;
  /** That is being undone. */
  readonly step: FinishedStep | null;
  /** Why it cannot be undone: a person is asked about it. */
  readonly failure: Pick<ErrorView, 'code' | 'message'> | null;
  readonly undone: readonly UndoneStep[];
  readonly isOver: boolean;
}

interface UndoneStep {
  readonly number: number;
  readonly step: string;
  /** Who has undone it by hand. */
  readonly by?: Json;
}

interface AnyEvent extends EventObject {
  readonly output?: unknown;
  readonly error?: unknown;
  /** What has ended. */
  readonly actorId?: string;
}

type Actors = Readonly<Record<string, AnyActorLogic>>;

/** @param given the logic by `src`: for all that undoes a step of the file, and `ask` */
export function undoLogic(given: Actors): InlineActorLogic {
  const actors = Object.fromEntries(Object.entries(given).map(([src, logic]) => [src, lasting(logic)]));
  const turn = (
    before: UndoContext,
    event: AnyEvent,
    { id, context }: InvokeContext,
  ): StepResult<UndoContext> => {
    const now = withNext(after(before, event), context as FlowContext, actors);
    const work = workOf(now, id);
    return {
      state: now,
      calls: work ? [{ id: work.id, input: work }] : [],
      events: now.undone
        .slice(before.undone.length)
        .map(({ number }) => ({ type: UNDONE, number }) as EventObject),
      ...(now.isOver && { end: { output: { undone: now.undone.map(({ number: _, ...each }) => each) } } }),
    };
  };
  return inlineActorLogic<UndoContext>({
    name: 'undo',
    logicOf: (input) => actors[(input as Invocation).src] as AnyActorLogic,
    begin: (input, around) => {
      const { of = DEFAULT_INBOX, steps } = ((input as Invocation).input ?? {}) as JsonObject;
      const only = steps === undefined ? null : listOf(steps as string | string[]);
      const first = { of: String(of), only, step: null, failure: null, undone: [], isOver: false };
      return turn(first, { type: 'xstate.init' }, around);
    },
    take: (undoing, event, around) =>
      (event as AnyEvent).actorId === undefined ? { state: undoing } : turn(undoing, event, around),
  });
}

/** A cancellation of the process does not reach what undoes its steps. */
function lasting(logic: AnyActorLogic): AnyActorLogic {
  const { call, procedure } = logic as unknown as Readonly<Record<'call' | 'procedure', object | undefined>>;
  const isCancellable = false;
  return {
    ...logic,
    ...(call && { call: { ...call, isCancellable } }),
    ...(procedure && { procedure: { ...procedure, isCancellable } }),
  } as AnyActorLogic;
}

/** What the end of the call, or the answer of a person, means for the step. */
function after(undoing: UndoContext, { type, output, error }: AnyEvent): UndoContext {
  const { step, failure, undone } = undoing;
  if (!step) return undoing;
  if (type.startsWith('xstate.error.')) {
    const { code, message } = errorView(error);
    return { ...undoing, failure: failure ?? { code, message: message.slice(0, 200) } };
  }
  const { action, by } = (failure ? output : {}) as { readonly action?: string; readonly by?: Json };
  if (action === AGAIN) return { ...undoing, failure: null };
  const undoneStep: UndoneStep = { number: step.number, step: step.id, ...(by !== undefined && { by }) };
  return { ...undoing, step: null, failure: null, undone: [...undone, undoneStep] };
}

/** The last step that is not undone yet, and is to be; the process may have finished more of them meanwhile. */
function withNext(undoing: UndoContext, { steps }: FlowContext, actors: Actors): UndoContext {
  const { only, undone } = undoing;
  const numbers = undone.map(({ number }) => number);
  const left = (steps?.done ?? []).filter(
    ({ number, id }) => !numbers.includes(number) && (only === null || only.includes(id)),
  );
  const step = undoing.step ?? left.at(-1) ?? null;
  const src = step?.undo.src ?? '';
  const isUnknown = step !== null && !Object.hasOwn(actors, src);
  const unknown = { code: 'SrcUnknown', message: `this version of the file undoes nothing by ${src}` };
  return { ...undoing, step, isOver: step === null, ...(isUnknown && { failure: unknown }) };
}

function workOf({ step, failure, of }: UndoContext, id: string): Invocation | undefined {
  if (!step) return undefined;
  const own = `${id}.${step.id}`;
  if (!failure) return { id: own, subscriptions: [], ...step.undo, step: step.number };
  const { code, message } = failure;
  const question = `${step.id} could not be undone: ${withCode(code, message)}`;
  return {
    id: `${own}.failed`,
    src: 'ask',
    subscriptions: [],
    input: { of, question, fields: NOT_UNDONE_FIELDS },
  };
}
