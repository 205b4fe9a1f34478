// The outside door of the flows: starts one by its business key, at most once, and gives its handle.

import { randomUUID } from 'node:crypto';
import {
  type Client,
  WorkflowExecutionAlreadyStartedError,
  WorkflowIdReusePolicy,
  type WorkflowOptions,
} from '@temporalio/client';
import type { Attribution } from '../contract/flows/attribution.ts';
import { clockIssues, type FlowClock } from '../contract/flows/flow-input.ts';
import { type FlowType, flowTypes, isBuiltIn, TASK_QUEUE } from '../contract/flows/flow-types.ts';
import { checkBusinessKey } from '../contract/flows/internal-ids.ts';
import type { FlowMemo, MovedFrom, StartedAgainAfter } from '../contract/flows/search-attributes.ts';
import { ContractError } from '../contract/wire/contract-error.ts';
import type { Capability } from '../contract/wire/service-profile.ts';
import { correlatedEvent } from '../flows/language/correlation.ts';
import type { FlowFile, Json } from '../flows/language/flow-file.ts';
import type { EventStart } from '../flows/language/reading/event-start.ts';
import { inputIssues, unknownStartFields } from '../flows/language/reading/input-schema.ts';
import type { CurrentVersion, PublishResult } from '../flows/language/registry.ts';
import { shownAsText } from '../shared/markdown/shown-as-text.ts';
import { outlookOf, sendCorrelated } from '../shared/routing/correlation-queues.ts';
import type { FlowFileStart } from '../workflows/flow-files/process-definition.ts';
import { checkInput, type InputOf, type ResultOf } from './flow-contract.ts';
import { BusinessKeyInUse, KeyNotFree } from './flow-errors.ts';
import type { FlowFileText } from './flow-files/check-texts.ts';
import { EventChecks } from './flow-files/event-checks.ts';
import { startsBy } from './flow-files/event-starts.ts';
import { FlowFileHandle } from './flow-files/flow-file-handle.ts';
import { FlowNotPublished } from './flow-files/flow-not-published.ts';
import { checkedFiles, publishFiles, publishVersion, type TextChecks } from './flow-files/publish.ts';
import { publishedFlow, publishedFlows } from './flow-files/published-flows.ts';
import { FlowHandle } from './flow-handle.ts';
import { type FlowSchemas, schemasOfBuiltIn, schemasOfFile } from './flow-schemas.ts';
import { consoleLink } from './sign-in-links.ts';
import { actedAttribute, searchAttributesOf } from './start-attributes.ts';
import { isSameInput, startedWith } from './started-with.ts';

export type { Capability, FlowSchemas };

export interface LockerFlowsOptions {
  readonly taskQueue?: string;
  /** The address of the web console: Temporal's Web UI then links each process that is started to its page there. */
  readonly consoleUrl?: string | undefined;
  /**
   * What the locker service offers beyond the interface (the LOCKER_CAPABILITIES of the workers). With it, `start` refuses
   * what that service cannot do; without it, the flow itself refuses it.
   */
  readonly lockerCapabilities?: readonly Capability[] | undefined;
  /** The id of the one update that these flows are made for: repeated with the same id, it takes effect once. */
  readonly updateId?: string | undefined;
  /** The id of who starts processes, as their memo keeps it. */
  readonly startedBy?: string | undefined;
  /** Who reads and checks flow files: a server gives it to a thread. By default this thread does. */
  readonly textChecks?: TextChecks | undefined;
  /** A server shares one among all requests, so that they share what it has read. */
  readonly eventChecks?: EventChecks | undefined;
}

/** An event by correlation. */
export interface EventToSend {
  readonly type: string;
  /** The keys that a process must have, and their values. Without them the event only starts processes (`starts` of a file). */
  readonly where?: Readonly<Record<string, string | number | boolean>>;
  readonly data?: Json;
  /** Without one, each call sends another event. */
  readonly id?: string;
  /** ISO 8601, at most P30D. */
  readonly keepFor?: string;
  /** The processes keep it with the event. */
  readonly who?: Attribution;
  /** What the time of the processes that it starts is: those that run keep their clock. The real time if not given. */
  readonly clock?: FlowClock;
  /** Also where no published flow listens for it: one may be published within `keepFor`. */
  readonly keepAnyway?: boolean;
  /** Throws for a flow that the sender may not start: then nothing is sent, and nothing starts. */
  readonly requireStart?: (flow: string) => void;
  /** Whether to ask its queue what it knows (`processes`, `isRepeated`), which takes 2 s where no worker answers. */
  readonly asksQueue?: boolean;
}

/** How an event by correlation was sent. */
export interface EventSent {
  readonly id: string;
  /** The published flows that listen for it under these keys; null: they could not be read. */
  readonly flows: readonly string[] | null;
  /** How many processes listened for it just before; null: not asked, or no worker has answered. */
  readonly processes: number | null;
  /** Its queue knew the id just before: the event takes effect once. Null: as `processes`, or it has no `where`. */
  readonly isRepeated: boolean | null;
  readonly started: readonly StartedByEvent[];
}

export interface StartedByEvent {
  readonly flow: string;
  readonly key: string;
  /** False: a process has the key already, or had it. It stays as it was started, whatever the data of the event. */
  readonly isNew: boolean;
}

/** Only an event for processes with certain keys waits for them. */
function requireNotKept(event: EventToSend): void {
  const kept = (['keepFor', 'keepAnyway'] as const).filter((field) => event[field] !== undefined);
  if (kept.length > 0)
    throw new ContractError(
      'InvalidRequest',
      kept.map((field) => ({
        field,
        message: 'needs where: an event that only starts processes waits for nobody',
      })),
    );
}

function requireClock(clock: unknown): void {
  const issues = clockIssues(clock);
  if (issues.length > 0) throw new ContractError('InvalidRequest', issues);
}

/** If one fails, the others are done all the same. */
async function allDone<Result>(attempts: readonly Promise<Result>[]): Promise<Result[]> {
  await Promise.allSettled(attempts);
  return await Promise.all(attempts);
}

const NOBODY_STARTS =
  'is missing, and no published flow file starts by this event; expected keys such as { "device": "laptop-7" }';

/** Where a process comes from, as its memo keeps it. */
interface Origin {
  readonly who: Attribution | undefined;
  readonly movedFrom?: MovedFrom | undefined;
  readonly startedAgainAfter?: StartedAgainAfter | undefined;
  /** The key is not free once a process has ended, in whatever way. */
  readonly isOnce?: true;
}

export class LockerFlows {
  readonly #client: Client;
  readonly #options: LockerFlowsOptions & { readonly taskQueue: string };
  readonly #events: EventChecks;

  /** Throws TypeError for a consoleUrl that is not a web address. */
  constructor(client: Client, options: LockerFlowsOptions = {}) {
    if (options.consoleUrl !== undefined) consoleLink(options.consoleUrl, '');
    this.#client = client;
    this.#events = options.eventChecks ?? new EventChecks(client);
    this.#options = { ...options, taskQueue: options.taskQueue ?? TASK_QUEUE };
  }

  /**
   * The workflow id is the caller's business key. A start with the same key and input gives the running process, or the
   * one with the result; after a refusal or a cancellation it starts a new process. With other input it throws
   * BusinessKeyInUse. It throws ContractError for a key that looks like one of lockerflow's own workflow ids. The process keeps
   * `who` has started it, and why, and which one it was moved from.
   */
  async start<Type extends FlowType>(
    type: Type,
    workflowId: string,
    input: InputOf<Type>,
    who?: Attribution,
    movedFrom?: MovedFrom,
  ): Promise<FlowHandle<ResultOf<Type>>> {
    checkBusinessKey(workflowId);
    this.check(type, input);
    await this.#begin(type, workflowId, input, { who, movedFrom });
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

  /** As `start`, for a published flow file: its request is checked by the file's own schema. */
  async startPublished(
    name: string,
    workflowId: string,
    input: FlowFileStart,
    who?: Attribution,
  ): Promise<FlowFileHandle> {
    checkBusinessKey(workflowId);
    await this.checkPublished(name, input);
    await this.#begin(name, workflowId, input, { who });
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
    await this.checkAny(flow, input);
    try {
      return await this.#startRun(flow, workflowId, input, { who, startedAgainAfter });
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
    await this.checkAny(flow, input);
    return await this.#begin(flow, workflowId, input, { who, isOnce: true });
  }

  /** `check` of a flow that is built in, `checkPublished` of any other. */
  async checkAny(flow: string, input: object): Promise<void> {
    if (isBuiltIn(flow)) this.check(flow, input);
    else await this.checkPublished(flow, input as FlowFileStart);
  }

  /** Throws FlowNotPublished, or ContractError (InvalidRequest), which names every wrong field. */
  async checkPublished(name: string, input: FlowFileStart): Promise<void> {
    const { file } = await this.publishedAs(name);
    const { request = {}, clock } = input;
    const issues = [
      ...unknownStartFields(file, input),
      ...clockIssues(clock),
      ...inputIssues(file.input, request),
    ];
    if (issues.length > 0) throw new ContractError('InvalidRequest', issues);
  }

  /**
   * An event for every process of a flow file that has the keys of `where` (its file's `correlate`) and listens for the type; each
   * gets it once; and it starts a process of each published file that has the type in its `starts`. It is kept for processes that
   * begin within `keepFor`, an hour unless given. When this resolves, Temporal has the event: neither a worker nor a process need run.
   * The same `id` again is the same event. Throws ContractError (InvalidRequest), also where no published flow listens for it or
   * starts by it, or none takes its data.
   */
  async sendEvent(event: EventToSend): Promise<EventSent> {
    const { who, where, clock, keepAnyway = false, requireStart, asksQueue = false, ...given } = event;
    const id = event.id ?? randomUUID();
    const { type, data = null } = given;
    // Its type and its data are checked in any case.
    const checked = correlatedEvent({ ...given, where: where ?? { start: true } });
    if (Array.isArray(checked)) throw new ContractError('InvalidRequest', checked);
    requireClock(clock);
    if (where === undefined) requireNotKept(event);
    const starts = await startsBy(this.#client, { type, id, data });
    if (where === undefined && starts.length === 0)
      throw new ContractError('InvalidRequest', [{ field: 'where', message: NOBODY_STARTS }]);
    for (const { flow } of starts) requireStart?.(flow);
    const flows =
      where === undefined ? [] : await this.#events.requireTaken(checked, keepAnyway || starts.length > 0);
    const outlook =
      where !== undefined && asksQueue ? await outlookOf(this.#client, { ...checked, id }) : null;
    // It is queued before these processes begin to listen, and names their flows: none gets the event that has started it.
    if (where !== undefined)
      await sendCorrelated(this.#client, this.#options.taskQueue, {
        ...{ ...checked, id, ...(who && { who }) },
        ...(starts.length > 0 && { starts: starts.map(({ flow }) => flow) }),
      });
    const started = await allDone(starts.map((start) => this.#startBy(start, { clock, who })));
    const { processes = null, isRepeated = null } = outlook ?? {};
    return { id, flows, processes, isRepeated, started };
  }

  /** A repeated event, or another one with the same key, starts nothing, whatever became of the process. */
  async #startBy(
    { flow, key, request }: EventStart,
    { clock, who }: { readonly clock: FlowClock | undefined; readonly who: Attribution | undefined },
  ): Promise<StartedByEvent> {
    try {
      await this.#startRun(flow, key, { request, ...(clock && { clock }) }, { who, isOnce: true });
      return { flow, key, isNew: true };
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
      const { workflowType } = await startedWith(this.#client, key);
      if (workflowType !== flow) throw new BusinessKeyInUse(key, `a process of type ${workflowType}`);
      return { flow, key, isNew: false };
    }
  }

  fileHandle(workflowId: string): FlowFileHandle {
    const handle = this.#client.workflow.getHandle(workflowId);
    return new FlowFileHandle(handle, this.#events, this.#options.updateId);
  }

  #kept(workflowId: string, origin: Origin): Pick<WorkflowOptions, 'staticDetails' | 'memo'> {
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

  /** Returns the id of the run. Throws WorkflowExecutionAlreadyStartedError where the key is not free. */
  async #startRun(type: string, workflowId: string, input: object, origin: Origin): Promise<string> {
    const { firstExecutionRunId } = await this.#client.workflow.start(type, {
      workflowId,
      taskQueue: this.#options.taskQueue,
      args: [input],
      // A process that has ended with a result keeps its key for ever; one without a result does not.
      workflowIdReusePolicy: origin.isOnce
        ? WorkflowIdReusePolicy.REJECT_DUPLICATE
        : WorkflowIdReusePolicy.ALLOW_DUPLICATE_FAILED_ONLY,
      staticSummary: `${shownAsText(type)} ${shownAsText(workflowId)}`,
      ...this.#kept(workflowId, origin),
      searchAttributes: { ...searchAttributesOf(input), ...actedAttribute(origin.who) },
    });
    return firstExecutionRunId;
  }

  /** Whether it is new. */
  async #begin(type: string, workflowId: string, input: object, origin: Origin): Promise<boolean> {
    try {
      await this.#startRun(type, workflowId, input, origin);
      return true;
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
      await this.#assertSame(type, workflowId, input);
      return false;
    }
  }

  /** @param runId of one that may have been started again since; the newest run if absent */
  handle<Type extends FlowType>(workflowId: string, runId?: string): FlowHandle<ResultOf<Type>> {
    return new FlowHandle(this.#client.workflow.getHandle(workflowId, runId), this.#options.updateId);
  }

  async #assertSame(type: string, workflowId: string, input: unknown): Promise<void> {
    const before = await startedWith(this.#client, workflowId);
    if (before.workflowType !== type)
      throw new BusinessKeyInUse(workflowId, `a process of type ${before.workflowType}`);
    if (!isSameInput(before.input, input))
      throw new BusinessKeyInUse(workflowId, `a flow ${type} that was started with other input`);
  }
}
