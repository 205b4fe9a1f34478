// What can be done to a process, as the process itself says it (query `actions`): asked, and its verdict on one command. It
// costs no event of its history, and needs a worker.
import { QueryNotRegisteredError, type WorkflowHandle } from '@temporalio/client';
import type { ActionAsked, Actions, ActionVerdict } from '../contract/flows/actions.ts';
import { type AtTemporal, answered } from './at-temporal.ts';

/** Null: it runs on workers of an earlier release, which cannot say it. */
export const actionsOf = (
  temporal: Pick<AtTemporal, 'client'>,
  workflowId: string,
): Promise<Actions | null> => asked<Actions>(temporal, workflowId, {});

/** With `progress`, unless its workers cannot say both at once. Null as above. */
export const actionsAndProgressOf = (
  temporal: Pick<AtTemporal, 'client'>,
  workflowId: string,
  withinMs: number,
): Promise<Actions | null> => asked<Actions>(temporal, workflowId, { withProgress: true }, withinMs);

/** Whether it takes exactly this now, and what follows. Null as above: then only doing it shows whether it does. */
export const verdictOf = (
  temporal: Pick<AtTemporal, 'client'>,
  workflowId: string,
  about: ActionAsked & { readonly command: NonNullable<ActionAsked['command']> },
): Promise<ActionVerdict | null> => asked<ActionVerdict>(temporal, workflowId, about);

async function asked<Answer>(
  temporal: Pick<AtTemporal, 'client'>,
  workflowId: string,
  about: ActionAsked,
  withinMs?: number,
): Promise<Answer | null> {
  const handle = temporal.client.workflow.getHandle(workflowId);
  const at = new Date().toISOString();
  try {
    const ask = () => handle.query<Answer, [ActionAsked]>('actions', { at, ...about });
    return await answered(temporal, ask, withinMs);
  } catch (error) {
    if (!(error instanceof QueryNotRegisteredError) || (await hasActions(handle))) throw error;
    return null;
  }
}

/** Temporal answers alike to a query that a process does not have and to one that fails. */
async function hasActions(handle: WorkflowHandle): Promise<boolean> {
  const { definition } = await handle.query<Described>('__temporal_workflow_metadata');
  return definition?.queryDefinitions?.some(({ name }) => name === 'actions') ?? false;
}

/** temporal.api.sdk.v1.WorkflowMetadata, as far as it is read here. */
interface Described {
  readonly definition?: { readonly queryDefinitions?: readonly { readonly name?: string }[] };
}
