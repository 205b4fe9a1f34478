// What processes say to the queues of events by correlation, and what these say to them. They are local activities: an attempt
// may be repeated whole, so each message may come twice.
import { activityInfo, getClient } from '@temporalio/activity';
import type { ListeningProcess } from '../../flows/language/correlation.ts';
import { handTo, leave, listenAt, sendCorrelated } from '../../shared/routing/correlation-queues.ts';
import type { FlowFileActivities } from '../flow-file-activities.ts';

export const correlationActivities: Pick<FlowFileActivities, 'passOn' | 'handOut'> = {
  async passOn({ from, messages }) {
    const client = getClient();
    const { taskQueue } = activityInfo();
    for (const message of messages)
      if (message.kind === 'event') await sendCorrelated(client, taskQueue, message.event);
      else {
        const { now, before } = message;
        if (now) await listenAt(client, taskQueue, from, now);
        const left = Object.entries(before).filter(([key, value]) => now?.keys[key] !== value);
        await leave(client, from, Object.fromEntries(left));
      }
    return messages.flatMap((message) => {
      if (message.kind !== 'event') return [];
      const { type, id, where, keepForMs } = message.event;
      return [{ type, id, where, keepForMs }];
    });
  },
  async handOut({ to, event }) {
    const client = getClient();
    const gone: ListeningProcess[] = [];
    for (const process of to) if (!(await handTo(client, process, event))) gone.push(process);
    return gone;
  },
};
