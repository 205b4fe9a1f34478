// What can be done to a process, as the process itself says it (query `actions`), and whether it takes one command now. It costs
// no event of its history, and needs a worker.

import { queried } from '../client/queried.ts';
import type { ActionRequest, Actions, ActionValidation } from '../contract/flows/actions.ts';
import type { TemporalContext } from './temporal-context.ts';

/** With `progress`, once the process has begun. */
export const actionsAndProgressOf = (
  temporal: Pick<TemporalContext, 'client'>,
  workflowId: string,
  withinMs: number,
): Promise<Actions> => asked<Actions>(temporal, workflowId, { withProgress: true }, withinMs);

/** Whether it takes exactly this now, and what follows. */
export const validationOf = (
  temporal: Pick<TemporalContext, 'client'>,
  workflowId: string,
  about: ActionRequest & { readonly command: NonNullable<ActionRequest['command']> },
): Promise<ActionValidation> => asked<ActionValidation>(temporal, workflowId, about);

async function asked<Answer>(
  { client }: Pick<TemporalContext, 'client'>,
  workflowId: string,
  about: ActionRequest,
  withinMs?: number,
): Promise<Answer> {
  const handle = client.workflow.getHandle(workflowId);
  const at = new Date().toISOString();
  return await queried(
    { client },
    () => handle.query<Answer, [ActionRequest]>('actions', { at, ...about }),
    withinMs,
  );
}
