// Makes an account from a CreateAccount or CreateOrGetAccount request.
import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Request } from '../../contract/index.ts';
import { e164 } from '../../contract/wire/phone-number.ts';
import type { Database } from '../storage/database.ts';
import { keptEmailAddress } from './email-address.ts';
import { newMailCode } from './mail-code.ts';

export type NewAccount = Request<'CreateAccount'>;

/** interface: userName "defaults to the e-mail address". */
export const userNameOf = ({ userName, emailAddress }: NewAccount): string =>
  userName ?? keptEmailAddress(emailAddress);

/** Gives the uid, or undefined if an account with this e-mail address, user name or mail code exists. */
export async function insertAccount(
  transaction: Kysely<Database>,
  request: NewAccount,
  pickUpPointId: number,
): Promise<string | undefined> {
  const row = await transaction
    .insertInto('accounts')
    .values({
      user_uid: randomUUID(),
      user_name: userNameOf(request),
      email_address: keptEmailAddress(request.emailAddress),
      first_name: request.firstName,
      last_name: request.lastName,
      phone_number: request.phoneNumber == null ? null : e164(request.phoneNumber),
      language_code: request.languageCode ?? null,
      street_name: request.streetName ?? null,
      street_no: request.streetNo ?? null,
      mailbox: request.mailbox ?? null,
      city: request.city ?? null,
      country_code: request.countryCode ?? null,
      main_pick_up_point_id: pickUpPointId,
      mail_code: newMailCode(),
    })
    // Waits for a concurrent creation of the same account, then finds it: exactly one of many requests makes the
    // account.
    .onConflict((conflict) => conflict.doNothing())
    .returning('user_uid')
    .executeTakeFirst();
  return row?.user_uid;
}
