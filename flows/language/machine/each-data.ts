// An `each` as a file has it: what it does with each item, by which rules, how it begins, and what is known of it.
import { ExpressionFailure } from '../expressions/failure.ts';
import { eachEnvironments } from '../expressions/language.ts';
import { template } from '../expressions/template.ts';
import { bounds, type InvokeData, type Json, type JsonObject } from '../flow-file.ts';
import {
  attemptsOf,
  type EachRules,
  type ErrorView,
  inputTemplate,
  type MachineRuntime,
} from './machine-runtime.ts';

/** An `each` as it stands in the file. */
export interface EachData {
  readonly of: Json;
  readonly atOnce?: Json;
  readonly tolerate?: Json;
  readonly enough?: Json;
  readonly title?: Json;
  readonly keep?: Json;
  readonly do: Pick<InvokeData, 'src' | 'input' | 'retry' | 'within'>;
}

/** How it begins: `of`, `atOnce` and `tolerate` of the file are evaluated. */
export interface EachStart {
  readonly items: readonly Json[];
  readonly atOnce: number;
  /** Null: however many fail. */
  readonly tolerate: number | null;
  /** Events of its items that the file listens for, and its own ones: `failed`. */
  readonly subscriptions: readonly string[];
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
  /** What people call those that run, by their indexes. */
  readonly titles?: Readonly<Record<number, string>>;
  /** Bytes as JSON of what is kept of the items that have ended. */
  readonly bytes: number;
  /** Why no further item begins, though not all have begun. */
  readonly ending?: 'enough' | { readonly code: string; readonly message: string };
}

const DEFAULT_AT_ONCE = 10;

/** Its own events, without the id of the invoke. */
export const itemEvents: readonly string[] = ['done', 'failed'];

/** The events of its items, among those of an `each` that a file listens for. */
export const itemSubscriptions = (subscriptions: readonly string[]): readonly string[] =>
  subscriptions.filter((each) => !itemEvents.includes(each));

const PREFIX = 'each ';

/** What the machine calls the actor: it goes on in a new definition that does the same with its items. */
export const eachName = (src: string): string => PREFIX + src;

/** What is done with the items, by that name; undefined: it is another actor. */
export const srcInName = (name: unknown): string | undefined =>
  typeof name === 'string' && name.startsWith(PREFIX) ? name.slice(PREFIX.length) : undefined;

export const eachOf = ({ src, input }: InvokeData): EachData | undefined =>
  src === 'each' ? (input as unknown as EachData) : undefined;

export function eachRules({ do: work, title, keep, enough }: EachData, path: string): EachRules {
  const { src, input = {} } = work;
  return {
    src,
    path,
    written: input,
    more: attemptsOf(work),
    input: inputTemplate(src, input, `${path}.do.input`, { environment: eachEnvironments.do }),
    title:
      title === undefined
        ? undefined
        : template(title, `${path}.title`, { environment: eachEnvironments.do }),
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
  {
    written,
    path,
    runtime,
    subscriptions,
  }: { written: JsonObject; path: string; runtime: MachineRuntime; subscriptions: readonly string[] },
): Json {
  const wrong = (
    field: string,
    reason: string,
    code: 'ExpressionFailed' | 'ValueTooLarge' = 'ExpressionFailed',
  ) =>
    runtime.failed(
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
  const start: EachStart = { items, atOnce, tolerate: tolerate === 'all' ? null : tolerate, subscriptions };
  return start as unknown as Json;
}

const isCount = (value: Json | undefined): value is number => Number.isInteger(value) && Number(value) >= 0;
