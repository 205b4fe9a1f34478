// `src: each`: does the same for every item of a list, some at once. It is a part of the process with a state of its own. It is
// done when every item has ended, or enough of them have; if more fail than it tolerates, it fails itself. Those that still run
// then are cancelled, and it waits for their ends.
import type { AnyActorLogic, EventObject } from 'xstate';
import { type Around, type PartLogic, partLogic, type Turn } from '../../../engine/actor-kinds.ts';
import { instantText } from '../duration.ts';
import type { Scope } from '../expressions/expression.ts';
import { ExpressionFailure, expressionFailureIn } from '../expressions/failure.ts';
import { eachEnvironments } from '../expressions/language.ts';
import { template } from '../expressions/template.ts';
import { bounds, type InvokeData, type Json, type JsonObject } from '../flow-file.ts';
import {
  attemptsOf,
  CANCEL_INVOKE,
  type EachRules,
  type ErrorView,
  errorView,
  type FlowContext,
  type Invocation,
  jsonBytes,
  type Kit,
} from './kit.ts';
import { checkQuestion } from './question.ts';

/** An `each` as it stands in the file. */
export interface EachData {
  readonly of: Json;
  readonly atOnce?: Json;
  readonly tolerate?: Json;
  readonly enough?: Json;
  readonly keep?: Json;
  readonly do: Pick<InvokeData, 'src' | 'input' | 'retry' | 'within'>;
}

/** How it begins: `of`, `atOnce` and `tolerate` of the file are evaluated. */
interface EachStart {
  readonly items: readonly Json[];
  readonly atOnce: number;
  /** Null: however many fail. */
  readonly tolerate: number | null;
  /** Events of its items that the file listens for, and its own ones: `failed`. */
  readonly hears: readonly string[];
}

export interface EachContext extends EachStart {
  /** That of its invoke when it began. Its items keep ids with it when a new definition calls it by another. */
  readonly id: string;
  /** The index of the item that begins next. */
  readonly next: number;
  /** The indexes of those that run. */
  readonly open: readonly number[];
  readonly done: readonly { readonly index: number; readonly output: Json }[];
  readonly failed: readonly { readonly index: number; readonly error: ErrorView }[];
  /** Those that it has cancelled. */
  readonly left: readonly number[];
  /** Bytes as JSON of what is kept of the items that have ended. */
  readonly bytes: number;
  /** Why no further item begins, though not all have begun. */
  readonly ending?: 'enough' | { readonly code: string; readonly message: string };
}

const DEFAULT_AT_ONCE = 10;

/** Its own events, without the id of the invoke. */
export const itemEvents: readonly string[] = ['done', 'failed'];

const PREFIX = 'each ';

/** What the machine calls the actor: it goes on in a new definition that does the same with its items. */
export const eachName = (src: string): string => PREFIX + src;

/** What is done with the items, by that name; undefined: it is another actor. */
export const srcInName = (name: unknown): string | undefined =>
  typeof name === 'string' && name.startsWith(PREFIX) ? name.slice(PREFIX.length) : undefined;

export const eachOf = ({ src, input }: InvokeData): EachData | undefined =>
  src === 'each' ? (input as unknown as EachData) : undefined;

export function eachRules({ do: work, keep, enough }: EachData, path: string): EachRules {
  const { src, input = {} } = work;
  // The answer's part that a call keeps is an expression over the answer.
  const { keep: kept, ...asked } =
    src === 'call' ? (input as JsonObject) : ({} as JsonObject & { keep?: Json });
  const given = template(src === 'call' ? asked : input, `${path}.do.input`, {
    environment: eachEnvironments.do,
  });
  return {
    src,
    path,
    written: input,
    more: attemptsOf(work),
    input: (scope, budget) => {
      const value = given(scope, budget);
      return kept === undefined ? value : { ...(value as JsonObject), keep: kept };
    },
    keep:
      keep === undefined ? undefined : template(keep, `${path}.keep`, { environment: eachEnvironments.keep }),
    enough:
      enough === undefined
        ? undefined
        : template(enough, `${path}.enough`, { environment: eachEnvironments.enough }),
  };
}

/** Throws an ExpressionFailure if the file gives it something that is no list, or no number. */
export function eachBeginning(
  { of, atOnce = DEFAULT_AT_ONCE, tolerate = 0 }: JsonObject,
  { written, path, kit, hears }: { written: JsonObject; path: string; kit: Kit; hears: readonly string[] },
): Json {
  const wrong = (
    field: string,
    reason: string,
    code: 'ExpressionFailed' | 'ValueTooLarge' = 'ExpressionFailed',
  ) =>
    kit.failed(
      new ExpressionFailure({ code, path: `${path}.${field}`, expression: String(written[field]), reason }),
    );
  if (!Array.isArray(of)) throw wrong('of', 'it gives no list, expected one');
  const items = of as readonly Json[];
  if (items.length > bounds.items)
    throw wrong('of', `it gives ${items.length} items, expected at most ${bounds.items}`, 'ValueTooLarge');
  if (!isCount(atOnce) || atOnce < 1 || atOnce > bounds.atOnce)
    throw wrong('atOnce', `it gives ${JSON.stringify(atOnce)}, expected a number from 1 to ${bounds.atOnce}`);
  if (tolerate !== 'all' && !isCount(tolerate))
    throw wrong('tolerate', `it gives ${JSON.stringify(tolerate)}, expected a whole number, or all`);
  const start: EachStart = { items, atOnce, tolerate: tolerate === 'all' ? null : tolerate, hears };
  return start as unknown as Json;
}

const isCount = (value: Json | undefined): value is number => Number.isInteger(value) && Number(value) >= 0;

/** @param logic what is done with each item */
export function eachLogic(logic: AnyActorLogic, src: string, kit: Kit): PartLogic {
  const turn = (
    each: EachContext,
    event: EventObject,
    { id, context }: Around,
    change: Change,
  ): Turn<EachContext> => {
    const process = context as FlowContext;
    const args: ChangeArgs = { event, id, rules: kit.eachById.get(id) as EachRules, process, kit };
    const { now, begun, cancelled, sent } = kit.beside(() => applied(each, change, args));
    const calls = begun.map((input) => ({ id: input.id, input }));
    return { state: now, calls, cancelled, told: sent, ...(isOver(now) && { end: endOf(now) }) };
  };
  return partLogic<EachContext>({
    name: eachName(src),
    logicOf: () => logic,
    begin: (input, around) => {
      const start = (input as Invocation).input as unknown as EachStart;
      const first = { ...start, id: around.id, next: 0, open: [], done: [], failed: [], left: [], bytes: 0 };
      return turn(first, { type: 'xstate.init' }, around, (each) => each);
    },
    take: (each, event, around) => turn(each, event, around, changeBy(event)),
  });
}

function changeBy({ type }: EventObject): Change {
  if (type.startsWith('xstate.done.actor.')) return withOutput;
  if (type.startsWith('xstate.error.actor.')) return withError;
  if (type === CANCEL_INVOKE)
    return (each) => ({ ...each, ending: { code: 'Cancelled', message: 'it was cancelled' } });
  return (each) => each;
}

function endOf(each: EachContext): { readonly output: unknown } | { readonly error: unknown } {
  const { ending } = each;
  const output = resultOf(each);
  return typeof ending === 'object' ? { error: { ...ending, details: [{ detail: output }] } } : { output };
}

interface AnyEvent extends EventObject {
  readonly output?: Json;
  readonly error?: unknown;
  /** The item that has ended. */
  readonly actorId?: string;
}

interface ChangeArgs {
  readonly event: AnyEvent;
  /** The id of the invoke. */
  readonly id: string;
  readonly rules: EachRules;
  /** As it is now. */
  readonly process: FlowContext | undefined;
  readonly kit: Kit;
}

const isOver = ({ open, next, items, ending }: EachContext): boolean =>
  open.length === 0 && (ending !== undefined || next === items.length);

const resultOf = ({ items, done, failed, left, next }: EachContext) => ({
  done: done.map((each) => ({ ...each, item: items[each.index] ?? null })).sort(byIndex),
  failed: failed.map((each) => ({ ...each, item: items[each.index] ?? null })).sort(byIndex),
  left: [...left, ...items.keys()]
    .flatMap((index, place) =>
      place < left.length || index >= next ? [{ index, item: items[index] ?? null }] : [],
    )
    .sort(byIndex),
});

const byIndex = (one: { index: number }, other: { index: number }): number => one.index - other.index;

type Change = (each: EachContext, args: ChangeArgs) => EachContext;

/** What one event leads to. */
interface ChangeResult {
  readonly now: EachContext;
  readonly begun: readonly Invocation[];
  /** Ids of items that are to end early. */
  readonly cancelled: readonly string[];
  /** For the process. */
  readonly sent: readonly EventObject[];
}

function applied(before: EachContext, change: Change, args: ChangeArgs): ChangeResult {
  const begun: Invocation[] = [];
  const now = begunNext(ended(change(before, args), args), args, begun);
  const isEnding = now.ending !== undefined && before.ending === undefined;
  return {
    now,
    begun,
    sent: heard(now, before, args),
    cancelled: isEnding ? now.open.map((index) => `${now.id}.${index}`) : [],
  };
}

/** Begins as many as may run at once. An item whose input cannot be made has failed. */
function begunNext(each: EachContext, args: ChangeArgs, begun: Invocation[]): EachContext {
  let now = each;
  while (now.ending === undefined && now.open.length < now.atOnce && now.next < now.items.length) {
    // Whoever hears of the end must be able to do something.
    const budget = args.kit.budget();
    if (!budget.isEnoughForAnItem) {
      const { code, message } = errorView(budget.exceeded(true));
      return { ...now, ending: { code, message } };
    }
    const index = now.next;
    now = { ...now, next: index + 1 };
    const made = inputOfItem(now, index, args);
    if ('error' in made) now = ended(withFailure(now, index, made.error), args);
    else {
      begun.push({
        id: `${now.id}.${index}`,
        src: args.rules.src,
        input: made.input,
        hears: now.hears.filter((heard) => !itemEvents.includes(heard)),
        ...args.rules.more,
      });
      now = { ...now, open: [...now.open, index] };
    }
  }
  return now;
}

function inputOfItem(
  { items }: EachContext,
  index: number,
  { rules: { src, path, written, input }, process, kit }: ChangeArgs,
): { readonly input: Json } | { readonly error: ErrorView } {
  const budget = kit.budget();
  budget.refill();
  try {
    budget.take(OF_AN_ITEM);
    const value = input(scopeIn(process, kit, { item: items[index] ?? null, index }), budget);
    // Its failure is that of the item: `kit` is not asked to keep it for the step.
    const own = { ...kit, failed: (failure: ExpressionFailure) => failure };
    if (src === 'ask') checkQuestion(value as JsonObject, written as JsonObject, `${path}.do.input`, own);
    return { input: value };
  } catch (error) {
    return { error: failureView(error) };
  }
}

const scopeIn = (process: FlowContext | undefined, kit: Kit, more: Scope): Scope => ({
  input: process?.input ?? null,
  context: process?.context ?? {},
  flow: process?.flow ?? {},
  now: instantText(kit.now()),
  ...more,
});

/** Throws whatever is no failure of the file. */
function failureView(error: unknown): ErrorView {
  const failure = expressionFailureIn(error);
  if (!failure) throw error;
  return errorView(failure);
}

/** The units of beginning an item, which may fail: to make an error takes longer than to begin one. */
const OF_AN_ITEM = 50;

const indexOf = (actorId: string | undefined): number => Number(actorId?.slice(actorId.lastIndexOf('.') + 1));

function withOutput(each: EachContext, { event, rules, process, kit }: ChangeArgs): EachContext {
  const index = indexOf(event.actorId);
  const { items, open } = each;
  const now = { ...each, open: open.filter((other) => other !== index) };
  let output = event.output ?? null;
  const budget = kit.budget();
  budget.refill();
  try {
    if (rules.keep)
      output = rules.keep(scopeIn(process, kit, { item: items[index] ?? null, index, output }), budget);
  } catch (error) {
    return withFailure(now, index, failureView(error));
  }
  const bytes = each.bytes + jsonBytes(output);
  if (bytes > bounds.outcomesBytes) return withFailure(now, index, tooLarge(rules));
  return { ...now, bytes, done: [...each.done, { index, output }] };
}

const tooLarge = ({ path }: EachRules): ErrorView =>
  failureView(
    new ExpressionFailure({
      code: 'ValueTooLarge',
      path: `${path}.keep`,
      reason: `what the items give has more than ${bounds.outcomesBytes} bytes together`,
    }),
  );

function withError(each: EachContext, { event }: ChangeArgs): EachContext {
  const index = indexOf(event.actorId);
  const now = { ...each, open: each.open.filter((other) => other !== index) };
  // Whatever it says now, it is over because of the others.
  if (each.ending !== undefined) return { ...now, left: [...each.left, index] };
  return withFailure(now, index, errorView(event.error));
}

/** Only the first of many failures have more than a code and a message. */
function withFailure(
  each: EachContext,
  index: number,
  { code, message, status, detail }: ErrorView,
): EachContext {
  const view = { code, message: message.slice(0, 200), status, detail };
  const bytes = each.bytes + jsonBytes(view);
  const error = bytes > bounds.outcomesBytes ? { code, message: '', status, detail: null } : view;
  return { ...each, bytes, failed: [...each.failed, { index, error }] };
}

/** Whether that was enough, or too many have failed. */
function ended(each: EachContext, { rules: { enough }, process, kit }: ChangeArgs): EachContext {
  const { ending, failed, tolerate, done, items } = each;
  if (ending !== undefined) return each;
  if (tolerate !== null && failed.length > tolerate) {
    const [first] = failed;
    const which = `the first was item ${first?.index}: ${first?.error.code}`;
    const message = `${failed.length} of ${items.length} items failed, expected at most ${tolerate}; ${which}`;
    return { ...each, ending: { code: 'ItemsFailed', message } };
  }
  if (!enough || done.length + failed.length === 0) return each;
  const budget = kit.budget();
  budget.refill();
  try {
    // All of them are gathered each time.
    budget.take(items.length + done.length + failed.length);
    const is = enough(scopeIn(process, kit, resultOf(each)), budget);
    if (typeof is === 'number' ? done.length >= is : is === true) return { ...each, ending: 'enough' };
    if (typeof is === 'number' || typeof is === 'boolean') return each;
    throw new ExpressionFailure({
      code: 'ExpressionFailed',
      path: 'enough',
      reason: `it gives ${JSON.stringify(is)}, expected true, false or a number`,
    });
  } catch (error) {
    const { code, message } = failureView(error);
    return { ...each, ending: { code, message } };
  }
}

/** What the process hears: of an item that has ended, with how many have so far, and what the flow of an item sends. */
function heard(now: EachContext, before: EachContext, { event, id }: ChangeArgs): EventObject[] {
  const { hears, items } = now;
  const isHeard = (type: string) => hears.some((pattern) => pattern === '*' || pattern === type);
  const counts = { done: now.done.length, failed: now.failed.length };
  const ended = (what: 'done' | 'failed') =>
    isHeard(what)
      ? now[what]
          .slice(before[what].length)
          .map((each) => ({ ...each, type: `${id}.${what}`, item: items[each.index] ?? null, ...counts }))
      : [];
  const index = before.open.find((open) => event.type.startsWith(`${before.id}.${open}.`));
  const forwarded =
    index === undefined
      ? []
      : [
          {
            ...event,
            type: `${id}${event.type.slice(`${before.id}.${index}`.length)}`,
            index,
            item: items[index] ?? null,
          },
        ];
  return [...ended('done'), ...ended('failed'), ...forwarded];
}
