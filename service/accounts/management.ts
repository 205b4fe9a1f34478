// The operations that change an account that the tenant manages (interface: Account management).
import type { Kysely } from 'kysely';
import type { Request } from '../../contract/index.ts';
import { e164 } from '../../contract/wire/phone-number.ts';
import type { Handlers } from '../handler.ts';
import { answerOnce } from '../idempotency.ts';
import type { Database } from '../storage/database.ts';
import { violatedIndex } from '../storage/transaction.ts';
import {
  type Account,
  emailAlreadyRegistered,
  identityOf,
  lockManagedAccount,
  managedAccount,
  ownPickUpPointId,
} from './account.ts';
import { keptEmailAddress } from './email-address.ts';
import { mutationFlagsOf, setMutationFlags } from './mutation-config.ts';
import { newMailCode } from './new-account.ts';

export const management = {
  /** Changes only the given fields. */
  SetAccountDetails: (request, context) =>
    answerOnce(context, request, async (transaction) => {
      const { tenantId } = context;
      const account = await lockManagedAccount(transaction, tenantId, request.userUid);
      await update(transaction, account, request);
      return identityOf(await managedAccount(transaction, tenantId, request.userUid));
    }),

  /** The default pick up point, and with it a new mail code. */
  SetAccountPickUpPoint: (request, context) =>
    withNewMailCode((mailCode) =>
      answerOnce(context, request, async (transaction) => {
        const { userUid, pickUpPointUid } = request;
        const account = await lockManagedAccount(transaction, context.tenantId, userUid);
        const pickUpPointId = await ownPickUpPointId(transaction, context.tenantId, pickUpPointUid);
        const pickUpPointChanged = account.mainPupUid !== pickUpPointUid;
        if (pickUpPointChanged)
          await transaction
            .updateTable('accounts')
            .set({ main_pick_up_point_id: pickUpPointId, mail_code: mailCode })
            .where('account_id', '=', account.accountId)
            .execute();
        return { userUid, pupUid: pickUpPointUid, pickUpPointChanged };
      }),
    ),

  SetAccountMutationConfig: (request, context) =>
    answerOnce(context, request, async (transaction) => {
      const { userUid, ...flags } = request;
      const { accountId } = await lockManagedAccount(transaction, context.tenantId, userUid);
      await setMutationFlags(transaction, accountId, flags);
      return { userUid, ...(await mutationFlagsOf(transaction, accountId)) };
    }),
} satisfies Partial<Handlers>;

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

/**
 * Five taken codes in a row do not happen. Without a limit, a pick up point with all codes taken would loop for
 * ever.
 */
const MAX_DRAWS = 5;

/** Runs the work, a transaction, with a new mail code. If the code is taken, runs it again with another one. */
async function withNewMailCode<Result>(work: (mailCode: string) => Promise<Result>): Promise<Result> {
  for (let draw = 1; ; draw += 1) {
    try {
      return await work(newMailCode());
    } catch (error) {
      if (draw === MAX_DRAWS || violatedIndex(error) !== 'accounts_mail_code_key') throw error;
    }
  }
}
