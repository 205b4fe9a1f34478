// A POST to a connector whose body is a template of the connectors' file: of notifications, messages to people, and requests for a
// mechanic.
import { Budget } from '../../flows/language/expressions/cost.ts';
import type { notificationEnvironment } from '../../flows/language/expressions/language.ts';
import { template } from '../../flows/language/expressions/template.ts';
import type { Json } from '../../flows/language/flow-file.ts';
import type { HttpAnswer } from '../../shared/locker-api/http-exchange.ts';
import type { Connector, FilledRequest } from '../../shared/settings/connectors.ts';
import { headerKey } from '../header-key.ts';
import type { Connectors } from './connectors.ts';
import { partsOfPath, urlBelow } from './request-url.ts';

interface Content {
  /** The same however often it is sent. */
  readonly id: string;
}

interface Template {
  /** How expressions name the content, and where it stands in the connectors' file. */
  readonly name: string;
  readonly field: 'notify' | 'messages' | 'mechanic';
  readonly environment: ReturnType<typeof notificationEnvironment>;
}

interface Sent {
  readonly answer: HttpAnswer;
  readonly connector: Connector;
}

/** What it gives throws ConnectorError. Throws an Error for a body with a wrong expression. */
export function filledRequest(
  connectors: Connectors,
  connector: Connector,
  { path, body }: FilledRequest,
  { name, field, environment }: Template,
): (content: Content, secrets?: readonly string[]) => Promise<Sent> {
  const url = urlBelow(connector, partsOfPath(path));
  const filled =
    body === null ? null : template(body as Json, `${connector.name}.${field}.body`, { environment });
  return async (content, secrets = []) => {
    const given = content as unknown as Json;
    return await connectors.exchange(
      { ...connector, secrets: [...connector.secrets, ...secrets] },
      {
        url,
        headers: {
          accept: 'application/json',
          'content-type': 'application/json',
          ...connector.headers,
          'idempotency-key': headerKey(content.id),
        },
        body: JSON.stringify(filled === null ? given : filled({ [name]: given }, new Budget())),
      },
    );
  };
}
