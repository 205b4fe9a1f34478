// Idempotency-Key (assumptions: The wire): repeating a request with its key returns the first success. The key is written in
// the transaction of the effect, so both commit or neither; a refusal rolls both back.
import { hash } from 'node:crypto';
import { sql, type Transaction } from 'kysely';
import { IDEMPOTENCY_KEY_REUSED_STATUS } from '../contract/index.ts';
import { auditedRequestOf, insertAuditEntry, SUCCESS, subjectsOf } from './audit/audit-entry.ts';
import type { Context } from './handler.ts';
import { Refusal } from './refusal.ts';
import type { Database } from './storage/database.ts';
import { inTransaction } from './storage/transaction.ts';

/** The columns that identify a stored answer; null without a key. */
export interface AnswerKey {
  readonly keyHash: Buffer | null;
  readonly requestHash: Buffer | null;
}

/** Only hashes are stored. */
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

// ASSUMPTION: the key applies to operations with an effect whose answers have no key; the others are done again each time.
/**
 * Runs an effect in one transaction, or returns the earlier answer to the same request. `isRefused`: the effect is committed,
 * but its answer is a refusal, and refusals are not stored.
 */
export function answerOnce<Answer extends object>(
  context: Context,
  request: object,
  effect: (transaction: Transaction<Database>) => Promise<Answer>,
  isRefused = () => false,
): Promise<Answer> {
  const { tenantId, operation } = context;
  const { keyHash, requestHash } = answerKeyOf(context, request);
  /** In the transaction of the effect, so the audit log has every acknowledged change. */
  const audited = async (transaction: Transaction<Database>, answer: Answer): Promise<Answer> => {
    const entry = { ...auditedRequestOf(context), uids: subjectsOf(request, answer), outcome: SUCCESS };
    if (!isRefused()) await insertAuditEntry(entry).execute(transaction);
    return answer;
  };
  return inTransaction(context.database, async (transaction) => {
    if (keyHash === null) return audited(transaction, await effect(transaction));
    const former = await formerAnswer(transaction, context, keyHash, requestHash);
    if (former) return former as Answer;
    const response = await audited(transaction, await effect(transaction));
    if (!isRefused())
      await sql`
        select keep_answer(${tenantId}, ${operation}, ${keyHash}, ${requestHash}, ${JSON.stringify(response)})
      `.execute(transaction);
    return response;
  });
}

/** Undefined if the key is new. Throws if the key was used before and that was another request. */
async function formerAnswer(
  transaction: Transaction<Database>,
  { tenantId, operation }: Context,
  keyHash: Buffer,
  requestHash: Buffer | null,
): Promise<object | undefined> {
  const { rows } = await sql<{ outcome: 'answered' | 'otherRequest' | null; response: object }>`
    select * from former_answer(${tenantId}, ${operation}, ${keyHash}, ${requestHash})
  `.execute(transaction);
  const [former] = rows;
  if (former?.outcome === 'otherRequest') throw otherRequest();
  return former?.outcome === 'answered' ? former.response : undefined;
}

/** Null and an absent field are the same. Names have their canonical casing already. */
const canonicalForm = (request: object): string =>
  JSON.stringify(request, (_key, value) => (value === null ? undefined : value));

export const otherRequest = () =>
  new Refusal(
    'InvalidRequest',
    'Idempotency-Key: was used with another body within 24 hours; use a new key for a new request',
    {},
    { status: IDEMPOTENCY_KEY_REUSED_STATUS },
  );
