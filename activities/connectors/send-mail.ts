// A notification as a mail, by SMTP.
import { ApplicationFailure } from '@temporalio/activity';
import type { Notification } from '../../contract/flows/notifications.ts';
import { redact } from '../../shared/locker-api/redact-response.ts';
import type { Mailbox } from '../../shared/settings/mailboxes.ts';

// All of it must end before its activity does.
const CONNECT_WITHIN_MS = 15_000;
const ANSWER_WITHIN_MS = 30_000;

/** Gives what the server answered. Throws ApplicationFailure. */
export async function sendMail(mailbox: Mailbox, notification: Notification): Promise<string> {
  const { name, host, port, isTls, requiresTls, login, from, to } = mailbox;
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
      subject: notification.title,
      text: notification.text,
      // The same each time: whoever gets it twice can tell.
      messageId: `<${notification.id}@lockerflow>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
    });
    return rejected.length === 0 ? response : `${response} (refused for ${rejected.length} of ${to.length})`;
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    const secrets = login === null ? [] : [login.password];
    throw ApplicationFailure.create({
      type: 'MailNotSent',
      message: `${name}: the mail was not sent (${redact(words, secrets)})`,
    });
  } finally {
    transport.close();
  }
}
