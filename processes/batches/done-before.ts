// Whether a process has been asked already, by its history: a request whose answer was lost, or whose worker has died, may have been
// done. Asked again under the same update id it would be the same update, but only within one run of the same process: by then it may
// have ended, gone on as another run, or another deadline may end first.
import type { Client } from '@temporalio/client';
import type { temporal } from '@temporalio/proto';
import { decoded } from '../../client/started-with.ts';
import type { BatchRequest } from '../../contract/flows/batches.ts';
import type { ProcessCommand } from '../commands/command.ts';
import { CommandError, type Outcome } from '../outcome.ts';
import { type CommandContext, callTemporal } from '../temporal-context.ts';
import { bookingFlows } from '../views/progress.ts';

type Event = temporal.api.history.v1.IHistoryEvent;

/** Undefined: it has not. */
export async function doneBefore(
  commandContext: CommandContext,
  command: ProcessCommand<unknown, unknown>,
  key: string,
  request: BatchRequest,
): Promise<Outcome<unknown> | undefined> {
  if (command.doneSince) {
    const value = await command.doneSince(commandContext, key, request.since);
    return value === undefined ? undefined : { done: true, value };
  }
  for (const workflowId of await askedBy(commandContext, command, key)) {
    const events = await eventsOf(commandContext, workflowId, request.since);
    const outcome = await updateIn(commandContext.client, command, { workflowId, events }, request);
    if (outcome) return outcome;
  }
  return undefined;
}

/** The process, and where the command goes to one that it has started, those too. */
async function askedBy(
  commandContext: CommandContext,
  { keyOf }: ProcessCommand<unknown, unknown>,
  key: string,
): Promise<readonly string[]> {
  if (keyOf === undefined) return [key];
  const flows = await bookingFlows(commandContext, key);
  return [...new Set([key, ...flows.map((flow) => flow.key)])];
}

/** Those of its newest run, and of the runs before it that were open since. */
async function eventsOf(
  commandContext: CommandContext,
  workflowId: string,
  since: number,
): Promise<readonly Event[]> {
  const all: Event[] = [];
  for (let runId: string | undefined, isFirst = true; isFirst || runId; isFirst = false) {
    const handle = commandContext.client.workflow.getHandle(workflowId, runId);
    const { events } = await callTemporal(commandContext, () => handle.fetchHistory());
    all.push(...(events ?? []));
    const began = events?.[0];
    const before = began?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId;
    runId = millisecondsOf(began) >= since ? (before ?? undefined) : undefined;
  }
  return all;
}

async function updateIn(
  client: Client,
  { resultOf }: ProcessCommand<unknown, unknown>,
  { workflowId, events }: { readonly workflowId: string; readonly events: readonly Event[] },
  { updateId }: BatchRequest,
): Promise<Outcome<unknown> | undefined> {
  const accepted = events.find(
    ({ workflowExecutionUpdateAcceptedEventAttributes: update }) =>
      update?.acceptedRequest?.meta?.updateId === updateId,
  )?.workflowExecutionUpdateAcceptedEventAttributes;
  if (!accepted) return undefined;
  const outcome = events.find(
    ({ workflowExecutionUpdateCompletedEventAttributes: update }) => update?.meta?.updateId === updateId,
  )?.workflowExecutionUpdateCompletedEventAttributes?.outcome;
  if (!outcome) return refused('unreachable', 'NoAnswer', 'it was asked, and has not answered yet');
  if (outcome.failure) {
    const { applicationFailureInfo, message } = outcome.failure;
    return refused('refused', applicationFailureInfo?.type || 'UpdateFailed', message ?? '');
  }
  const update = await decoded(client, accepted.acceptedRequest?.input?.args?.payloads?.[0]);
  const answer = await decoded(client, outcome.success?.payloads?.[0]);
  return { done: true, value: resultOf?.(update as never, answer as never, workflowId) ?? null };
}

const refused = (kind: 'refused' | 'unreachable', code: string, message: string): Outcome<never> => ({
  done: false,
  error: new CommandError(kind, code, message),
});

const millisecondsOf = (event: Event | undefined): number =>
  Number(event?.eventTime?.seconds ?? 0) * 1_000 + (event?.eventTime?.nanos ?? 0) / 1_000_000;
