// The process of tools/bench/loan.ts written by hand, with the same child flow, question, timers and call: the floor that the flow
// file is held to. Its child runs on the worker of the flows, as anybody's child does.
import {
  ActivityCancellationType,
  CancellationScope,
  condition,
  defineQuery,
  defineSignal,
  defineUpdate,
  proxyActivities,
  setHandler,
  sleep,
  startChild,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { FlowFileActivities } from '../../activities/flow-files/flow-file-activities.ts';
import type { FromChild } from '../../driver/temporal/family.ts';
import { FLOWS_TASK_QUEUE } from './loan.ts';

const { callLockerApi } = proxyActivities<Pick<FlowFileActivities, 'callLockerApi'>>({
  startToCloseTimeout: '2 minutes',
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
});

interface Answer {
  readonly values: { readonly state: string };
  readonly by: string;
}

const asks = (inboxes: string[]) =>
  upsertSearchAttributes([{ key: { name: 'LockerInbox', type: 'KEYWORD_LIST' }, value: inboxes }]);

export async function BenchLoan({ request }: { request: Record<string, unknown> }): Promise<unknown> {
  const { workflowId, firstExecutionRunId } = workflowInfo();
  let state = 'lent';
  let isCollected = false;
  let reminders = 0;
  let answer: Answer | undefined;
  setHandler(defineSignal<[FromChild]>('childEvent'), (message) => {
    if (!('event' in message)) return;
    isCollected ||= message.event.type === 'issue.ReadyForPickup';
    if (message.event.type === 'issue.overdue') reminders++;
  });
  setHandler(defineQuery('progress'), () => ({ state, reminders }));
  setHandler(
    defineUpdate<void, [Answer]>('answer'),
    (given) => {
      answer = given;
    },
    {
      validator: ({ values }) => {
        if (state !== 'checked') throw new Error('no question is open now');
        if (!['whole', 'broken'].includes(values.state))
          throw new Error('state must be one of whole, broken');
      },
    },
  );
  if (request.isWaiting !== true) {
    const child = await startChild('Issue', {
      args: [{ request }],
      taskQueue: FLOWS_TASK_QUEUE,
      workflowId: `${workflowId}/loan`,
      parentClosePolicy: 'REQUEST_CANCEL',
      cancellationType: 'WAIT_CANCELLATION_COMPLETED',
      memo: { parent: { token: 'loan', hears: ['issue.ReadyForPickup', 'issue.overdue'] } },
    });
    const ended = child.result();
    await Promise.race([ended, condition(() => isCollected)]);
    state = 'withUser';
    const reminder = new CancellationScope();
    void reminder
      .run(() => sleep('12 days'))
      .then(() => void reminders++)
      .catch(() => undefined);
    await ended;
    reminder.cancel();
  }
  state = 'checked';
  asks(['desk']);
  const isAnswered = await condition(() => answer !== undefined, '2 days');
  asks([]);
  if (isAnswered && answer?.values.state === 'broken')
    await callLockerApi({
      operation: 'GetPickUpPoints',
      request: { pageNo: 1, pageSize: 10 },
      idempotencyKey: [workflowId, firstExecutionRunId, 'ticket', 1].join(' '),
    });
  return { reminders, state: answer?.values.state };
}
