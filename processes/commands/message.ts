// Sends a message to the person whom a process is for, by the connector for messages. Without a text it is the proposed one. The process
// keeps the text and the uid of the person, begins the delivery, and goes on as before. Where it has ended, its delivery is begun here.
import { z } from 'zod';
import { inLocale, localeIn } from '../../shared/texts/reader-of-request.ts';
import { t } from '../../shared/texts/text.ts';
import { wrongInput } from '../outcome.ts';
import { caseAbout, requireService } from '../outreach/case-about.ts';
import { requireNoCode } from '../outreach/codes-in-text.ts';
import { proposedText, returnText } from '../outreach/proposed-text.ts';
import { type Recipient, recipientOf } from '../outreach/recipient.ts';
import { requireConnector } from '../outreach/require-connector.ts';
import { pickUpPointOf } from '../pick-up-points.ts';
import { attributionOf, type CommandContext, requireOpen, withDeadline } from '../temporal-context.ts';
import { ProcessReader } from '../views/shown-process.ts';
import { openOrEnded, sendMessage as sendAfterEnd } from './add-after-end.ts';
import { type Command, command, type Described } from './command.ts';
import { sentText, text } from './read-values.ts';

const input = z.strictObject({
  text: sentText
    .optional()
    .meta({ description: 'What the person is to read; left out: what is proposed for this process' }),
  to: text
    .max(200)
    .optional()
    .meta({ description: 'The userUid of another person of the process; left out: whom it is for' }),
});
type Input = z.infer<typeof input>;

export interface MessagePreview {
  readonly to: Recipient;
  /** What to know of that person first, after the name. */
  readonly remark?: string;
  /** Null: nothing is proposed, and somebody must write it. */
  readonly text: string | null;
}

/** It may be kept in a history: no name is in it. */
export interface MessageSent {
  readonly to: string;
  readonly delivery: string;
}

export interface ResultOf {
  resultOf(update: { readonly to: string }, answer: { readonly delivery: string }): MessageSent;
}

const described: Described = {
  meaning: 'Sends a message to the person whom a process is for; also of one that has ended',
  example: { text: 'The lockers at Central cannot be opened at the moment. Please do not come yet.' },
  isSigned: true,
  asksService: true,
  // The page has a form of its own for it.
  forms: {},
};

export const message: Command<Input, MessagePreview, MessageSent> & Described & ResultOf = {
  ...described,
  ...command<Input, MessagePreview, MessageSent, string>({
    name: 'message',
    right: 'decide',
    why: 'optional',
    input,
    // Many are written to about what is to come.
    flowOf: (commandContext, key) =>
      commandContext.isInBatch
        ? requireOpen(commandContext.client, key)
        : new ProcessReader(commandContext).flowOf(key),
    preview: readMessage,
    async act(commandContext, key, given) {
      const { to, text: words } = await readMessage(commandContext, key, given);
      if (words === null)
        throw wrongInput(t`nothing is proposed for ${key}; write what the person is to read`, {
          text: t`is missing`,
        });
      const sent = { to: to.userUid, text: words, ...attributionOf(commandContext) };
      const { delivery } = await openOrEnded(commandContext, key, {
        open: () => withDeadline(commandContext, () => commandContext.flows.handle(key).message(sent)),
        ended: () => sendAfterEnd(commandContext, key, sent),
      });
      return { to: to.userUid, delivery };
    },
    formatPreview: ({ to, remark, text: words }) => {
      const name = to.name ?? to.userUid;
      return t`to ${remark ? `${name} (${remark})` : name}: ${words ?? t`nothing is proposed`}`;
    },
    formatResult: () => t`the message is on its way`,
  }),
  resultOf,
};

/** As the history of the process has it. */
function resultOf(update: { readonly to: string }, answer: { readonly delivery: string }): MessageSent {
  return { to: update.to, delivery: answer.delivery };
}

/** Throws what says why it cannot be sent. */
async function readMessage(
  commandContext: CommandContext,
  key: string,
  { text: words, to }: Input,
): Promise<MessagePreview> {
  requireConnector(commandContext, 'message');
  const service = requireService(commandContext);
  const about = await caseAbout(commandContext, key);
  const { language, ...recipient } = await recipientOf(commandContext, key, about, to);
  const isFormer = about.former.includes(recipient.userUid);
  const known = { to: recipient, ...(isFormer && { remark: t`the booking for them is over` }) };
  if (words !== undefined) {
    await requireNoCode(service, about.lockers, words);
    return { ...known, text: words };
  }
  // Where the part of one of many has not begun, or is over, nothing is known that they should be told.
  const [locker] = about.people.includes(recipient.userUid) && !isFormer ? about.lockers : [];
  const point = locker ? await pickUpPointOf(service, locker.pupUid) : null;
  // They read it, and not whoever sends it.
  const proposed = inLocale(localeIn(language), () =>
    about.isItemOut ? returnText(about) : proposedText(about, point),
  );
  return { ...known, text: locker || about.isItemOut ? proposed : null };
}
