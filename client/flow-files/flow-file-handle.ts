// One process of a flow file: like other flows, and people can answer its questions and send it events.
import type { WorkflowHandle } from '@temporalio/client';
import { ContractError } from '../../contract/wire/contract-error.ts';
import { dataProblem } from '../../flows/language/correlation.ts';
import type { Answer, ChangedTask } from '../../flows/language/machine/asked-question.ts';
import type { OutsideEvent } from '../../flows/language/machine/incoming.ts';
import type { FlowFileProgress } from '../../flows/language/machine/progress.ts';
import type { TaskChange } from '../../flows/language/machine/tasks.ts';
import { FlowHandle } from '../flow-handle.ts';
import type { EventChecks } from './event-checks.ts';

export type { OpenQuestion } from '../../flows/language/machine/asked-question.ts';
export type { QuestionField } from '../../flows/language/machine/question.ts';
export type { FlowFileStart } from '../../workflows/flow-files/process-definition.ts';
export type { Answer, ChangedTask, FlowFileProgress, OutsideEvent, TaskChange };

export class FlowFileHandle extends FlowHandle<unknown, FlowFileProgress> {
  readonly #workflow: WorkflowHandle;
  readonly #events: EventChecks;

  constructor(handle: WorkflowHandle, events: EventChecks, updateId?: string) {
    super(handle, updateId);
    this.#workflow = handle;
    this.#events = events;
  }

  /** Throws UpdateRefused if no such question is open, or if the answer does not fit its fields. */
  answer(answer: Answer): Promise<void> {
    return this.update('answer', answer);
  }

  /** From now on only `by` answers the question. Throws UpdateRefused if another person holds it, or if `by` may not. */
  claim(change: TaskChange): Promise<ChangedTask> {
    return this.update('claim', change);
  }

  /** Throws UpdateRefused if `by` does not hold the question. */
  release(change: TaskChange): Promise<ChangedTask> {
    return this.update('release', change);
  }

  /** Gives a question to a person, `to`, or to another inbox, `of`, whoever holds it now. */
  assign(change: TaskChange): Promise<ChangedTask> {
    return this.update('assign', change);
  }

  /**
   * Each `id` counts once. An event that no state takes changes nothing. Throws ContractError (InvalidRequest) if the data is too
   * large, or is not as the file of the process describes it.
   */
  async sendEvent(event: OutsideEvent): Promise<void> {
    const problem = dataProblem(event.data ?? null);
    if (problem !== undefined)
      throw new ContractError('InvalidRequest', [{ field: 'data', message: problem }]);
    await this.#events.requireFit(this.workflowId, event);
    await this.#workflow.signal('event', event);
  }
}
