// `src: each`: does the same for every item of a list, some at once. It is an inline actor. It is
// done when every item has ended, or enough of them have; if more fail than it tolerates, it fails itself. Those that still run
// then are cancelled, and it waits for their ends.

import type { AnyActorLogic, EventObject } from 'xstate';
import {
  type InlineActorLogic,
  type InvokeContext,
  inlineActorLogic,
  type StepResult,
} from '../../../engine/inline-actor.ts';
import { instantText } from '../duration.ts';
import type { Scope } from '../expressions/expression.ts';
import { ExpressionFailure, expressionFailureIn } from '../expressions/failure.ts';
import type { Template } from '../expressions/template.ts';
import { bounds, type Json, type JsonObject } from '../flow-file.ts';
import { titleOfItem } from '../item-title.ts';
import { jsonBytes } from '../json-bytes.ts';
import { withCalendarDeadlines } from './book-input.ts';
import { type EachContext, type EachStart, eachName, itemSubscriptions } from './each-data.ts';
import {
  CANCEL_INVOKE,
  type EachRules,
  errorView,
  type FlowContext,
  type Invocation,
  type MachineRuntime,
} from './machine-runtime.ts';
import { checkQuestion } from './question.ts';

/** @param logic what is done with each item */
export function eachLogic(logic: AnyActorLogic, src: string, runtime: MachineRuntime): InlineActorLogic {
  const turn = (each: EachContext, event: AnyEvent, around: InvokeContext) =>
    runtime.beside(() => new EachStep(each, around, runtime).turn(event));
  return inlineActorLogic<EachContext>({
    name: eachName(src),
    logicOf: () => logic,
    begin: (input, around) => {
      const start = (input as Invocation).input as unknown as EachStart;
      const first = { ...start, id: around.id, next: 0, open: [], done: [], failed: [], left: [], bytes: 0 };
      return turn(first, { type: 'xstate.init' }, around);
    },
    take: (each, event, around) => turn(each, event, around),
  });
}

interface AnyEvent extends EventObject {
  readonly output?: Json;
  readonly error?: unknown;
  /** The item that has ended. */
  readonly actorId?: string;
}

/** The units of beginning an item, which may fail: to make an error takes longer than to begin one. */
const OF_AN_ITEM = 50;

/** One event, and all that follows from it. */
class EachStep {
  readonly #before: EachContext;
  #now: EachContext;
  /** The id of the invoke today; after a migration it may not be the one with which it began. */
  readonly #id: string;
  readonly #rules: EachRules;
  readonly #process: FlowContext;
  readonly #runtime: MachineRuntime;

  constructor(each: EachContext, { id, context }: InvokeContext, runtime: MachineRuntime) {
    this.#before = each;
    this.#now = each;
    this.#id = id;
    this.#rules = runtime.eachById.get(id) as EachRules;
    this.#process = context as FlowContext;
    this.#runtime = runtime;
  }

  turn(event: AnyEvent): StepResult<EachContext> {
    if (event.type === CANCEL_INVOKE) this.#end('Cancelled', 'it was cancelled');
    else if (event.type.startsWith('xstate.done.actor.'))
      this.#takeOutput(indexOf(event), event.output ?? null);
    else if (event.type.startsWith('xstate.error.actor.')) this.#takeError(indexOf(event), event.error);
    this.#endIfDecided();
    const begun = this.#beginNext();
    const now = this.#now;
    const isEnding = now.ending !== undefined && this.#before.ending === undefined;
    return {
      state: now,
      calls: begun.map((input) => ({ id: input.id, input })),
      cancelled: isEnding ? now.open.map((index) => `${now.id}.${index}`) : [],
      events: this.#events(event),
      ...(isOver(now) && { end: endOf(now) }),
    };
  }

  #set(changed: Partial<EachContext>): void {
    this.#now = { ...this.#now, ...changed };
  }

  #end(code: string, message: string): void {
    this.#set({ ending: { code, message } });
  }

  #itemAt(index: number): Json {
    return this.#now.items[index] ?? null;
  }

  /** Within what one step may do. A failure of the file is that of the item: it is not kept for the step of the process. */
  #evaluated(run: Template, more: Scope, units = 0): Json | Error {
    const { input = null, context = {}, flow = {} } = this.#process;
    const { calendars } = this.#runtime;
    const budget = this.#runtime.budget();
    budget.refill();
    try {
      budget.take(units);
      return run({ input, context, flow, now: instantText(this.#runtime.now()), calendars, ...more }, budget);
    } catch (error) {
      return failureIn(error);
    }
  }

  #close(index: number): void {
    const { open, titles } = this.#now;
    this.#set({ open: open.filter((other) => other !== index) });
    if (titles)
      this.#set({
        titles: Object.fromEntries(Object.entries(titles).filter(([each]) => Number(each) !== index)),
      });
  }

  #takeOutput(index: number, given: Json): void {
    const { bytes, done } = this.#now;
    this.#close(index);
    const { keep } = this.#rules;
    const output = keep ? this.#evaluated(keep, { item: this.#itemAt(index), index, output: given }) : given;
    const isFailure = output instanceof Error;
    const all = bytes + (isFailure ? 0 : jsonBytes(output));
    if (isFailure) this.#fail(index, output);
    else if (all <= bounds.outcomesBytes) this.#set({ bytes: all, done: [...done, { index, output }] });
    else this.#fail(index, tooLarge(this.#rules));
  }

  #takeError(index: number, error: unknown): void {
    const { left, ending } = this.#now;
    this.#close(index);
    // Whatever it says now, it is over because of the others.
    if (ending !== undefined) this.#set({ left: [...left, index] });
    else this.#fail(index, error);
  }

  /** Only the first of many failures have more than a code and a message. */
  #fail(index: number, failure: unknown): void {
    const { code, message, status, detail } = errorView(failure);
    const view = { code, message: message.slice(0, 200), status, detail };
    const bytes = this.#now.bytes + jsonBytes(view);
    const error = bytes > bounds.outcomesBytes ? { code, message: '', status, detail: null } : view;
    this.#set({ bytes, failed: [...this.#now.failed, { index, error }] });
  }

  /** Whether that was enough, or too many have failed. */
  #endIfDecided(): void {
    const { ending, failed, tolerate, done, items } = this.#now;
    const { enough } = this.#rules;
    if (ending !== undefined) return;
    if (tolerate !== null && failed.length > tolerate) {
      const [first] = failed;
      const title = first && this.#titleOf(first.index);
      const which = `the first was ${title ?? `item ${first?.index}`}: ${first?.error.code}`;
      this.#end(
        'ItemsFailed',
        `${failed.length} of ${items.length} items failed, expected at most ${tolerate}; ${which}`,
      );
    } else if (enough && done.length + failed.length > 0) this.#endIfEnough(enough);
  }

  #endIfEnough(enough: Template): void {
    const { done, failed, items } = this.#now;
    // All of them are gathered each time.
    const is = this.#evaluated(enough, resultOf(this.#now), items.length + done.length + failed.length);
    if (typeof is === 'number' ? done.length >= is : is === true) this.#set({ ending: 'enough' });
    if (typeof is === 'number' || typeof is === 'boolean') return;
    const failure =
      is instanceof Error
        ? is
        : new ExpressionFailure({
            code: 'ExpressionFailed',
            path: 'enough',
            reason: `it gives ${JSON.stringify(is)}, expected true, false or a number`,
          });
    const { code, message } = errorView(failure);
    this.#end(code, message);
  }

  /** Begins as many as may run at once. An item whose input cannot be made has failed. */
  #beginNext(): Invocation[] {
    const begun: Invocation[] = [];
    const { id, subscriptions, atOnce, items } = this.#now;
    while (
      this.#now.ending === undefined &&
      this.#now.open.length < atOnce &&
      this.#now.next < items.length
    ) {
      // Whoever hears of the end must be able to do something.
      const budget = this.#runtime.budget();
      if (!budget.isEnoughForAnItem) {
        const { code, message } = errorView(budget.exceeded(true));
        this.#end(code, message);
        break;
      }
      const index = this.#now.next;
      this.#set({ next: index + 1 });
      const input = this.#inputOf(index);
      if (input instanceof Error) {
        this.#fail(index, input);
        this.#endIfDecided();
        continue;
      }
      const { src, more } = this.#rules;
      const heard = itemSubscriptions(subscriptions);
      const title = this.#titleOf(index);
      const named = title === undefined ? {} : { itemTitle: title };
      begun.push({ id: `${id}.${index}`, src, input, subscriptions: heard, ...more, ...named });
      this.#set({
        open: [...this.#now.open, index],
        ...(title !== undefined && { titles: { ...this.#now.titles, [index]: title } }),
      });
    }
    return begun;
  }

  /** One that cannot be told is none: the item is done all the same. */
  #titleOf(index: number): string | undefined {
    const { title } = this.#rules;
    return title && titleOfItem(this.#evaluated(title, { item: this.#itemAt(index), index }));
  }

  #inputOf(index: number): Json | Error {
    const { src, path, written, input } = this.#rules;
    const value = this.#evaluated(input, { item: this.#itemAt(index), index }, OF_AN_ITEM);
    if (value instanceof Error) return value;
    try {
      const own = { ...this.#runtime, failed: (failure: ExpressionFailure) => failure };
      if (src === 'book') return withCalendarDeadlines(value, `${path}.do.input`, own);
      if (src !== 'ask') return value;
      checkQuestion(value as JsonObject, written as JsonObject, `${path}.do.input`, own);
      return value;
    } catch (error) {
      return failureIn(error);
    }
  }

  /** What the process receives: of an item that has ended, with how many have so far, and what the flow of an item sends. */
  #events(event: AnyEvent): EventObject[] {
    const [before, now, id] = [this.#before, this.#now, this.#id];
    const counts = { done: now.done.length, failed: now.failed.length };
    const ended = (what: 'done' | 'failed') =>
      now.subscriptions.includes('*') || now.subscriptions.includes(what)
        ? now[what]
            .slice(before[what].length)
            .map((each) => ({ ...each, type: `${id}.${what}`, item: this.#itemAt(each.index), ...counts }))
        : [];
    const index = before.open.find((open) => event.type.startsWith(`${before.id}.${open}.`));
    if (index === undefined) return [...ended('done'), ...ended('failed')];
    const type = `${id}${event.type.slice(`${before.id}.${index}`.length)}`;
    const forwarded = { ...event, type, index, item: this.#itemAt(index) };
    return [...ended('done'), ...ended('failed'), forwarded];
  }
}

const tooLarge = ({ path }: EachRules) =>
  new ExpressionFailure({
    code: 'ValueTooLarge',
    path: `${path}.keep`,
    reason: `what the items give has more than ${bounds.outcomesBytes} bytes together`,
  });

const indexOf = ({ actorId = '' }: AnyEvent): number => Number(actorId.slice(actorId.lastIndexOf('.') + 1));

/** Throws whatever is no failure of the file. */
function failureIn(error: unknown): ExpressionFailure {
  const failure = expressionFailureIn(error);
  if (!failure) throw error;
  return failure;
}

const isOver = ({ open, next, items, ending }: EachContext): boolean =>
  open.length === 0 && (ending !== undefined || next === items.length);

function endOf(each: EachContext): { readonly output: unknown } | { readonly error: unknown } {
  const { ending } = each;
  const output = resultOf(each);
  return typeof ending === 'object' ? { error: { ...ending, details: [{ detail: output }] } } : { output };
}

function resultOf({ items, done, failed, left, next }: EachContext) {
  const withItem = <Each extends { readonly index: number }>(all: readonly Each[]) =>
    all
      .map((each) => ({ ...each, item: items[each.index] ?? null }))
      .sort((one, other) => one.index - other.index);
  const notBegun = [...items.keys()].slice(next);
  return {
    done: withItem(done),
    failed: withItem(failed),
    left: withItem([...left, ...notBegun].map((index) => ({ index }))),
  };
}
