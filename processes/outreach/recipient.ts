// Whom a message of a case is for, and whether the connector can reach that person.
import type { AddressKind } from '../../contract/flows/outreach.ts';
import { t } from '../../shared/texts/text.ts';
import { unlessUnknown } from '../locker-service.ts';
import { refused } from '../outcome.ts';
import type { CommandContext } from '../temporal-context.ts';
import { type CaseAbout, requireService } from './case-about.ts';
import { isInLists } from './people-in-lists.ts';

export interface Recipient {
  readonly userUid: string;
  /** Null: the account has none. */
  readonly name: string | null;
}

export interface FoundRecipient extends Recipient {
  /** Of the account, as in Accept-Language. */
  readonly language: string;
}

const needed = (): Readonly<
  Record<AddressKind, { readonly field: 'emailAddress' | 'phoneNumber'; readonly words: string } | null>
> => ({
  email: { field: 'emailAddress', words: t`an e-mail address` },
  phone: { field: 'phoneNumber', words: t`a phone number` },
  none: null,
});

/** @param wanted one of the people of the case; undefined: whom it is for now. Throws CommandError. */
export async function recipientOf(
  commandContext: CommandContext,
  key: string,
  { people, person }: Pick<CaseAbout, 'people' | 'person'>,
  wanted?: string,
): Promise<FoundRecipient> {
  const userUid = wanted ?? person;
  if (userUid === null && people.length > 0)
    throw refused('NobodyKnown', t`${key} is for nobody now; say whom of its people it is to`, {
      fields: { to: t`must be one of ${people.join(', ')}` },
    });
  if (userUid === null)
    throw refused(
      'NobodyKnown',
      t`nobody is known whom ${key} is for; a message needs a receiver, or a person whom its flow names`,
    );
  if (!people.includes(userUid) && !(await isInLists(commandContext, key, userUid)))
    throw refused('NotOfThisCase', t`${userUid} is none of the people of ${key}`, {
      fields: { to: t`must be one of ${people.join(', ') || t`its people, and it has none`}` },
    });
  return await reachable(commandContext, userUid);
}

/** Throws CommandError. */
export async function reachable(commandContext: CommandContext, userUid: string): Promise<FoundRecipient> {
  const service = requireService(commandContext);
  const account = await unlessUnknown(() => service.call('GetAccount', { userUid }));
  if (!account) throw refused('AccountNotFound', t`there is no account ${userUid}, or it cannot be seen`);
  const { firstName, lastName } = account;
  const name = [firstName, lastName].filter(Boolean).join(' ') || null;
  // Where it is not known here what the connector needs, the worker finds out.
  const address = needed()[commandContext.outreach?.address ?? 'none'];
  if (address && !account[address.field])
    throw refused(
      'NoAddress',
      t`${name ?? userUid} cannot be reached: the account does not have ${address.words}`,
    );
  return { userUid, name, language: account.languageCode ?? '' };
}
