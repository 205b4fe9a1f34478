// Where messages to people and requests for a mechanic go: to a connector of the connectors' file, by the body that it takes, or by
// mail. What the other side refuses is not sent again: a person reads why in the timeline.
import { mechanicEnvironment, messageEnvironment } from '../../flows/language/expressions/language.ts';
import type { ConnectorSettings } from '../../shared/settings/connectors.ts';
import type { Connectors } from './connectors.ts';
import { ConnectorError } from './exchange.ts';
import { filledRequest } from './filled-request.ts';
import { sendMail } from './send-mail.ts';

interface OutgoingBase {
  /** The same however often it is sent. */
  readonly id: string;
  /** One line. */
  readonly title: string;
  /** All of it as plain text. */
  readonly text: string;
  /** Who sends it. */
  readonly by: string;
  /** The business key of the process; null: it is about none. */
  readonly key: string | null;
  /** To what it is about in the console; null: it is not known where that is. */
  readonly link: string | null;
}

/** As a connector's body names it: `message`. */
export interface OutgoingMessage extends OutgoingBase {
  readonly to: {
    readonly userUid: string;
    readonly name: string | null;
    readonly emailAddress: string | null;
    readonly phoneNumber: string | null;
    readonly languageCode: string | null;
  };
}

/** As a connector's body names it: `request`. */
export interface MechanicRequest extends OutgoingBase {
  readonly pickUpPoint: { readonly pupUid: string; readonly name: string };
  /** Null: the whole wall. */
  readonly lockerName: string | null;
  readonly problem: string;
  readonly why: string | null;
}

/** Each gives what the other side answered, without its words. Throws ApplicationFailure. */
export interface OutreachChannels {
  readonly message: ((message: OutgoingMessage) => Promise<string>) | null;
  readonly sendMechanic: ((request: MechanicRequest) => Promise<string>) | null;
}

const templates = {
  messages: { name: 'message', field: 'messages', environment: messageEnvironment },
  mechanic: { name: 'request', field: 'mechanic', environment: mechanicEnvironment },
} as const;

export type OutreachField = keyof typeof templates;

/** The connectors and mailboxes that take it. */
export const outreachChannelNames = (
  { connectors, mail }: ConnectorSettings,
  field: OutreachField,
): string[] => [
  ...connectors.flatMap((connector) => (connector[field] ? connector.name : [])),
  ...mail.flatMap(({ name, to }) => (field === 'messages' || to.length > 0 ? name : [])),
];

/** Throws an Error for a name that is none of the channels', and for a body with a wrong expression. */
export function outreachChannels(
  settings: ConnectorSettings,
  connectors: Connectors,
  names: { readonly message: string | null; readonly sendMechanic: string | null },
): OutreachChannels {
  const { message, sendMechanic } = names;
  return {
    message:
      message === null
        ? null
        : channel(settings, connectors, message, 'messages', ({ to }: OutgoingMessage) => [
            to.emailAddress ?? '',
          ]),
    sendMechanic:
      sendMechanic === null
        ? null
        : channel<MechanicRequest>(settings, connectors, sendMechanic, 'mechanic', () => undefined),
  };
}

function channel<Content extends OutgoingBase & { readonly to?: OutgoingMessage['to'] }>(
  settings: ConnectorSettings,
  connectors: Connectors,
  name: string,
  field: OutreachField,
  addressesOf: (content: Content) => readonly string[] | undefined,
): (content: Content) => Promise<string> {
  const mailbox = settings.mail.find((each) => each.name === name);
  if (mailbox)
    return async (content) => {
      const to = addressesOf(content);
      await sendMail(mailbox, content, { isFinal: true, ...(to && { to }) });
      return 'the mail server has it';
    };
  const connector = settings.connectors.find((each) => each.name === name);
  const request = connector?.[field];
  if (!connector || !request) throw new TypeError(`${name} takes no ${field}`);
  const { environment, ...template } = templates[field];
  const post = filledRequest(connectors, connector, request, { ...template, environment: environment() });
  return async (content) => {
    try {
      const { answer } = await post(content, personalIn(content.to));
      return `HTTP ${answer.status}`;
    } catch (error) {
      if (!(error instanceof ConnectorError)) throw error;
      // It has been taken; an unusable answer does not matter.
      if (error.outcome === 'done') return 'it was taken';
      throw error.failure();
    }
  };
}

/** What an answer may repeat of a person: no history keeps it. */
const personalIn = (to: OutgoingMessage['to'] | undefined): string[] =>
  [to?.name, to?.emailAddress, to?.phoneNumber].flatMap((each) => each || []);
