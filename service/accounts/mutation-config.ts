// The nine mutation flags of an account: which of its data its user may change (interface: Account mutation
// configuration). assumptions: Accounts and upload: they bind the account's user, not this API, so no operation here
// checks them.
import type { Kysely } from 'kysely';
import { type MutationFlagName, mutationFlagNames } from '../../contract/wire/fields.ts';
import type { Database } from '../storage/database.ts';

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
  const given = mutationFlagNames.filter((name) => flags[name] != null);
  if (given.length === 0) return;
  await database
    .updateTable('accounts')
    .set(Object.fromEntries(given.map((name) => [columns[name], flags[name]])))
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
