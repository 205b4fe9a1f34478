// Runs one process of a flow file on the engine, whether its file is published or comes with the workers.
import { ApplicationFailure, workflowInfo } from '@temporalio/workflow';
import type { Continued } from '../../engine/continued.ts';
import type { Definition } from '../../engine/definition/definition.ts';
import type { MovableClock } from '../../engine/temporal/movable-clock.ts';
import { Updates } from '../../engine/temporal/updates.ts';
import { processClock, runProcess } from '../../engine/temporal/workflow.ts';
import { expressionFailureIn } from '../../flows/language/expressions/failure.ts';
import type { FileMachines } from '../../flows/language/machine/file-machines.ts';
import { Registration } from '../../flows/language/machine/listening.ts';
import { Questions } from '../../flows/language/machine/questions.ts';
import { Work } from '../../flows/language/machine/work.ts';
import type { Published } from '../../flows/language/registry.ts';
import { clockOf } from '../sandbox-clock.ts';
import { Invocations } from './actors.ts';
import { listenToPeople } from './listen-to-people.ts';
import {
  type Carried,
  type FlowFileStart,
  type OneProcess,
  processDefinition,
} from './process-definition.ts';

interface RunOptions {
  readonly published: Published;
  readonly machines: FileMachines;
  readonly input: FlowFileStart;
  readonly continued: Continued | undefined;
  readonly updates?: Updates;
  readonly isShipped?: boolean;
  /** The definition as this kind of file has it. */
  adapted?(definition: Definition): Definition;
}

/** Begins before the first await, if its clock is known at once. */
export function runFile({
  published,
  machines,
  input,
  continued,
  updates = new Updates(),
  isShipped = false,
  adapted = (definition) => definition,
}: RunOptions): Promise<unknown> {
  const { workflowType, workflowId, firstExecutionRunId } = workflowInfo();
  const { invoked = {}, dropped, misfits, listening } = (continued?.carries ?? {}) as Partial<Carried>;
  const questions = new Questions();
  const { version } = published;
  const start = { flow: workflowType, version, input: input ?? {}, workflowId, firstExecutionRunId };
  const process: OneProcess = {
    questions,
    input,
    registration: new Registration(listening ?? null),
    invocations: new Invocations(invoked),
    work: new Work(() => Date.now()),
    machines,
    isShipped,
  };
  const run = (clock: MovableClock | null) => {
    const before = { putAside: { dropped, misfits }, isMigrated: continued?.migrations !== undefined };
    const definition = adapted(processDefinition(published, process, before));
    const ended = begun(() => runProcess(definition, start, { continued, clock, updates }));
    // Not before the process has asked its first questions, or taken up those of the former run.
    listenToPeople(questions, updates);
    updates.begin();
    return ended;
  };
  const clock = processClock(clockOf, start, continued);
  if (!(clock instanceof Promise)) return run(clock);
  updates.hold();
  return clock.then(run);
}

/** An error before the first step fails the process, so that its starter hears of it. */
function begun<Result>(begin: () => Result): Result {
  try {
    return begin();
  } catch (error) {
    const failure = expressionFailureIn(error);
    if (!failure) throw error;
    const { code, message, fault } = failure;
    throw ApplicationFailure.nonRetryable(message, code, fault);
  }
}
