// An account as one tenant sees it: how the tenant finds it, whether the tenant manages it, which fields it sees; and its nine
// mutation flags: which of its data its user may change (interface: Account mutation configuration). assumptions: Accounts and
// upload: they bind the account's user, not this API, so no operation here checks them.

import { type Kysely, sql, type Updateable } from 'kysely';
import { type MutationFlagName, mutationFlagNames } from '../../contract/wire/fields.ts';
import { ApiError } from '../api-error.ts';
import type { Database } from '../storage/database.ts';
import { violatedIndex } from '../storage/transaction.ts';
import { keptEmailAddress } from './email-address.ts';

/** The accounts that exist, without removed ones, with the fields that the interface shows. */
export function accountsSeenBy(database: Kysely<Database>, tenantId: number) {
  return database
    .selectFrom('accounts as account')
    .innerJoin('tenants as tenant', (join) => join.on('tenant.tenant_id', '=', tenantId))
    .leftJoin('pick_up_points as pup', 'pup.pick_up_point_id', 'account.main_pick_up_point_id')
    .where('account.removed_at', 'is', null)
    .select([
      'account.account_id as accountId',
      'account.user_uid as userUid',
      'account.user_name as userName',
      'account.first_name as firstName',
      'account.last_name as lastName',
      'account.email_address as emailAddress',
      'account.phone_number as phoneNumber',
      'account.language_code as languageCode',
      'account.street_name as streetName',
      'account.street_no as streetNo',
      'account.mailbox as mailbox',
      'account.city as city',
      'account.country_code as countryCode',
      'account.mail_code as mailCode',
      'pup.pup_uid as mainPupUid',
      'pup.name as mainPupName',
      // interface: a tenant manages the accounts linked to a pick up point of its own.
      // ASSUMPTION: and its main account, which needs no pick up point.
      sql<boolean>`coalesce(pup.tenant_id = tenant.tenant_id, false)
        or account.account_id = tenant.main_account_id`.as('managed'),
    ]);
}

export type Account = NonNullable<Awaited<ReturnType<ReturnType<typeof accountsSeenBy>['executeTakeFirst']>>>;

/** interface: "E-mail addresses are globally unique"; assumptions: Accounts and upload: compared without regard to case. */
export const emailAddressIs = (emailAddress: string) =>
  sql<boolean>`lower(account.email_address collate "C") = lower(${keptEmailAddress(emailAddress)} collate "C")`;

export const userNameIs = (userName: string) =>
  sql<boolean>`lower(account.user_name collate "C") = lower(${userName} collate "C")`;

/** The same answer for an unknown uid and for an account that another tenant manages (assumptions: The wire). */
export const invalidUserUid = (): ApiError =>
  new ApiError('InvalidUserUid', 'You manage no account with this uid or user name');

export const emailAlreadyRegistered = (): ApiError =>
  new ApiError('EmailAlreadyRegistered', 'The e-mail address is registered for another account');

export const accessDenied = (): ApiError =>
  new ApiError(
    'AccessDenied',
    'The account exists but is managed by another service provider: GetAccount with the e-mail address, else with the user name, returns its uid; a new account needs others',
  );

export const managedAccount = async (
  database: Kysely<Database>,
  tenantId: number,
  userUid: string,
): Promise<Account> => managed(await accountOf(database, tenantId, userUid).executeTakeFirst());

/** Like managedAccount; also locks the account until the end of the transaction. */
export const lockManagedAccount: typeof managedAccount = async (transaction, tenantId, userUid) =>
  managed(
    await accountOf(transaction, tenantId, userUid)
      // Not FOR UPDATE: shipments refer to accounts, and a booking that a removal waits for must not wait for the removal.
      .forNoKeyUpdate('account')
      .executeTakeFirst(),
  );

const accountOf = (database: Kysely<Database>, tenantId: number, userUid: string) =>
  accountsSeenBy(database, tenantId).where('account.user_uid', '=', userUid);

function managed(account: Account | undefined): Account {
  if (account?.managed) return account;
  throw invalidUserUid();
}

/** Writes columns of an account. Throws EmailAlreadyRegistered if another account has the e-mail address. */
export async function updateAccount(
  transaction: Kysely<Database>,
  accountId: number,
  columns: Updateable<Database['accounts']>,
): Promise<void> {
  try {
    await transaction.updateTable('accounts').set(columns).where('account_id', '=', accountId).execute();
  } catch (error) {
    if (violatedIndex(error) === 'accounts_email_address_key') throw emailAlreadyRegistered();
    throw error;
  }
}

export const identityOf = (account: Account) => ({
  userUid: account.userUid,
  canManageUser: true,
  firstName: account.firstName,
  lastName: account.lastName,
  emailAddress: account.emailAddress,
  phoneNumber: account.phoneNumber,
  mainPupUid: account.mainPupUid,
  mainPupName: account.mainPupName,
  languageCode: account.languageCode,
  mailCode: account.mailCode,
});

/** interface: Behaviour 3: "the result contains the userUid of the existing user and the other fields are null". */
export const hiddenIdentity = {
  userName: null,
  canManageUser: false,
  firstName: null,
  lastName: null,
  emailAddress: null,
  phoneNumber: null,
  mainPupUid: null,
  mainPupName: null,
  languageCode: null,
  mailCode: null,
};

/**
 * The id of the pick up point that an operation on an account names; the calling tenant must manage it. An unknown pick up
 * point and another tenant's get the same answer (assumptions: The wire).
 */
export async function ownPickUpPointId(
  database: Kysely<Database>,
  tenantId: number,
  pupUid: string,
): Promise<number> {
  const row = await database
    .selectFrom('pick_up_points')
    .select('pick_up_point_id')
    .where('pup_uid', '=', pupUid)
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst();
  if (!row) throw new ApiError('InvalidPupUid', 'You manage no pick up point with this uid');
  return row.pick_up_point_id;
}

export const mainUserUid = async (database: Kysely<Database>, tenantId: number): Promise<string> => {
  const { userUid } = await database
    .selectFrom('tenants as tenant')
    .innerJoin('accounts as main', 'main.account_id', 'tenant.main_account_id')
    .select('main.user_uid as userUid')
    .where('tenant.tenant_id', '=', tenantId)
    .executeTakeFirstOrThrow();
  return userUid;
};

type MutationFlags = Readonly<Record<MutationFlagName, boolean | null>>;

const columns = {
  canChangeFirstName: 'can_change_first_name',
  canChangeLastName: 'can_change_last_name',
  canChangeEmailAddress: 'can_change_email_address',
  canChangePhoneNumber: 'can_change_phone_number',
  canChangeLanguageCode: 'can_change_language_code',
  canChangeMainPickUpPoint: 'can_change_main_pick_up_point',
  canChangeAddress: 'can_change_address',
  canRemoveAutomatically: 'can_remove_automatically',
  canRemoveManually: 'can_remove_manually',
} as const satisfies Record<MutationFlagName, keyof Database['accounts']>;

/** interface: "Only flags with a non-null value change". */
export async function setMutationFlags(
  database: Kysely<Database>,
  accountId: number,
  flags: Partial<Record<MutationFlagName, boolean | null | undefined>>,
): Promise<void> {
  const present = mutationFlagNames.filter((name) => flags[name] != null);
  if (present.length === 0) return;
  await database
    .updateTable('accounts')
    .set(Object.fromEntries(present.map((name) => [columns[name], flags[name]])))
    .where('account_id', '=', accountId)
    .execute();
}

export async function mutationFlagsOf(database: Kysely<Database>, accountId: number): Promise<MutationFlags> {
  const row = await database
    .selectFrom('accounts')
    .select(Object.values(columns))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return Object.fromEntries(mutationFlagNames.map((name) => [name, row[columns[name]]])) as Record<
    MutationFlagName,
    boolean | null
  >;
}
