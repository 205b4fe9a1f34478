// A separate workflow as an actor of the chart: started as a child, stopped with the state that invoked it.
import type { ChildWorkflowOptions } from '@temporalio/workflow';
import type { PromiseActorLogic } from 'xstate';
import { neverRun } from './activity-call.ts';

export interface ChildWorkflowCall<Input> {
  /** The workflow's type. */
  readonly workflow: string;
  options(input: Input): ChildWorkflowOptions;
  /** What the workflow gets; the actor's input if not given. */
  argument?(input: Input): unknown;
}

export type ChildWorkflowLogic<Output, Input> = PromiseActorLogic<Output, Input> & {
  readonly child: ChildWorkflowCall<Input>;
};

/** A workflow by its type: it gets the invoke's input, its result is the output, and events sent to it are its signals. */
export function childWorkflow<Output = unknown, Input = unknown>(
  name: string,
  options: ChildWorkflowOptions | ((input: Input) => ChildWorkflowOptions) = {},
): ChildWorkflowLogic<Output, Input> {
  const optionsOf = typeof options === 'function' ? options : () => options;
  return { ...neverRun<Output, Input>(name), child: { workflow: name, options: optionsOf } };
}

export function isChildWorkflowLogic(logic: unknown): logic is ChildWorkflowLogic<unknown, unknown> {
  return typeof logic === 'object' && logic !== null && 'child' in logic;
}
