// Cancels a process: it undoes what it has booked, and ends. Temporal keeps who asked for it and why with the request, in the
// process's own history.
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { attributionOf } from '../at-temporal.ts';
import { processCommand } from './command.ts';

export const cancel = processCommand({
  name: 'cancel',
  why: 'optional',
  input: z.strictObject({}),
  meaning: 'Cancels the process: it undoes what it has booked, and ends as cancelled',
  example: { why: 'the order was withdrawn' },
  forms: {
    cancel: {
      label: 'Cancel',
      isDestructive: true,
      meaning: 'The process undoes what it has booked, and ends as cancelled. It cannot be taken back.',
    },
  },
  async act(acting, key): Promise<null> {
    const { client } = acting;
    await client.workflowService.requestCancelWorkflowExecution({
      namespace: client.options.namespace,
      workflowExecution: { workflowId: key },
      requestId: randomUUID(),
      identity: client.options.identity,
      reason: JSON.stringify(attributionOf(acting)),
    });
    return null;
  },
  did: () => 'cancellation asked for',
});
