// The outside door of the flows: starts one by its business key, at most once, and gives its handle.

import { type Client, WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import type { Attribution } from '../contract/flows/attribution.ts';
import { type FlowType, flowTypes, isBuiltIn, TASK_QUEUE } from '../contract/flows/flow-types.ts';
import { checkBusinessKey } from '../contract/flows/internal-ids.ts';
import type { MovedFrom, StartedAgainAfter } from '../contract/flows/search-attributes.ts';
import { ContractError } from '../contract/wire/contract-error.ts';
import type { Capability } from '../contract/wire/service-profile.ts';
import type { FlowFile } from '../flows/language/flow-file.ts';
import { startIssues } from '../flows/language/reading/start-issues.ts';
import { type CurrentVersion, type PublishResult, publishedOf } from '../flows/language/registry.ts';
import type { FlowFileStart } from '../workflows/flow-files/process-definition.ts';
import { checkInput, type InputOf, type ResultOf } from './flow-contract.ts';
import { KeyNotFree } from './flow-errors.ts';
import type { FlowFileText } from './flow-files/check-texts.ts';
import { EventChecks } from './flow-files/event-checks.ts';
import { FlowFileHandle } from './flow-files/flow-file-handle.ts';
import { FlowNotPublished } from './flow-files/flow-not-published.ts';
import { checkedFiles, publishFiles, publishVersion, type TextChecks } from './flow-files/publish.ts';
import { publishedFlow, publishedFlows } from './flow-files/published-flows.ts';
import { type EventSent, type EventToSend, type StartedByEvent, sendEvent } from './flow-files/send-event.ts';
import { FlowHandle } from './flow-handle.ts';
import { type FlowSchemas, schemasOfBuiltIn, schemasOfFile } from './flow-schemas.ts';
import { ProcessStarter, type StartedFlow, type StarterOptions } from './process-starter.ts';

export type { Capability, EventSent, EventToSend, FlowSchemas, StartedByEvent };

export interface LockerFlowsOptions extends Partial<StarterOptions> {
  /**
   * What the locker service offers beyond the interface (the LOCKER_CAPABILITIES of the workers). With it, `start` refuses
   * what that service cannot do; without it, the flow itself refuses it.
   */
  readonly lockerCapabilities?: readonly Capability[] | undefined;
  /** The id of the one update that these flows are made for: repeated with the same id, it takes effect once. */
  readonly updateId?: string | undefined;
  /** Who reads and checks flow files: a server gives it to a thread. By default this thread does. */
  readonly textChecks?: TextChecks | undefined;
  /** A server shares one among all requests, so that they share what it has read. */
  readonly eventChecks?: EventChecks | undefined;
}

export class LockerFlows {
  readonly #client: Client;
  readonly #options: LockerFlowsOptions & StarterOptions;
  readonly #events: EventChecks;
  readonly #starter: ProcessStarter;

  /** Throws TypeError for a consoleUrl that is not a web address. */
  constructor(client: Client, options: LockerFlowsOptions = {}) {
    this.#client = client;
    this.#options = { ...options, taskQueue: options.taskQueue ?? TASK_QUEUE };
    this.#events = options.eventChecks ?? new EventChecks(client);
    this.#starter = new ProcessStarter(client, this.#options);
  }

  /**
   * The workflow id is the caller's business key. A start with the same key and input gives the running process, or the
   * one with the result; after a refusal or a cancellation it starts a new process. With other input it throws
   * BusinessKeyInUse. It throws ContractError for a key that looks like one of lockerflow's own workflow ids. The process keeps
   * `who` has started it, and why.
   */
  async start<Type extends FlowType>(
    type: Type,
    workflowId: string,
    input: InputOf<Type>,
    who?: Attribution,
  ): Promise<FlowHandle<ResultOf<Type>>> {
    checkBusinessKey(workflowId);
    this.check(type, input);
    await this.#starter.startOrFind({ name: type }, workflowId, input, { who });
    return this.handle<Type>(workflowId);
  }

  /** As `start` does first. Throws ContractError (InvalidRequest), which names every wrong field. */
  check(type: FlowType, input: unknown): void {
    checkInput(type, input, this.#options.lockerCapabilities);
  }

  /**
   * Checks flow files (YAML or JSON), which may invoke each other, and publishes all of them, or none. `path` only names a
   * file in errors.
   * @throws FlowFilesRefused with all their errors
   */
  publish(files: readonly FlowFileText[]): Promise<PublishResult[]> {
    const { taskQueue, textChecks: checks } = this.#options;
    return publishFiles(this.#client, files, taskQueue, { checks });
  }

  /**
   * Takes back what was published since: new processes begin on this version again. Processes that run stay on theirs.
   * @throws FlowNotPublished, VersionUnknown
   */
  async publishVersion(name: string, version: number): Promise<PublishResult> {
    await this.publishedAs(name);
    return await publishVersion(this.#client, name, version, this.#options.taskQueue);
  }

  /**
   * As `publish` does first.
   * @throws FlowFilesRefused with all their errors
   */
  checkFiles(files: readonly FlowFileText[]): Promise<readonly FlowFile[]> {
    return checkedFiles(this.#client, files, { checks: this.#options.textChecks });
  }

  /** The current version of each published flow file: new processes begin on it. */
  published(): Promise<CurrentVersion[]> {
    return publishedFlows(this.#client);
  }

  /** Its current version. Throws FlowNotPublished, which names the nearest one. */
  async publishedAs(name: string): Promise<CurrentVersion> {
    const current = await publishedFlow(this.#client, name);
    if (!current) throw new FlowNotPublished(name, await this.published());
    return current;
  }

  /**
   * What the flow is given and gives, as JSON Schema: its input and its result. Of a published flow file the current version.
   * @throws as `publishedAs` does
   */
  async schemas(flow: string): Promise<FlowSchemas> {
    const builtIn = flowTypes.find((type) => type === flow);
    return builtIn ? schemasOfBuiltIn(builtIn) : schemasOfFile((await this.publishedAs(flow)).file);
  }

  /**
   * As `start`, for a published flow file: its request is checked by the file's own schema, and where its booking is the whole process,
   * the input as that of the built-in flow of its operation.
   */
  async startPublished(
    name: string,
    workflowId: string,
    input: FlowFileStart,
    who?: Attribution,
  ): Promise<FlowFileHandle> {
    checkBusinessKey(workflowId);
    const flow = await this.#checkedFile(name, input);
    await this.#starter.startOrFind(flow, workflowId, input, { who });
    return this.fileHandle(workflowId);
  }

  /**
   * Starts a new process of a flow, built in or published, and returns the id of its run. Unlike `start`, it gives no process that
   * there is already: one that runs, or has ended with a result, keeps its key. The process keeps what the start before came to.
   * @throws KeyNotFree, and as `check` and `checkPublished` do
   */
  async startNew(
    flow: string,
    workflowId: string,
    input: object,
    who?: Attribution,
    startedAgainAfter?: StartedAgainAfter,
  ): Promise<string> {
    checkBusinessKey(workflowId);
    const checked = await this.#checked(flow, input);
    try {
      return await this.#starter.startNew(checked, workflowId, input, { who, startedAgainAfter });
    } catch (cause) {
      if (!(cause instanceof WorkflowExecutionAlreadyStartedError)) throw cause;
      throw new KeyNotFree(workflowId, { cause });
    }
  }

  /**
   * Starts a process of a flow, built in or published, or finds the one that has the key with the same input: one that runs, or has
   * ended, in whatever way. So a request that is sent again late never books again. The answer says whether it is new.
   * @throws BusinessKeyInUse, and as `check` and `checkPublished` do
   */
  async startOrFind(flow: string, workflowId: string, input: object, who?: Attribution): Promise<boolean> {
    checkBusinessKey(workflowId);
    const checked = await this.#checked(flow, input);
    return await this.#starter.startOrFind(checked, workflowId, input, { who, isOnce: true });
  }

  /**
   * Starts the process of a flow, built in or published, that takes the place of another one, as `start` does. It keeps which one
   * that is.
   * @throws BusinessKeyInUse, and as `check` and `checkPublished` do
   */
  async startMoved(
    flow: string,
    workflowId: string,
    input: object,
    movedFrom: MovedFrom,
    who?: Attribution,
  ): Promise<void> {
    checkBusinessKey(workflowId);
    const checked = await this.#checked(flow, input);
    await this.#starter.startOrFind(checked, workflowId, input, { who, movedFrom });
  }

  /** `check` of a flow that is built in, `checkPublished` of any other. */
  async checkAny(flow: string, input: object): Promise<void> {
    await this.#checked(flow, input);
  }

  /** Throws FlowNotPublished, or ContractError (InvalidRequest), which names every wrong field. */
  async checkPublished(name: string, input: FlowFileStart): Promise<void> {
    await this.#checkedFile(name, input);
  }

  async #checked(flow: string, input: object): Promise<StartedFlow> {
    if (!isBuiltIn(flow)) return await this.#checkedFile(flow, input as FlowFileStart);
    this.check(flow, input);
    return { name: flow };
  }

  async #checkedFile(name: string, input: FlowFileStart): Promise<StartedFlow> {
    const current = await this.publishedAs(name);
    const issues = startIssues(current.file, input, this.#options.lockerCapabilities);
    if (issues.length > 0) throw new ContractError('InvalidRequest', issues);
    return { name, published: publishedOf(current) };
  }

  /**
   * An event for every process of a flow file that has the keys of `where` (its file's `correlate`) and listens for the type; each
   * gets it once; and it starts a process of each published file that has the type in its `starts`. It is kept for processes that
   * begin within `keepFor`, an hour unless given. When this resolves, Temporal has the event: neither a worker nor a process need run.
   * The same `id` again is the same event. Throws ContractError (InvalidRequest), also where no published flow listens for it or
   * starts by it, or none takes its data.
   */
  sendEvent(event: EventToSend): Promise<EventSent> {
    const parts = {
      client: this.#client,
      taskQueue: this.#options.taskQueue,
      checks: this.#events,
      starter: this.#starter,
    };
    return sendEvent(parts, event);
  }

  fileHandle(workflowId: string): FlowFileHandle {
    const handle = this.#client.workflow.getHandle(workflowId);
    return new FlowFileHandle(handle, this.#events, this.#options.updateId);
  }

  /** @param runId of one that may have been started again since; the newest run if absent */
  handle<Type extends FlowType>(workflowId: string, runId?: string): FlowHandle<ResultOf<Type>> {
    return new FlowHandle(this.#client.workflow.getHandle(workflowId, runId), this.#options.updateId);
  }
}
