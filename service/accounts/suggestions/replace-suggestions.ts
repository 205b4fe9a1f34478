// Makes an upload the tenant's active one: as a whole or not at all, one upload of a tenant at a time.
import { type Kysely, sql } from 'kysely';
import pg from 'pg';
import { tooManyRequests } from '../../refusal.ts';
import type { Database } from '../../storage/database.ts';
import type { FileReading } from './read-file.ts';

const LOCK_NOT_AVAILABLE = '55P03';
/** An upload of 100,000 rows holds its tenant's row for some 2 s, and longer on a busy machine. */
const RETRY_AFTER_SECONDS = 5;

interface Replaced {
  readonly uploadedAt: Date;
  /** assumptions: Accounts and upload: active rows with an e-mail address that has an account. */
  readonly existedCount: number;
  /** assumptions: Accounts and upload: e-mail addresses of the former upload that are not in this one. */
  readonly removedCount: number;
}

/** The suggestions go to Postgres as unparsed JSON arrays: parsing them here would delay other requests. */
export async function replaceSuggestions(
  transaction: Kysely<Database>,
  tenantId: number,
  reference: string | null,
  { suggestions }: Pick<FileReading, 'suggestions'>,
): Promise<Replaced> {
  const former = await lockUpload(transaction, tenantId).catch((error: unknown) => {
    const isHeld = error instanceof pg.DatabaseError && error.code === LOCK_NOT_AVAILABLE;
    throw isHeld ? tooManyRequests(RETRY_AFTER_SECONDS) : error;
  });
  const { uploadId, uploadedAt } = await startUpload(transaction, tenantId, reference);
  for (const chunk of suggestions) await insertChunk(transaction, uploadId, chunk);
  const existedCount = await countExisting(transaction, uploadId);
  const removedCount = await countRemoved(transaction, former, uploadId);
  await transaction.deleteFrom('account_suggestions').where('upload_id', '=', former).execute();
  return { uploadedAt, existedCount, removedCount };
}

/** Gives the active upload, locked. If there is none, it makes an empty one to lock. */
async function lockUpload(transaction: Kysely<Database>, tenantId: number): Promise<number> {
  const { upload_id } = await transaction
    .insertInto('account_suggestion_uploads')
    .values({ tenant_id: tenantId, reference: null, uploaded_at: sql`clock_timestamp()` })
    .onConflict((conflict) => conflict.column('tenant_id').doUpdateSet({ tenant_id: tenantId }))
    .returning('upload_id')
    .executeTakeFirstOrThrow();
  return upload_id;
}

async function startUpload(transaction: Kysely<Database>, tenantId: number, reference: string | null) {
  return transaction
    .updateTable('account_suggestion_uploads')
    .set({
      upload_id: sql`nextval('account_suggestion_upload_ids')`,
      reference,
      // Not the start time of the transaction: it may have waited for a later upload.
      uploaded_at: sql`clock_timestamp()`,
    })
    .where('tenant_id', '=', tenantId)
    .returning(['upload_id as uploadId', 'uploaded_at as uploadedAt'])
    .executeTakeFirstOrThrow();
}

/** A buffer goes to Postgres as it is, and the binary form of the type json is its text. */
const jsonOf = (chunk: Uint8Array) =>
  sql`${Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)}::json`;

async function insertChunk(transaction: Kysely<Database>, uploadId: number, chunk: Uint8Array) {
  await sql`
    insert into account_suggestions
      (upload_id, email_address, phone_number, language_code, first_name, last_name, remarks, pup_uid)
    select ${uploadId}, "emailAddress", "phoneNumber", "languageCode", "firstName", "lastName", "remarks", "pupUid"
    from json_to_recordset(${jsonOf(chunk)}) as suggestion (
      "emailAddress" text, "phoneNumber" text, "languageCode" text, "firstName" text, "lastName" text,
      "remarks" text, "pupUid" text)
  `.execute(transaction);
}

async function countExisting(transaction: Kysely<Database>, uploadId: number): Promise<number> {
  const { count } = await transaction
    .selectFrom('account_suggestions as suggestion')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('suggestion.upload_id', '=', uploadId)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('accounts as account')
          .select('account.account_id')
          .where(sameEmailAddress('account', 'suggestion')),
      ),
    )
    .executeTakeFirstOrThrow();
  return count;
}

async function countRemoved(
  transaction: Kysely<Database>,
  former: number,
  uploadId: number,
): Promise<number> {
  const { count } = await transaction
    .selectFrom('account_suggestions as former')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('former.upload_id', '=', former)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('account_suggestions as suggestion')
            .select('suggestion.upload_id')
            .where('suggestion.upload_id', '=', uploadId)
            .where(sameEmailAddress('former', 'suggestion')),
        ),
      ),
    )
    .executeTakeFirstOrThrow();
  return count;
}

/** E-mail addresses compare without regard to case (assumptions: Accounts and upload). */
const sameEmailAddress = (one: string, two: string) =>
  sql<boolean>`lower(${sql.ref(`${one}.email_address`)} collate "C") =
    lower(${sql.ref(`${two}.email_address`)} collate "C")`;
