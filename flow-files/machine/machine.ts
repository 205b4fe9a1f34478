// Turns a flow file into an xstate machine, for the driver and for the player of `try` and `test`. It is pure, and runs in
// the workflow sandbox.
import { type AnyActorLogic, type AnyStateMachine, createMachine, fromPromise } from 'xstate';
import { enclosed } from '../../driver/xstate-internals.ts';
import { Budget } from '../expressions/budget.ts';
import type { Scope } from '../expressions/expression.ts';
import { ExpressionFailure, expressionFailureIn } from '../expressions/failure.ts';
import { instantText } from '../expressions/moments.ts';
import { type Template, template } from '../expressions/template.ts';
import { bounds, type FlowFile, type Json, type JsonObject, listOf, type StateData } from '../flow-file.ts';
import { contextFailure } from './context.ts';
import { delaysOf } from './delays.ts';
import type { FlowContext, Kit } from './kit.ts';
import { scopeOf } from './scope.ts';
import type { FlowStart } from './start.ts';
import { stateConfig } from './states.ts';

export interface MachineOptions {
  /** Milliseconds since 1970: the time of the workflow, or of the player. */
  readonly now?: () => number;
}

/**
 * `actors` gives the logic for each `src` that the file invokes (a flow, an operation, `ask`, `call`). The logic's input is
 * an `Invocation`. If the file does something wrong while it runs, `transition` throws an ExpressionFailure; in the first
 * step the failure is the snapshot's error. The step is not taken then.
 */
export function machineOf(
  file: FlowFile,
  actors: (src: string) => AnyActorLogic,
  { now = Date.now }: MachineOptions = {},
): AnyStateMachine {
  const watch = new Watch();
  const kit: Kit = {
    file,
    now,
    evaluate: (run, moment) => watch.evaluate(run, scopeOf(moment, instantText(now()))),
    failed: (failure) => watch.failed(failure),
  };
  const first = template(file.context ?? {}, 'context');
  const config = {
    id: file.name,
    ...stateConfig(file, [], kit),
    context: ({ input }: { readonly input: FlowStart }): FlowContext => {
      const begun: FlowContext = { ...input, context: {} };
      return {
        ...begun,
        context: kit.evaluate(first, { context: begun, event: { type: 'xstate.init' } }) as JsonObject,
      };
    },
    options: { maxIterations: bounds.microsteps },
  };
  const implementations = { actors: actorsOf(file, actors), delays: delaysOf(file, kit) };
  return guarded(createMachine(config as object, implementations as never), watch);
}

/** For its drawing: what it invokes does nothing. */
export const idleMachineOf = (file: FlowFile): AnyStateMachine =>
  machineOf(file, () => fromPromise(async () => undefined));

function actorsOf(file: StateData, actors: (src: string) => AnyActorLogic): Record<string, AnyActorLogic> {
  return Object.fromEntries([...new Set(invokedIn(file))].map((src) => [src, actors(src)]));
}

function invokedIn({ invoke, states = {} }: StateData): string[] {
  return [...listOf(invoke).map(({ src }) => src), ...Object.values(states).flatMap(invokedIn)];
}

/** Holds every step to the bounds. */
class Watch {
  readonly #budget = new Budget();
  /** The first failure of the step: of an error that a guard throws, xstate keeps only the message. */
  #failure: ExpressionFailure | undefined;
  #depth = 0;

  evaluate(run: Template, scope: Scope): Json {
    try {
      return run(scope, this.#budget);
    } catch (error) {
      throw error instanceof ExpressionFailure ? this.failed(error) : error;
    }
  }

  failed(failure: ExpressionFailure): ExpressionFailure {
    this.#failure ??= failure;
    return failure;
  }

  /** Runs a step, or asks a guard outside of a step. */
  within<Result>(run: () => Result): Result {
    if (this.#depth === 0) {
      this.#budget.refill();
      this.#failure = undefined;
    }
    this.#depth++;
    try {
      return run();
    } catch (error) {
      throw this.asFailure(error);
    } finally {
      this.#depth--;
    }
  }

  asFailure(error: unknown): unknown {
    const known = expressionFailureIn(error) ?? this.#failure;
    if (known) return known;
    if (!(error instanceof Error) || !/infinite loop/i.test(error.message)) return error;
    return new ExpressionFailure({
      code: 'TooManySteps',
      path: '',
      reason: `one event leads to more than ${bounds.microsteps} steps`,
    });
  }
}

function guarded(machine: AnyStateMachine, watch: Watch): AnyStateMachine {
  return enclosed(machine, {
    next: (from, step) =>
      watch.within(() => {
        const next = step();
        const failure = next.context === from.context ? undefined : contextFailure(next.context);
        if (failure) throw failure;
        return next;
      }),
    // If the first step fails, xstate does not throw: it puts the error into the snapshot.
    first: (step) =>
      watch.within(() => {
        const first = step();
        const error = first.status === 'error' ? watch.asFailure(first.error) : contextFailure(first.context);
        return error === undefined ? first : { ...first, status: 'error', error };
      }),
    ask: (guards) => watch.within(guards),
  });
}
