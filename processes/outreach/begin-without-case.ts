// Begins what is sent outside and no process has. What is about one place or shipment has one id in Temporal, so that two people who send
// it at the same time do not both do it.
import { createHash, randomUUID } from 'node:crypto';
import { WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError } from '@temporalio/client';
import type { Attribution } from '../../contract/flows/attribution.ts';
import { internalIds } from '../../contract/flows/internal-ids.ts';
import { OUTREACH_DELIVERY, type Outreach, type OutreachBegun } from '../../contract/flows/outreach.ts';
import { withSubjects } from '../../contract/flows/search-attributes.ts';
import { t } from '../../shared/texts/text.ts';
import type { CommandError } from '../outcome.ts';
import { type CommandContext, callTemporal, type TemporalContext } from '../temporal-context.ts';

interface WithoutCase {
  /** The same again, as the last one, is the same request; absent: it is another one. */
  readonly request: string | undefined;
  /** Its name in the memo, and what it keeps there, with the id of the request. */
  readonly memo: readonly ['mechanic' | 'message', Attribution];
  readonly subjects: readonly string[];
  /** The error while another one is on its way. */
  isUnderWay(by: string): CommandError;
}

type Sent<Kind> = Kind extends Outreach ? Pick<Kind, 'kind' | 'fields'> : never;

/** @param delivery the id of its workflow. Throws CommandError. */
export async function beginWithoutCase(
  commandContext: CommandContext,
  delivery: string,
  outreach: Sent<Outreach>,
  { request = randomUUID(), memo: [name, memo], subjects, isUnderWay }: WithoutCase,
): Promise<OutreachBegun> {
  const last = async () =>
    (await lastDelivery(commandContext, delivery))?.memo[name] as Partial<Kept> | undefined;
  if ((await last())?.request === request) return { delivery };
  const sent = { id: `${delivery}/${request}`, key: null, at: new Date().toISOString(), ...outreach };
  try {
    await callTemporal(commandContext, () =>
      commandContext.client.workflow.start(OUTREACH_DELIVERY, {
        taskQueue: commandContext.taskQueue,
        workflowId: delivery,
        args: [sent satisfies Outreach],
        memo: { [name]: { ...memo, request } },
        typedSearchAttributes: [withSubjects(subjects)],
        workflowIdConflictPolicy: 'FAIL',
        workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      }),
    );
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    const running = await last();
    if (running?.request !== request) throw isUnderWay(running?.by ?? t`somebody`);
  }
  return { delivery };
}

interface Kept {
  readonly request: string;
  readonly by: string;
}

/** @param about the place or the shipment */
export const deliveryIdOf = (about: unknown): string =>
  `${internalIds.outreach}${createHash('sha256').update(JSON.stringify(about)).digest('base64url')}`;

interface LastDelivery {
  readonly runId: string;
  readonly startTime: Date;
  readonly memo: Readonly<Record<string, unknown>>;
}

/** Undefined: Temporal knows none. */
export async function lastDelivery(
  { client }: Pick<TemporalContext, 'client'>,
  id: string,
): Promise<LastDelivery | undefined> {
  try {
    const { runId, startTime, memo = {} } = await client.workflow.getHandle(id).describe();
    return { runId, startTime, memo };
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return undefined;
    throw error;
  }
}
