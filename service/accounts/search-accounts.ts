// SearchAccounts (assumptions: Operating): accounts that the tenant manages, and its active suggestions.
import { sql } from 'kysely';
import type { Response } from '../../contract/index.ts';
import type { Handler } from '../handler.ts';
import { withinBytes } from '../page.ts';

type Item = Response<'SearchAccounts'>['items'][number];

export const searchAccounts: Handler<'SearchAccounts'> = async (request, { database, tenantId }) => {
  const { searchText, most } = request;
  // Never a prepared statement: Postgres plans by the text.
  const matches = sql`search_text like search_pattern(${searchText})`;
  const { rows: items } = await sql<Item>`
    with found_accounts as (
      (select account_id from accounts where managing_tenant_id = ${tenantId} and ${matches} limit ${most + 1})
      union
      select account_id from tenants join accounts on account_id = main_account_id
      where tenant_id = ${tenantId} and ${matches}
    ), found_suggestions as (
      select * from account_suggestions
      where upload_id = (select upload_id from account_suggestion_uploads where tenant_id = ${tenantId}) and ${matches}
      limit ${most + 1}
    )
    select 'Account' as kind, user_uid as "userUid", first_name as "firstName", last_name as "lastName",
      email_address as "emailAddress", phone_number as "phoneNumber", language_code as "languageCode",
      pup_uid as "pupUid", null as remarks
    from found_accounts join accounts using (account_id)
    left join pick_up_points on pick_up_point_id = main_pick_up_point_id
    union all
    select 'Suggestion', null, first_name, last_name, email_address, phone_number, language_code, pup_uid, remarks
    from found_suggestions limit ${most + 1}
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
