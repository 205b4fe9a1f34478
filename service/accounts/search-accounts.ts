// SearchAccounts (assumptions: Operating): accounts that the tenant manages, and its active suggestions. The search itself
// is in storage/functions/account-search.sql.
import { sql } from 'kysely';
import type { Response } from '../../contract/index.ts';
import type { Handler } from '../handler.ts';

type Item = Response<'SearchAccounts'>['items'][number];

export const searchAccounts: Handler<'SearchAccounts'> = async (request, { database, tenantId }) => {
  const { searchText, most } = request;
  const { rows } = await sql<{ items: Item[] | null; isComplete: boolean }>`
    with found as materialized (select * from search_accounts(${tenantId}, ${searchText}, ${most}))
    select found.is_complete as "isComplete", (
      select jsonb_agg(jsonb_build_object(
        'kind', case when entry.account_id is null then 'Suggestion' else 'Account' end,
        'userUid', account.user_uid,
        'firstName', coalesce(account.first_name, suggestion.first_name),
        'lastName', coalesce(account.last_name, suggestion.last_name),
        'emailAddress', entry.email_address,
        'phoneNumber', coalesce(account.phone_number, suggestion.phone_number),
        'languageCode', coalesce(account.language_code, suggestion.language_code),
        'pupUid', coalesce(pup.pup_uid, suggestion.pup_uid),
        'remarks', suggestion.remarks
      ) order by lower(entry.email_address), entry.account_id)
      from unnest(found.entry_ids) as wanted (entry_id)
      join account_search as entry using (entry_id)
      left join accounts as account on account.account_id = entry.account_id
      left join pick_up_points as pup on pup.pick_up_point_id = account.main_pick_up_point_id
      left join account_suggestions as suggestion on suggestion.upload_id = entry.upload_id
        and lower(suggestion.email_address collate "C") = lower(entry.email_address collate "C")
    ) as items
    from found
  `.execute(database);
  const [row] = rows;
  if (!row) throw new TypeError('search_accounts gave no row, expected one');
  return { items: row.items ?? [], isComplete: row.isComplete };
};
