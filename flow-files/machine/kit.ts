// What the parts of a machine are made with.
import type { ExpressionFailure } from '../expressions/failure.ts';
import type { Template } from '../expressions/template.ts';
import type { FlowFile, Json, JsonObject } from '../flow-file.ts';
import type { FlowOfProcess } from './start.ts';

/** The machine's context: what was given at the start beside what the file calls its context. */
export interface FlowContext {
  readonly input: Json;
  readonly flow: FlowOfProcess;
  readonly context: JsonObject;
}

/** When something is evaluated: what xstate hands to guards, actions and mappers. */
export interface Moment {
  readonly context: FlowContext;
  readonly event: { readonly type: string };
}

export interface Kit {
  readonly file: FlowFile;
  /** Within the budget of the step; throws an ExpressionFailure. */
  evaluate(run: Template, moment: Moment): Json;
  /** Notes a failure that is about to be thrown: xstate keeps only the message of what a guard throws. */
  failed(failure: ExpressionFailure): ExpressionFailure;
  now(): number;
}
