// Where notifications go: to a connector of the connectors' file, by the body that it takes, or to a mailbox.

import type { Notification } from '../../contract/flows/notifications.ts';
import { Budget } from '../../flows/language/expressions/cost.ts';
import { notificationEnvironment } from '../../flows/language/expressions/language.ts';
import { template } from '../../flows/language/expressions/template.ts';
import type { Json } from '../../flows/language/flow-file.ts';
import { evidence } from '../../shared/locker-api/redact-response.ts';
import type { Connector, ConnectorSettings } from '../../shared/settings/connectors.ts';
import { headerKey } from '../header-key.ts';
import type { Connectors } from './connectors.ts';
import { ConnectorError } from './exchange.ts';
import { partsOfPath, urlBelow } from './request-url.ts';
import { sendMail } from './send-mail.ts';

/** Gives what the other side answered. Throws ApplicationFailure. */
export type NotificationChannel = (notification: Notification) => Promise<string>;

/** The connectors and mailboxes that take notifications. */
export const channelNames = ({ connectors, mail }: ConnectorSettings): string[] => [
  ...connectors.flatMap(({ name, notify }) => (notify ? name : [])),
  ...mail.map(({ name }) => name),
];

/** Throws an Error for a name that is none of the channels', and for a body with a wrong expression. */
export function notificationChannel(
  { connectors: all, mail }: ConnectorSettings,
  connectors: Connectors,
  name: string,
): NotificationChannel {
  const mailbox = mail.find((each) => each.name === name);
  if (mailbox) return (notification) => sendMail(mailbox, notification);
  const connector = all.find((each) => each.name === name);
  if (!connector?.notify) throw new TypeError(`${name} takes no notifications`);
  return overHttp(connectors, connector, connector.notify);
}

function overHttp(
  connectors: Connectors,
  connector: Connector,
  { path, body }: NonNullable<Connector['notify']>,
): NotificationChannel {
  const url = urlBelow(connector, partsOfPath(path));
  const options = { environment: notificationEnvironment() };
  const filled = body === null ? null : template(body as Json, `${connector.name}.notify.body`, options);
  return async (notification) => {
    const scope = { notification: notification as unknown as Json };
    const content = filled === null ? notification : filled(scope, new Budget());
    try {
      const { answer, connector: used } = await connectors.exchange(connector, {
        url,
        headers: {
          accept: 'application/json',
          'content-type': 'application/json',
          ...connector.headers,
          'idempotency-key': headerKey(notification.id),
        },
        body: JSON.stringify(content),
      });
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
