// The operations that change or remove an account that the tenant manages (interface: Account management; assumptions: Accounts
// and upload): a removal erases personal data, and the uid stays in the account's shipments.

import { type Kysely, sql } from 'kysely';
import type { Request } from '../../contract/index.ts';
import { e164 } from '../../contract/wire/phone-number.ts';
import { ApiError } from '../api-error.ts';
import type { Handlers } from '../handler.ts';
import { answerOnce } from '../idempotency.ts';
import type { Database } from '../storage/database.ts';
import { activeStateCodes } from '../storage/open-states.ts';
import { violatedIndex } from '../storage/transaction.ts';
import {
  type Account,
  identityOf,
  lockManagedAccount,
  managedAccount,
  mutationFlagsOf,
  ownPickUpPointId,
  setMutationFlags,
  updateAccount,
} from './account.ts';
import { newMailCode } from './creation.ts';
import { keptEmailAddress } from './email-address.ts';

export const management = {
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

  RemoveAccount: ({ userUid }, context) =>
    answerOnce(context, { userUid }, async (transaction) => {
      const account = await lockManagedAccount(transaction, context.tenantId, userUid);
      await requireNoMainAccount(transaction, account);
      await lockAccountForRemoval(transaction, userUid);
      await requireNoActiveShipment(transaction, context.tenantId, account);
      await erase(transaction, account);
      await forgetAnswers(transaction, context.tenantId, userUid);
      return {};
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
  const values = Object.fromEntries(Object.entries(changes).filter(([, value]) => value != null));
  if (Object.keys(values).length > 0) await updateAccount(transaction, accountId, values);
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

async function requireNoMainAccount(transaction: Kysely<Database>, { accountId }: Account): Promise<void> {
  const tenant = await transaction
    .selectFrom('tenants')
    .select('tenant_id')
    .where('main_account_id', '=', accountId)
    .executeTakeFirst();
  if (tenant)
    throw new ApiError('AccountInUse', 'The account is the main account of a tenant, and cannot be removed');
}

/** Waits for bookings under way: each holds its accounts until it is committed (hold_accounts). */
async function lockAccountForRemoval(transaction: Kysely<Database>, userUid: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(account_lock(${userUid}))`.execute(transaction);
}

/**
 * Only for this tenant. Another tenant's shipments neither hold up the erasure nor are revealed by it: they go on with a user
 * without personal data.
 */
async function requireNoActiveShipment(
  transaction: Kysely<Database>,
  tenantId: number,
  { accountId }: Account,
): Promise<void> {
  const { rows } = await sql<{ used: boolean }>`
    select exists (select from shipments where tenant_id = ${tenantId}
      and state_code in (${activeStateCodes}) and from_account_id = ${accountId})
      or exists (select from shipments where tenant_id = ${tenantId}
      and state_code in (${activeStateCodes}) and to_account_id = ${accountId}) as used
  `.execute(transaction);
  if (rows[0]?.used)
    throw new ApiError('AccountInUse', 'The account has active shipments: remove it when they have ended');
}

/** Every column with personal data, and so everything by which the account can be found. */
async function erase(transaction: Kysely<Database>, { accountId }: Account): Promise<void> {
  await transaction
    .updateTable('accounts')
    .set({
      user_name: null,
      first_name: null,
      last_name: null,
      email_address: null,
      phone_number: null,
      language_code: null,
      street_name: null,
      street_no: null,
      mailbox: null,
      city: null,
      country_code: null,
      main_pick_up_point_id: null,
      mail_code: null,
      removed_at: sql`now()`,
    })
    .where('account_id', '=', accountId)
    .execute();
}

/**
 * The answers kept for repeated requests hold the account's data too. Only its managing tenant ever got such
 * answers.
 */
async function forgetAnswers(
  transaction: Kysely<Database>,
  tenantId: number,
  userUid: string,
): Promise<void> {
  await transaction
    .deleteFrom('idempotency_keys')
    .where('tenant_id', '=', tenantId)
    .where('operation', 'in', ['CreateAccount', 'CreateOrGetAccount', 'SetAccountDetails'])
    .where(sql`response ->> 'userUid'`, '=', userUid)
    .execute();
}
