// Cancels a process: it undoes what it has booked, and ends. Temporal keeps who asked for it and why with the request, in the
// process's own history.
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { processCommand } from './command.ts';

export const cancel = processCommand({
  ...{ name: 'cancel', why: 'optional', input: z.strictObject({}), asked: () => ['cancel'] },
  async act({ client, by, why }, key): Promise<null> {
    await client.workflowService.requestCancelWorkflowExecution({
      ...{ namespace: client.options.namespace, workflowExecution: { workflowId: key } },
      ...{ requestId: randomUUID(), identity: client.options.identity },
      reason: why?.trim() ? `${by}: ${why.trim()}` : by,
    });
    return null;
  },
  did: () => 'cancellation asked for',
});
