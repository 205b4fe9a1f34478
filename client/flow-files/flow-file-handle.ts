// One process of a flow file: a flow like others, and besides it is answered, told events, and decided about.
import type { WorkflowHandle } from '@temporalio/client';
import type { OutsideEvent } from '../../workflows/flow-files/definition.ts';
import type { FlowFileProgress } from '../../workflows/flow-files/picture.ts';
import type { Answer } from '../../workflows/flow-files/questions.ts';
import { FlowHandle } from '../flow-handle.ts';

export type { QuestionField } from '../../flow-files/machine/question.ts';
export type { FlowFileStart } from '../../workflows/flow-files/flow-file-process.ts';
export type { OpenQuestion } from '../../workflows/flow-files/questions.ts';
export type { Answer, FlowFileProgress, OutsideEvent };

/** Who decides, and why; both are kept in the history. */
export interface Decided {
  readonly by: string;
  readonly why: string;
}

export class FlowFileHandle extends FlowHandle<unknown, FlowFileProgress> {
  readonly #workflow: WorkflowHandle;

  constructor(handle: WorkflowHandle) {
    super(handle);
    this.#workflow = handle;
  }

  /** Throws UpdateRefused where no such question is open, or the answer does not fit its fields. */
  answer(answer: Answer): Promise<void> {
    return this.update('answer', answer);
  }

  /** Each `id` counts once. An event that no state takes changes nothing. */
  async tell(event: OutsideEvent): Promise<void> {
    await this.#workflow.signal('event', event);
  }

  /** Of a process that stands still: drops the event whose step cannot be taken. */
  dropEvent(decided: Decided): Promise<void> {
    return this.update('dropEvent', decided);
  }

  /** Of a process that stands still: cancels what it has begun, and fails. */
  giveUp(decided: Decided): Promise<void> {
    return this.update('giveUp', decided);
  }
}
