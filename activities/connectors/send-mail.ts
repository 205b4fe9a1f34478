// A mail, by SMTP: a notification to the addresses of its mailbox, or a message to a person.
import { ApplicationFailure } from '@temporalio/activity';
import { redact } from '../../shared/locker-api/redact-response.ts';
import type { Mailbox } from '../../shared/settings/mailboxes.ts';
import { headerKey } from '../header-key.ts';

// All of it must end before its activity does.
const CONNECT_WITHIN_MS = 15_000;
const ANSWER_WITHIN_MS = 30_000;

interface Mail {
  /** The same however often it is sent. */
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

interface Addressed {
  /** Not given: the addresses of the mailbox. */
  readonly to?: readonly string[];
  /** Not sent again once the server has refused the mail itself, or its address. */
  readonly isFinal?: boolean;
}

/** Gives what the server answered. Throws ApplicationFailure. */
export async function sendMail(
  mailbox: Mailbox,
  { id, title, text }: Mail,
  { to = mailbox.to, isFinal = false }: Addressed = {},
): Promise<string> {
  const { name, host, port, isTls, requiresTls, login, from } = mailbox;
  // Few workers send mail.
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({
    host,
    ...(port !== null && { port }),
    secure: isTls,
    requireTLS: requiresTls,
    ...(login && { auth: { user: login.user, pass: login.password } }),
    connectionTimeout: CONNECT_WITHIN_MS,
    greetingTimeout: CONNECT_WITHIN_MS,
    socketTimeout: ANSWER_WITHIN_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    const { response, rejected } = await transport.sendMail({
      from,
      to: [...to],
      subject: title,
      text,
      // The same each time: whoever gets it twice can tell.
      messageId: `<${messageIdOf(id)}@lockerflow>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
    });
    return rejected.length === 0 ? response : `${response} (refused for ${rejected.length} of ${to.length})`;
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    const secrets = login === null ? [] : [login.password];
    throw ApplicationFailure.create({
      type: 'MailNotSent',
      message: `${name}: the mail was not sent (${redact(words, secrets)})`,
      nonRetryable: isFinal && isRefused(error),
    });
  } finally {
    transport.close();
  }
}

/** The id of a message has a business key, which may have any characters. Longer ids would be folded. */
const MESSAGE_ID_LENGTH = 32;

const messageIdOf = (id: string): string =>
  /^[\w-]+$/.test(id) ? id : headerKey(id).slice(0, MESSAGE_ID_LENGTH);

/** For good (RFC 5321, section 4.2.1), and not for wrong credentials, which an operator mends. */
function isRefused(error: unknown): boolean {
  const { code, responseCode = 0 } = (error ?? {}) as {
    readonly code?: string;
    readonly responseCode?: number;
  };
  return (code === 'EENVELOPE' || code === 'EMESSAGE') && responseCode >= 500;
}
