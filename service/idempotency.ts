// Idempotency-Key (assumptions: The wire): the same request with the same key gets the first success again. The key is written
// in the transaction of the effect, so that both are there or neither; a refusal rolls it back.
import { hash } from 'node:crypto';
import { sql, type Transaction } from 'kysely';
import { z } from 'zod';
import { IDEMPOTENCY_KEY_REUSED_STATUS, operationRow } from '../contract/index.ts';
import { auditedRequestOf, insertAuditEntry, SUCCESS, subjectsOf } from './audit/audit-entry.ts';
import type { Context } from './handler.ts';
import { Refusal } from './refusal.ts';
import type { Database } from './storage/database.ts';
import { inTransaction } from './storage/transaction.ts';

/** The columns that find a kept answer; null without a key. */
export interface AnswerKey {
  readonly keyHash: Buffer | null;
  readonly requestHash: Buffer | null;
}

/** The database has only the hash of the key. For a request that has no key of its own: see KeptForm. */
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

// ASSUMPTION: the key counts for operations with an effect. Operations that only read always read again.
/**
 * Runs an effect as one transaction, or gives the earlier answer to the same request. `isRefused`: the effect stays,
 * but the answer is a refusal, and refusals are not kept.
 */
export function answerOnce<Answer extends object>(
  context: Context,
  request: object,
  effect: (transaction: Transaction<Database>) => Promise<Answer>,
  isRefused = () => false,
): Promise<Answer> {
  const { tenantId, operation } = context;
  const { keyHash } = answerKeyOf(context, request);
  const kept = keptFormOf<Answer>(context, keyHash);
  /** In the transaction of the effect: so the audit log has every acknowledged change. */
  const audited = async (transaction: Transaction<Database>, answer: Answer): Promise<Answer> => {
    const entry = { ...auditedRequestOf(context), uids: subjectsOf(request, answer), outcome: SUCCESS };
    if (!isRefused()) await insertAuditEntry(entry).execute(transaction);
    return answer;
  };
  return inTransaction(context.database, async (transaction) => {
    if (keyHash === null) return audited(transaction, await effect(transaction));
    const requestHashes = kept.hashesOf(canonicalForm(request));
    const former = await formerAnswer(transaction, context, keyHash, requestHashes);
    if (former) return kept.read(former);
    const response = await audited(transaction, await effect(transaction));
    if (!isRefused())
      await sql`
        select keep_answer(
          ${tenantId}, ${operation}, ${keyHash}, ${requestHashes[0]}, ${JSON.stringify(kept.write(response))})
      `.execute(transaction);
    return response;
  });
}

/** Undefined if the key is new. Throws if none of the hashes is that of the request that had this key before. */
async function formerAnswer(
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

interface KeptForm<Answer> {
  /** The first one is stored; an earlier request may be stored under each. */
  hashesOf(canonicalRequest: string): readonly Buffer[];
  write(answer: Answer): object;
  read(kept: object): Answer;
}

/**
 * How the answer of an operation is kept: as plain JSON; or encrypted if it may have a key. Then the request may have one
 * too, and a plain hash of it would confirm a guess.
 */
function keptFormOf<Answer extends object>(
  { operation, tenantId, settings }: Context,
  keyHash: Buffer | null,
): KeptForm<Answer> {
  if (!operationRow(operation).answersKeys || keyHash === null)
    return {
      hashesOf: (request) => [hash('sha256', request, 'buffer')],
      write: (answer) => answer,
      read: (kept) => kept as Answer,
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
    read: (kept) => JSON.parse(encryption.open(sealedAnswer.parse(kept).sealed, place)),
  };
}

const sealedAnswer = z.object({ sealed: z.string() });

/** The casing of names, or null instead of an absent field, makes no difference. */
const canonicalForm = (request: object): string =>
  JSON.stringify(request, (_key, value) => (value === null ? undefined : value));

export const otherRequest = () =>
  new Refusal(
    'InvalidRequest',
    'Idempotency-Key: was used with another body within 24 hours; use a new key for a new request',
    {},
    { status: IDEMPOTENCY_KEY_REUSED_STATUS },
  );
