// Sends an event by correlation: to the processes that have its keys, and to the flow files that start by it.
import { randomUUID } from 'node:crypto';
import { type Client, WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import type { Attribution } from '../../contract/flows/attribution.ts';
import { clockIssues, type FlowClock } from '../../contract/flows/flow-input.ts';
import { ContractError } from '../../contract/wire/contract-error.ts';
import { correlatedEvent } from '../../flows/language/correlation.ts';
import type { Json } from '../../flows/language/flow-file.ts';
import { outlookOf, sendCorrelated } from '../../shared/routing/correlation-queues.ts';
import { BusinessKeyInUse } from '../flow-errors.ts';
import type { ProcessStarter } from '../process-starter.ts';
import { startedWith } from '../started-with.ts';
import type { EventChecks } from './event-checks.ts';
import { type PublishedStart, startsBy } from './event-starts.ts';

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

interface SendingParts {
  readonly client: Client;
  readonly taskQueue: string;
  readonly checks: EventChecks;
  readonly starter: ProcessStarter;
}

/** As `LockerFlows.sendEvent` says. */
export async function sendEvent(parts: SendingParts, event: EventToSend): Promise<EventSent> {
  const { client, taskQueue, checks } = parts;
  const { who, where, clock, keepAnyway = false, requireStart, asksQueue = false, ...given } = event;
  const id = event.id ?? randomUUID();
  const { type, data = null } = given;
  // Its type and its data are checked in any case.
  const checked = correlatedEvent({ ...given, where: where ?? { start: true } });
  if (Array.isArray(checked)) throw new ContractError('InvalidRequest', checked);
  requireClock(clock);
  if (where === undefined) requireNotKept(event);
  const starts = await startsBy(client, { type, id, data });
  if (where === undefined && starts.length === 0)
    throw new ContractError('InvalidRequest', [{ field: 'where', message: NOBODY_STARTS }]);
  for (const { flow } of starts) requireStart?.(flow);
  const flows =
    where === undefined ? [] : await checks.requireTaken(checked, keepAnyway || starts.length > 0);
  const outlook = where !== undefined && asksQueue ? await outlookOf(client, { ...checked, id }) : null;
  // It is queued before these processes begin to listen, and names their flows: none gets the event that has started it.
  if (where !== undefined)
    await sendCorrelated(client, taskQueue, {
      ...{ ...checked, id, ...(who && { who }) },
      ...(starts.length > 0 && { starts: starts.map(({ flow }) => flow) }),
    });
  const started = await allDone(starts.map((start) => startBy(parts, start, { clock, who })));
  const { processes = null, isRepeated = null } = outlook ?? {};
  return { id, flows, processes, isRepeated, started };
}

/** A repeated event, or another one with the same key, starts nothing, whatever became of the process. */
async function startBy(
  { client, starter }: SendingParts,
  { flow, key, request, published }: PublishedStart,
  { clock, who }: { readonly clock: FlowClock | undefined; readonly who: Attribution | undefined },
): Promise<StartedByEvent> {
  try {
    await starter.startNew(
      { name: flow, published },
      key,
      { request, ...(clock && { clock }) },
      { who, isOnce: true },
    );
    return { flow, key, isNew: true };
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    const { workflowType } = await startedWith(client, key);
    if (workflowType !== flow) throw new BusinessKeyInUse(key, `a process of type ${workflowType}`);
    return { flow, key, isNew: false };
  }
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
