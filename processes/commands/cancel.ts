// Cancels a process: it undoes what it has booked, and ends. Temporal keeps who asked for it and why with the request, in the
// process's own history.
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { attributionOf } from '../at-temporal.ts';
import { processCommand } from './command.ts';

export const cancel = processCommand({
  ...{ name: 'cancel', why: 'optional', input: z.strictObject({}), asked: () => ['cancel'] },
  async act(acting, key): Promise<null> {
    const { client } = acting;
    await client.workflowService.requestCancelWorkflowExecution({
      ...{ namespace: client.options.namespace, workflowExecution: { workflowId: key } },
      ...{ requestId: randomUUID(), identity: client.options.identity },
      reason: JSON.stringify(attributionOf(acting)),
    });
    return null;
  },
  did: () => 'cancellation asked for',
});
