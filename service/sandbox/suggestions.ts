// GET /sandbox/suggestions?search=…: the suggestions of the account search during the registration of a parcel. The
// interface has no operation that shows it (UploadAccountSuggestions: "Uploaded data appears as suggestions in account
// search").
import { sql } from 'kysely';
import { z } from 'zod';
import { text } from '../../contract/wire/fields.ts';
import { sandboxRoute } from './sandbox-route.ts';

/** As many as a person reads before typing more. */
const MOST_SUGGESTIONS = 20;

const searched = ['email_address', 'first_name', 'last_name', 'phone_number'] as const;

export const suggestions = sandboxRoute(
  'GET',
  '/sandbox/suggestions',
  z.object({ search: text.max(200).default('') }),
  async ({ search }, { database, tenantId }) => {
    const upload = await database
      .selectFrom('account_suggestion_uploads')
      .select(['upload_id', 'reference'])
      .where('tenant_id', '=', tenantId)
      .executeTakeFirst();
    if (!upload) return { reference: null, items: [] };
    const items = await database
      .selectFrom('account_suggestions')
      .select([
        'email_address as emailAddress',
        'phone_number as phoneNumber',
        'language_code as languageCode',
        'first_name as firstName',
        'last_name as lastName',
        'remarks',
        'pup_uid as pupUid',
      ])
      .where('upload_id', '=', upload.upload_id)
      .where(({ or }) =>
        or(
          searched.map((column) => sql<boolean>`position(lower(${search}) in lower(${sql.ref(column)})) > 0`),
        ),
      )
      .orderBy('email_address')
      .limit(MOST_SUGGESTIONS)
      .execute();
    return { reference: upload.reference, items };
  },
);
