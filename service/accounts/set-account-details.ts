// SetAccountDetails (interface: Account management): changes only the given fields.
import type { Kysely } from 'kysely';
import type { Request } from '../../contract/index.ts';
import { e164 } from '../../contract/wire/phone-number.ts';
import type { Handler } from '../handler.ts';
import { answerOnce } from '../idempotency.ts';
import type { Database } from '../storage/database.ts';
import { violatedIndex } from '../storage/unique-violation.ts';
import {
  type Account,
  emailAlreadyRegistered,
  identityOf,
  lockManagedAccount,
  managedAccount,
} from './account.ts';
import { keptEmailAddress } from './email-address.ts';

export const setAccountDetails: Handler<'SetAccountDetails'> = (request, context) =>
  answerOnce(context, request, async (transaction) => {
    const { tenantId } = context;
    const account = await lockManagedAccount(transaction, tenantId, request.userUid);
    await update(transaction, account, request);
    return identityOf(await managedAccount(transaction, tenantId, request.userUid));
  });

async function update(
  transaction: Kysely<Database>,
  { accountId }: Account,
  request: Request<'SetAccountDetails'>,
): Promise<void> {
  const changes = {
    email_address: request.emailAddress == null ? null : keptEmailAddress(request.emailAddress),
    phone_number: request.phoneNumber == null ? null : e164(request.phoneNumber),
    language_code: request.languageCode,
    first_name: request.firstName,
    last_name: request.lastName,
    street_name: request.streetName,
    street_no: request.streetNo,
    mailbox: request.mailbox,
    city: request.city,
    country_code: request.countryCode,
  };
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value != null));
  if (Object.keys(given).length === 0) return;
  try {
    await transaction.updateTable('accounts').set(given).where('account_id', '=', accountId).execute();
  } catch (error) {
    if (violatedIndex(error) === 'accounts_email_address_key') throw emailAlreadyRegistered();
    throw error;
  }
}
