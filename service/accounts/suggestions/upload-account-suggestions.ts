// UploadAccountSuggestions (interface): reads the file, replaces the tenant's suggestions, reports the counts.
import { hash } from 'node:crypto';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import pg from 'pg';
import type { Request } from '../../../contract/index.ts';
import { ApiError, tooManyRequests } from '../../api-error.ts';
import type { Context, Handler } from '../../handler.ts';
import { answerOnce } from '../../idempotency.ts';
import type { Database } from '../../storage/database.ts';
import { requireSupportedName } from './file-kind.ts';
import type { FileReading } from './read-file.ts';
import type { PickUpPointName } from './suggestion.ts';
import type { SuggestionFileReader } from './suggestion-file-reader.ts';

export const uploadAccountSuggestions =
  (fileReader: SuggestionFileReader): Handler<'UploadAccountSuggestions'> =>
  async (request, context) => {
    const { data, file } = request;
    if (file.content.byteLength === 0)
      throw new ApiError('MissingFile', 'The part file is empty: send a file with rows in it');
    requireSupportedName(file.name);
    const pickUpPoints = await pickUpPointNames(context);
    const reading = await fileReader.read(context.tenantId, file.content, pickUpPoints);
    // interface: "when absent the file name is used".
    const reference = data.reference ?? (file.name || null);
    return answerOnce(context, identityOf(request, context), async (transaction) => {
      const replaced = await replaceSuggestions(transaction, context.tenantId, reference, reading);
      return {
        reference,
        totalCount: reading.totalCount,
        importedCount: reading.importedCount,
        existedCount: replaced.existedCount,
        removedCount: replaced.removedCount,
        errorCount: reading.errorCount,
        dateTime: replaced.uploadedAt.toISOString(),
        errorLogs: [...reading.errorLogs],
      };
    });
  };

/**
 * Two requests with one Idempotency-Key are the same if this is equal. A file of megabytes is hashed only for
 * that.
 */
function identityOf(
  { data, file }: Request<'UploadAccountSuggestions'>,
  { idempotencyKey }: Context,
): object {
  if (idempotencyKey === undefined) return {};
  return { data, name: file.name, sha256: hash('sha256', file.content) };
}

const pickUpPointNames = ({ database, tenantId }: Context): Promise<PickUpPointName[]> =>
  database
    .selectFrom('pick_up_points')
    .select(['pup_uid as pupUid', 'name'])
    .where('tenant_id', '=', tenantId)
    .execute();

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
async function replaceSuggestions(
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

const countExisting = (transaction: Kysely<Database>, uploadId: number): Promise<number> =>
  counted(
    transaction,
    sql`upload_id = ${uploadId} and exists (select from accounts as other where ${sameEmailAddress})`,
  );

const countRemoved = (transaction: Kysely<Database>, former: number, uploadId: number): Promise<number> =>
  counted(
    transaction,
    sql`upload_id = ${former} and not exists (
      select from account_suggestions as other where other.upload_id = ${uploadId} and ${sameEmailAddress})`,
  );

/** E-mail addresses compare without regard to case (assumptions: Accounts and upload). */
const sameEmailAddress = sql`
  lower(other.email_address collate "C") = lower(suggestion.email_address collate "C")`;

async function counted(transaction: Kysely<Database>, condition: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from account_suggestions as suggestion where ${condition}
  `.execute(transaction);
  return rows[0]?.count ?? 0;
}
