// The nine mutation flags of an account: which of its data its user may change (interface: Account mutation
// configuration). assumptions: Accounts and upload: they bind the account's user, not this API, so no operation here
// checks them.
import type { Kysely } from 'kysely';
import { type MutationFlagName, mutationFlagNames } from '../../contract/wire/fields.ts';
import type { Database } from '../storage/database.ts';

type MutationFlags = Readonly<Record<MutationFlagName, boolean | null>>;

type Column = Extract<keyof Database['accounts'], `can_${string}`>;

/** canChangeFirstName is kept in can_change_first_name. */
const columnOf = (flag: MutationFlagName) =>
  flag.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) as Column;

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
    .set(Object.fromEntries(given.map((name) => [columnOf(name), flags[name]])))
    .where('account_id', '=', accountId)
    .execute();
}

export async function mutationFlagsOf(database: Kysely<Database>, accountId: number): Promise<MutationFlags> {
  const row = await database
    .selectFrom('accounts')
    .select(mutationFlagNames.map(columnOf))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return Object.fromEntries(mutationFlagNames.map((name) => [name, row[columnOf(name)]])) as Record<
    MutationFlagName,
    boolean | null
  >;
}
