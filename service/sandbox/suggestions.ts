// GET /sandbox/suggestions?search=…: the suggestions of the account search during the registration of a parcel. The
// interface has no operation that shows it (UploadAccountSuggestions: "Uploaded data appears as suggestions in account
// search").
import { sql } from 'kysely';
import { z } from 'zod';
import { textOf } from '../../contract/wire/text.ts';
import { sandboxRoute } from './sandbox-route.ts';

/** As many as a person reads before typing more. */
const MAX_SUGGESTIONS = 20;

const searched = ['email_address', 'first_name', 'last_name', 'phone_number'] as const;

const suggestion = z.object({
  emailAddress: z.string(),
  phoneNumber: z.string().nullable(),
  languageCode: z.string().nullable(),
  firstName: z.string().nullable(),
  lastName: z.string().nullable(),
  remarks: z.string().nullable(),
  pupUid: z.string().nullable(),
});

export const suggestions = sandboxRoute({
  method: 'GET',
  path: '/sandbox/suggestions',
  meaning: 'The active account suggestions, as the search at the registration of a parcel finds them',
  input: z.object({
    search: textOf(0, 200).default('').describe('A part of the e-mail address, the name or the phone number'),
  }),
  example: {},
  answer: z.object({
    reference: z.string().nullable().describe('Of the upload; null when there is none'),
    items: z.array(suggestion),
  }),
  handle: async ({ search }, { database, tenantId }) => {
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
      .limit(MAX_SUGGESTIONS)
      .execute();
    return { reference: upload.reference, items };
  },
});
