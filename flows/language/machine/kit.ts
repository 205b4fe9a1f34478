// What every part of a machine needs to be built.
import type { Budget } from '../expressions/budget.ts';
import type { Calendar } from '../expressions/calendars.ts';
import type { ExpressionFailure } from '../expressions/failure.ts';
import type { Template } from '../expressions/template.ts';
import type { FlowFile, Json, JsonObject } from '../flow-file.ts';
import type { attemptsOf, FlowOfProcess, Invocation } from './start.ts';

/** The machine's context: the data of the start, and the context of the file. */
export interface FlowContext {
  readonly input: Json;
  readonly flow: FlowOfProcess;
  readonly context: JsonObject;
  /** The steps that are done and can be undone; absent before the first one. */
  readonly steps?: FinishedSteps;
  /** Set if the action `fail` has ended the process. */
  readonly failure?: FlowFailure;
}

/** A step that is done, and how it is undone: with the data that it had then. */
export interface FinishedStep {
  /** From 1, over the whole process. */
  readonly number: number;
  /** The id of the invoke that is done. */
  readonly id: string;
  readonly undo: Pick<Invocation, 'src' | 'input' | 'version' | 'retry' | 'within'>;
}

interface FinishedSteps {
  readonly count: number;
  /** Those that are not undone, in the order in which they were done. */
  readonly done: readonly FinishedStep[];
}

/** How the action `fail` lets a process end. */
export interface FlowFailure {
  readonly code: string;
  readonly message: string;
  readonly detail: Json;
}

/** The data of one evaluation, as xstate gives it to guards, actions and mappers. */
export interface Moment {
  readonly context: FlowContext;
  readonly event: { readonly type: string };
}

/** What is evaluated for each item. */
export interface EachRules {
  readonly src: string;
  /** Where the `each` is in the file. */
  readonly path: string;
  /** The input as it is written, for the messages about it. */
  readonly written: Json;
  /** How it is tried again, and on which version of its flow it begins. */
  readonly more: ReturnType<typeof attemptsOf> & Pick<Invocation, 'version'>;
  readonly input: Template;
  readonly keep: Template | undefined;
  readonly enough: Template | undefined;
}

export interface Kit {
  readonly file: FlowFile;
  readonly calendars: Readonly<Record<string, Calendar>>;
  /** The place of each invoke in the file, by its id. */
  readonly invokePaths: Map<string, string>;
  /** What each `each` does with its items, by the id of the invoke. */
  readonly eachById: Map<string, EachRules>;
  /** Evaluates within the budget of the step. Throws an ExpressionFailure if that fails. */
  evaluate(run: Template, moment: Moment): Json;
  /** Keeps a failure just before it is thrown: of an error that a guard throws, xstate keeps only the message. */
  failed(failure: ExpressionFailure): ExpressionFailure;
  /** The budget of the current step. */
  budget(): Budget;
  /** Runs a step of an actor of the process: within another step, at the expense of that one. */
  beside<Result>(run: () => Result): Result;
  now(): number;
}
