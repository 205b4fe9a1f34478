// The activities behind the workflow NotifyOfWork: one reads Work and plans a message, the other sends it. They are apart so that a
// message that is sent again is the same one, whatever has happened in Work meanwhile.
import { randomUUID } from 'node:crypto';
import { ApplicationFailure, log } from '@temporalio/activity';
import type { NotificationActivities, PlannedNotification } from '../../contract/flows/notifications.ts';
import { inLocale } from '../../shared/texts/reader-of-request.ts';
import { Inbox } from '../inbox/inbox.ts';
import type { InboxParts } from '../inbox/inbox-entry.ts';
import { pickUpPointNames } from '../pick-up-points.ts';
import { messageOf, testMessage } from './message.ts';
import type { NotificationSettings } from './notification-settings.ts';
import { nextRound, type Round } from './round.ts';

export interface Notifications {
  readonly settings: NotificationSettings;
  /** Gives what the other side answered; throws ApplicationFailure. */
  readonly send: NotificationActivities['sendNotification'];
}

type Planned = Parameters<NotificationActivities['planNotification']>[0];

/** @param notifications undefined: this worker notifies nobody */
export function notificationActivities(
  parts: InboxParts,
  notifications: Notifications | undefined,
): NotificationActivities {
  const inbox = new Inbox(parts);
  async function plan(
    { mode, state }: Planned,
    settings: NotificationSettings,
  ): Promise<PlannedNotification> {
    const now = Date.now();
    const context = {
      id: randomUUID(),
      now,
      consoleUrl: settings.consoleUrl,
      timeZone: settings.quietHours?.timeZone ?? 'UTC',
    };
    if (mode === 'test')
      return { state, notification: testMessage({ ...context, pickUpPoints: new Map(), unread: [] }) };
    const view = await inbox.read();
    const round = nextRound(state, view, settings, now);
    const notification = messageOf(round, {
      ...context,
      pickUpPoints: await pickUpPointNames(parts, pickUpPointsIn(round)),
      unread: view.unread.filter(({ kind }) => kind !== null && settings.kinds.has(kind)),
    });
    return { state: round.state, notification };
  }
  return {
    async planNotification({ mode, state }) {
      // A worker with the settings takes a later round; what it has to say is not lost until then.
      if (!notifications && mode === 'round') return { state, notification: null };
      const { settings } = required(notifications, mode !== 'round');
      return await inLocale(settings.language, () => plan({ mode, state }, settings));
    },
    async sendNotification(notification) {
      const { send, settings } = required(notifications);
      const answer = await send(notification);
      const { id, reason } = notification;
      log.info('people were notified', { connector: settings.connector, reason, id, answer });
      return answer;
    },
  };
}

/** @param isByHand a person waits for it; otherwise it is tried again, and comes to a worker that has them */
function required(notifications: Notifications | undefined, isByHand = false): Notifications {
  if (notifications) return notifications;
  throw ApplicationFailure.create({
    type: 'NotifyNotConfigured',
    nonRetryable: isByHand,
    message:
      'the worker has no NOTIFY_CONNECTOR; set it for every worker of the task queue, and restart them',
  });
}

const pickUpPointsIn = ({ added, stillOpen }: Round): string[] =>
  [...added, ...stillOpen].flatMap(({ pupUid }) => pupUid ?? []);
