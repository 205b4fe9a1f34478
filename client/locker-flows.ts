// The outside door of the flows: starts one by its business key, at most once, and gives its handle.
import { type Client, WorkflowExecutionAlreadyStartedError, WorkflowIdReusePolicy } from '@temporalio/client';
import { type FlowType, TASK_QUEUE } from '../contract/flows/flow-types.ts';
import { checkInput, type InputOf, type ResultOf } from './flow-contract.ts';
import { BusinessKeyInUse } from './flow-errors.ts';
import { FlowHandle } from './flow-handle.ts';
import { isSameInput, startedWith } from './started-with.ts';

export interface LockerFlowsOptions {
  readonly taskQueue?: string;
}

export class LockerFlows {
  readonly #client: Client;
  readonly #taskQueue: string;

  constructor(client: Client, { taskQueue = TASK_QUEUE }: LockerFlowsOptions = {}) {
    this.#client = client;
    this.#taskQueue = taskQueue;
  }

  /**
   * The workflow id is the caller's business key. The same key and input again give the running process, or the one that
   * came to its result; after a refusal or a cancellation they start anew. With other input it is BusinessKeyInUse.
   */
  async start<Type extends FlowType>(
    type: Type,
    workflowId: string,
    input: InputOf<Type>,
  ): Promise<FlowHandle<ResultOf<Type>>> {
    checkInput(type, input);
    try {
      await this.#client.workflow.start(type, {
        workflowId,
        taskQueue: this.#taskQueue,
        args: [input],
        // A closed process that booked is its key's answer for ever; one that booked nothing is not.
        workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE_FAILED_ONLY,
        staticSummary: `${type} ${workflowId}`,
        ...searchAttributesOf(input),
      });
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
      await this.#assertSame(type, workflowId, input);
    }
    return this.handle<Type>(workflowId);
  }

  handle<Type extends FlowType>(workflowId: string): FlowHandle<ResultOf<Type>> {
    return new FlowHandle(this.#client.workflow.getHandle(workflowId));
  }

  async #assertSame(type: FlowType, workflowId: string, input: unknown): Promise<void> {
    const before = await startedWith(this.#client, workflowId);
    if (before.workflowType !== type)
      throw new BusinessKeyInUse(workflowId, `a process of type ${before.workflowType}`);
    if (!isSameInput(before.input, input))
      throw new BusinessKeyInUse(workflowId, `a flow ${type} that was started with other input`);
  }
}

/** The prior's callbacks may come before the booking has answered: by this the receiver finds the flow from the start. */
function searchAttributesOf(input: object): { searchAttributes?: Record<string, string[]> } {
  const request: unknown = 'request' in input ? input.request : null;
  if (typeof request !== 'object' || request === null || !('priorShipmentUid' in request)) return {};
  return { searchAttributes: { LockerShipmentUids: [String(request.priorShipmentUid)] } };
}
