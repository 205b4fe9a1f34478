// Where notifications go: to a connector of the connectors' file, by the body that it takes, or to a mailbox.

import type { Notification } from '../../contract/flows/notifications.ts';
import { notificationEnvironment } from '../../flows/language/expressions/language.ts';
import { evidence } from '../../shared/locker-api/redact-response.ts';
import type { Connector, ConnectorSettings } from '../../shared/settings/connectors.ts';
import type { Connectors } from './connectors.ts';
import { ConnectorError } from './exchange.ts';
import { filledRequest } from './filled-request.ts';
import { sendMail } from './send-mail.ts';

/** Gives what the other side answered. Throws ApplicationFailure. */
export type NotificationChannel = (notification: Notification) => Promise<string>;

/** The connectors and mailboxes that take notifications. */
export const channelNames = ({ connectors, mail }: ConnectorSettings): string[] => [
  ...connectors.flatMap(({ name, notify }) => (notify ? name : [])),
  ...mail.flatMap(({ name, to }) => (to.length > 0 ? name : [])),
];

/** Throws an Error for a name that is none of the channels', and for a body with a wrong expression. */
export function notificationChannel(
  { connectors: all, mail }: ConnectorSettings,
  connectors: Connectors,
  name: string,
): NotificationChannel {
  const mailbox = mail.find((each) => each.name === name);
  if (mailbox && mailbox.to.length > 0) return (notification) => sendMail(mailbox, notification);
  const connector = all.find((each) => each.name === name);
  if (!connector?.notify) throw new TypeError(`${name} takes no notifications`);
  return overHttp(connectors, connector, connector.notify);
}

function overHttp(
  connectors: Connectors,
  connector: Connector,
  notify: NonNullable<Connector['notify']>,
): NotificationChannel {
  const post = filledRequest(connectors, connector, notify, {
    name: 'notification',
    field: 'notify',
    environment: notificationEnvironment(),
  });
  return async (notification) => {
    try {
      const { answer, connector: used } = await post(notification);
      const { body: words } = evidence('', answer, used.secrets);
      return [`HTTP ${answer.status}`, words].filter(Boolean).join(': ');
    } catch (error) {
      if (!(error instanceof ConnectorError)) throw error;
      // It has been taken; an unusable answer does not matter.
      if (error.outcome === 'done') return error.message;
      throw error.failure({ isRepeated: true });
    }
  };
}
