// What a Temporal Schedule runs: it notifies people of what is new in Work. A round that fails leaves nothing out: the next one starts
// where the last successful one ended.
import { proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { NotificationActivities, NotifyInput, NotifyResult } from '../contract/flows/notifications.ts';

const { planNotification } = proxyActivities<NotificationActivities>({
  startToCloseTimeout: '2 minutes',
  scheduleToCloseTimeout: '10 minutes',
});
// What is planned meanwhile would be late: after this, the next round says all of it anew.
const sending = { startToCloseTimeout: '2 minutes', scheduleToCloseTimeout: '30 minutes' };
const { sendNotification } = proxyActivities<NotificationActivities>({
  ...sending,
  retry: { initialInterval: '5 s', maximumInterval: '5 minutes' },
});
const once = proxyActivities<NotificationActivities>({ ...sending, retry: { maximumAttempts: 1 } });

export async function NotifyOfWork(input?: NotifyInput): Promise<NotifyResult> {
  const last = workflowInfo().lastResult as NotifyResult | undefined;
  const { mode, state } = input ?? { mode: 'round' as const, state: last?.state ?? null };
  const planned = await planNotification({ mode, state });
  if (planned.notification === null || mode === 'dryRun') return { ...planned, answer: null };
  const send = mode === 'test' ? once.sendNotification : sendNotification;
  return { ...planned, answer: await send(planned.notification) };
}
