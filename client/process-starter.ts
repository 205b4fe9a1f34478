// Starts a process by its business key, at most once. The process keeps where it comes from.
import {
  type Client,
  WorkflowExecutionAlreadyStartedError,
  WorkflowIdReusePolicy,
  type WorkflowOptions,
} from '@temporalio/client';
import type { Attribution } from '../contract/flows/attribution.ts';
import type { FlowMemo, MovedFrom, StartedAgainAfter } from '../contract/flows/search-attributes.ts';
import type { Published } from '../flows/language/registry.ts';
import { shownAsText } from '../shared/markdown/shown-as-text.ts';
import { BusinessKeyInUse } from './flow-errors.ts';
import { consoleLink } from './sign-in-links.ts';
import { actedAttribute, searchAttributesOf, versionAttribute } from './start-attributes.ts';
import { isSameInput, startedWith } from './started-with.ts';

/** The flow of a new process. */
export interface StartedFlow {
  readonly name: string;
  /** The version of the flow file that its input was checked by: it runs that one. Absent: its file comes with the workers. */
  readonly published?: Published | undefined;
}

/** Where a process comes from, as its memo keeps it. */
export interface Origin {
  readonly who: Attribution | undefined;
  readonly movedFrom?: MovedFrom | undefined;
  readonly startedAgainAfter?: StartedAgainAfter | undefined;
  /** The key is not free once a process has ended, in whatever way. */
  readonly isOnce?: true;
}

export interface StarterOptions {
  readonly taskQueue: string;
  /** The address of the web console: Temporal's Web UI then links each process that is started to its page there. */
  readonly consoleUrl?: string | undefined;
  /** The id of who starts processes, as their memo keeps it. */
  readonly startedBy?: string | undefined;
}

export class ProcessStarter {
  readonly #client: Client;
  readonly #options: StarterOptions;

  /** Throws TypeError for a consoleUrl that is not a web address. */
  constructor(client: Client, options: StarterOptions) {
    if (options.consoleUrl !== undefined) consoleLink(options.consoleUrl, '');
    this.#client = client;
    this.#options = options;
  }

  /** Returns the id of the run. Throws WorkflowExecutionAlreadyStartedError where the key is not free. */
  async startNew(
    { name, published }: StartedFlow,
    workflowId: string,
    input: object,
    origin: Origin,
  ): Promise<string> {
    const { firstExecutionRunId } = await this.#client.workflow.start(name, {
      workflowId,
      taskQueue: this.#options.taskQueue,
      // The second one is what a run hands over to the next.
      args: published ? [input, undefined, published] : [input],
      // A process that has ended with a result keeps its key for ever; one without a result does not.
      workflowIdReusePolicy: origin.isOnce
        ? WorkflowIdReusePolicy.REJECT_DUPLICATE
        : WorkflowIdReusePolicy.ALLOW_DUPLICATE_FAILED_ONLY,
      staticSummary: `${shownAsText(name)} ${shownAsText(workflowId)}`,
      ...this.#provenance(workflowId, origin),
      searchAttributes: {
        ...searchAttributesOf(input),
        ...versionAttribute(name, published),
        ...actedAttribute(origin.who),
      },
    });
    return firstExecutionRunId;
  }

  /** Starts it, or finds the one that has the key, with the same input. Says whether it is new. Throws BusinessKeyInUse. */
  async startOrFind(flow: StartedFlow, workflowId: string, input: object, origin: Origin): Promise<boolean> {
    try {
      await this.startNew(flow, workflowId, input, origin);
      return true;
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
      await this.#assertSame(flow.name, workflowId, input);
      return false;
    }
  }

  async #assertSame(type: string, workflowId: string, input: unknown): Promise<void> {
    const before = await startedWith(this.#client, workflowId);
    if (before.workflowType !== type)
      throw new BusinessKeyInUse(workflowId, `a process of type ${before.workflowType}`);
    if (!isSameInput(before.input, input))
      throw new BusinessKeyInUse(workflowId, `a flow ${type} that was started with other input`);
  }

  #provenance(workflowId: string, origin: Origin): Pick<WorkflowOptions, 'staticDetails' | 'memo'> {
    const { who, movedFrom, startedAgainAfter } = origin;
    const { startedBy, consoleUrl } = this.#options;
    const link = consoleUrl === undefined ? undefined : consoleLink(consoleUrl, workflowId);
    const memo: FlowMemo = {
      ...(link !== undefined && { consoleLink: link }),
      ...(startedBy !== undefined && { startedBy }),
      ...(who !== undefined && { who }),
      ...(movedFrom !== undefined && { movedFrom }),
      ...(startedAgainAfter !== undefined && { startedAgainAfter }),
    };
    return {
      ...(link !== undefined && { staticDetails: link }),
      ...(Object.keys(memo).length > 0 && { memo: { ...memo } }),
    };
  }
}
