// Idempotency-Key (assumptions: The wire): repeating a request with its key returns the first success. The key is written in
// the transaction of the effect, so both commit or neither; a refusal rolls both back.
import { hash } from 'node:crypto';
import { sql, type Transaction } from 'kysely';
import { z } from 'zod';
import { IDEMPOTENCY_KEY_REUSED_STATUS, operationRow } from '../contract/index.ts';
import { ApiError } from './api-error.ts';
import { insertAuditEntry, SUCCESS, subjectsOf } from './audit/audit-entry.ts';
import type { Context } from './handler.ts';
import type { Database } from './storage/database.ts';
import { inTransaction } from './storage/transaction.ts';

/** The columns that identify a stored answer; null without a key. */
export interface AnswerKey {
  readonly keyHash: Buffer | null;
  readonly requestHash: Buffer | null;
}

/** Only hashes are stored. For requests that contain no secret key; others need `storageFormatOf`. */
export const answerKeyOf = (
  { idempotencyKey }: Pick<Context, 'idempotencyKey'>,
  request: object,
): AnswerKey =>
  idempotencyKey === undefined
    ? { keyHash: null, requestHash: null }
    : {
        keyHash: hash('sha256', idempotencyKey, 'buffer'),
        requestHash: hash('sha256', canonicalForm(request), 'buffer'),
      };

// ASSUMPTION: the key applies to operations with an effect; the others read again each time.
/**
 * Runs an effect in one transaction, or returns the earlier answer to the same request. `isRefused`: the effect is committed,
 * but its answer is a refusal, and refusals are not stored. `alsoAbout`: uids that the
 * audit log has its entry by, beside those of request and answer.
 */
export function answerOnce<Answer extends object>(
  context: Context,
  request: object,
  effect: (transaction: Transaction<Database>) => Promise<Answer>,
  isRefused = () => false,
  alsoAbout: () => readonly string[] = () => [],
): Promise<Answer> {
  const { tenantId, operation } = context;
  const { keyHash } = answerKeyOf(context, request);
  const format = storageFormatOf<Answer>(context, keyHash);
  /** In the transaction of the effect, so the audit log has every acknowledged change. */
  const audited = async (transaction: Transaction<Database>, answer: Answer): Promise<Answer> => {
    const uids = [...new Set([...subjectsOf(request, answer), ...alsoAbout()])];
    const entry = { ...context, uids, outcome: SUCCESS };
    if (!isRefused()) await insertAuditEntry(entry).execute(transaction);
    return answer;
  };
  return inTransaction(context.database, async (transaction) => {
    if (keyHash === null) return audited(transaction, await effect(transaction));
    const requestHashes = format.hashesOf(canonicalForm(request));
    const former = await formerAnswer(transaction, context, keyHash, requestHashes);
    if (former) return format.read(former);
    const response = await audited(transaction, await effect(transaction));
    if (!isRefused())
      await sql`
        select keep_answer(
          ${tenantId}, ${operation}, ${keyHash}, ${requestHashes[0]}, ${JSON.stringify(format.write(response))})
      `.execute(transaction);
    return response;
  });
}

/** Undefined if the key is new. Throws if the key was used before and none of the hashes matches that request. */
export async function formerAnswer(
  transaction: Transaction<Database>,
  { tenantId, operation }: Context,
  keyHash: Buffer,
  requestHashes: readonly Buffer[],
): Promise<object | undefined> {
  for (const requestHash of requestHashes) {
    const { rows } = await sql<{ outcome: 'answered' | 'otherRequest' | null; response: object }>`
      select * from former_answer(${tenantId}, ${operation}, ${keyHash}, ${requestHash})
    `.execute(transaction);
    const [former] = rows;
    if (former?.outcome === 'answered') return former.response;
    if (former?.outcome !== 'otherRequest') return undefined;
  }
  throw otherRequest();
}

interface StorageFormat<Answer> {
  /** The first hash is for storing; an earlier request may be stored under any of them. */
  hashesOf(canonicalRequest: string): readonly Buffer[];
  write(answer: Answer): object;
  read(stored: object): Answer;
}

/**
 * Answers are stored as plain JSON, or encrypted if they may contain a secret key. The request may then contain one too, and
 * a plain hash would let an attacker confirm a guess.
 */
function storageFormatOf<Answer extends object>(
  { operation, tenantId, settings }: Context,
  keyHash: Buffer | null,
): StorageFormat<Answer> {
  if (!operationRow(operation).answersKeys || keyHash === null)
    return {
      hashesOf: (request) => [hash('sha256', request, 'buffer')],
      write: (answer) => answer,
      read: (stored) => stored as Answer,
    };
  const { encryption } = settings;
  const row = [String(tenantId), operation, keyHash.toString('hex')];
  const place = {
    boundTo: ['idempotency_keys', 'response', ...row],
    name: `idempotency_keys/${row.join('/')}`,
  };
  return {
    hashesOf: (request) => encryption.hashes(request),
    write: (answer) => ({ sealed: encryption.seal(JSON.stringify(answer), place) }),
    read: (stored) => JSON.parse(encryption.open(sealedAnswer.parse(stored).sealed, place)),
  };
}

const sealedAnswer = z.object({ sealed: z.string() });

/** Null and an absent field are the same. Names have their canonical casing already. */
const canonicalForm = (request: object): string =>
  JSON.stringify(request, (_key, value) => (value === null ? undefined : value));

export const otherRequest = () =>
  new ApiError(
    'InvalidRequest',
    'Idempotency-Key: was used with another body within 24 hours; use a new key for a new request',
    {},
    { status: IDEMPOTENCY_KEY_REUSED_STATUS },
  );
