// Makes an account from a CreateAccount or CreateOrGetAccount request, unless one has its e-mail address or user name.
import { randomInt, randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Request } from '../../contract/index.ts';
import { e164 } from '../../contract/wire/phone-number.ts';
import type { Database } from '../storage/database.ts';
import { type Account, accountsSeenBy, emailAddressIs, userNameIs } from './account.ts';
import { keptEmailAddress } from './email-address.ts';

export type NewAccount = Request<'CreateAccount'>;

export interface Registered {
  readonly byEmailAddress: Account | undefined;
  /** By the given user name, or by the user name that the new account would have. */
  readonly byUserName: Account | undefined;
}

/**
 * The request waits for a concurrent creation, then finds the account: at most twice, unless a mail code is taken
 * or an account is removed at that moment. Without a limit, a defect would make it loop for ever.
 */
const MAX_ATTEMPTS = 5;

/**
 * Makes the account if no account has its e-mail address and user name. Else `existing` decides: it gives the uid of
 * the account that the request means, or refuses.
 */
export async function findOrInsert<Found>(
  transaction: Kysely<Database>,
  { tenantId, pickUpPointId }: { readonly tenantId: number; readonly pickUpPointId: number },
  request: NewAccount,
  existing: (registered: Registered) => Promise<Found>,
): Promise<Found | { readonly userUid: string; readonly isNew: true; readonly managed: true }> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const registered = await registeredAccounts(transaction, tenantId, request);
    if (registered.byEmailAddress || registered.byUserName) return existing(registered);
    const userUid = await insertAccount(transaction, request, pickUpPointId);
    if (userUid !== undefined) return { userUid, isNew: true, managed: true };
  }
  throw new Error(`After ${MAX_ATTEMPTS} attempts the account does not exist and cannot be made`);
}

/**
 * One statement: between two statements another request could make the account, and only the user name would be found.
 * Locked: what is found is not removed before the request has used it.
 */
async function registeredAccounts(
  transaction: Kysely<Database>,
  tenantId: number,
  request: NewAccount,
): Promise<Registered> {
  const hasEmailAddress = emailAddressIs(request.emailAddress);
  const hasUserName = userNameIs(userNameOf(request));
  const found = await accountsSeenBy(transaction, tenantId)
    .select([hasEmailAddress.as('hasEmailAddress'), hasUserName.as('hasUserName')])
    .where(({ or }) => or([hasEmailAddress, hasUserName]))
    .forNoKeyUpdate('account')
    .execute();
  return {
    byEmailAddress: found.find((account) => account.hasEmailAddress),
    byUserName: found.find((account) => account.hasUserName),
  };
}

/** interface: userName "defaults to the e-mail address". */
const userNameOf = ({ userName, emailAddress }: NewAccount): string =>
  userName ?? keptEmailAddress(emailAddress);

/** Gives the uid, or undefined if an account with this e-mail address, user name or mail code exists. */
async function insertAccount(
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

// The mail delivery code of an account, unique at its main pick up point.
// ASSUMPTION: interface, Account: "Mail delivery code of the account"; its form is not shown.
/** People read these codes from labels and type them: without 0, O, 1, I and L. */
const LETTERS = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';
/** 31^6: with 100,000 accounts at one pick up point one new code in 9,000 is taken, and drawn again. */
const LENGTH = 6;

export const newMailCode = (): string =>
  Array.from({ length: LENGTH }, () => LETTERS.charAt(randomInt(LETTERS.length))).join('');
