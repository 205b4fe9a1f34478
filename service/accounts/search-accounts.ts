// SearchAccounts (assumptions: Operating): accounts that the tenant manages, and its active suggestions. The search itself
// is in storage/functions/account-search.sql.
import { sql } from 'kysely';
import type { Response } from '../../contract/index.ts';
import type { Handler } from '../handler.ts';
import { withinBytes } from '../page.ts';
import { searchedText, signatureOf } from './search-blocks.ts';

type Item = Response<'SearchAccounts'>['items'][number];

export const searchAccounts: Handler<'SearchAccounts'> = async (request, { database, tenantId }) => {
  const { searchText, most } = request;
  const text = searchedText(searchText);
  if (text === undefined) return { items: [], isComplete: true };
  const { rows: items } = await sql<Item>`
    with found as materialized (
      select * from search_accounts(${tenantId}, ${searchText}, ${text}, ${signatureOf([text])}, ${most})
      limit ${most + 1}
    )
    select case when found.account_id is null then 'Suggestion' else 'Account' end as kind,
      account.user_uid as "userUid",
      coalesce(account.first_name, suggestion.first_name) as "firstName",
      coalesce(account.last_name, suggestion.last_name) as "lastName",
      coalesce(account.email_address, suggestion.email_address) as "emailAddress",
      coalesce(account.phone_number, suggestion.phone_number) as "phoneNumber",
      coalesce(account.language_code, suggestion.language_code) as "languageCode",
      coalesce(pup.pup_uid, suggestion.pup_uid) as "pupUid",
      suggestion.remarks
    from found
    left join accounts as account on account.account_id = found.account_id
    left join pick_up_points as pup on pup.pick_up_point_id = account.main_pick_up_point_id
    left join account_suggestions as suggestion on suggestion.upload_id = found.upload_id
      and lower(suggestion.email_address collate "C") = lower(found.email_address collate "C")
  `.execute(database);
  const found = withinBytes(items.slice(0, most));
  return { items: found.sort(byEmailAddress), isComplete: found.length === items.length };
};

function byEmailAddress(one: Item, two: Item): number {
  const [first, second] = [one, two].map(({ emailAddress }) => emailAddress?.toLowerCase() ?? '') as [
    string,
    string,
  ];
  if (first === second) return one.kind === 'Account' ? -1 : 1;
  return first < second ? -1 : 1;
}
