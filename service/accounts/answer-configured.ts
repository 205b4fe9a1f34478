// The one transaction of CreateAccount and CreateOrGetAccount. The account stays even if the mutation configuration
// cannot be applied (interface, behaviour 4: MutationConfigFailed; assumptions: Accounts and upload: it carries the
// userUid).
import { sql, type Transaction } from 'kysely';
import type { Context } from '../handler.ts';
import { answerOnce } from '../idempotency.ts';
import { Refusal } from '../refusal.ts';
import type { Database } from '../storage/database.ts';
import { lockManagedAccount } from './account.ts';
import { setMutationFlags } from './mutation-config.ts';
import type { NewAccount } from './new-account.ts';

/** Gives the answer's userUid the mutation configuration that the request asks for. */
type Configure = (userUid: string) => Promise<void>;

export async function answerConfigured<Answer extends { readonly userUid: string }>(
  context: Context,
  request: NewAccount,
  effect: (transaction: Transaction<Database>, configure: Configure) => Promise<Answer>,
): Promise<Answer> {
  let failure: unknown;
  const answer = await answerOnce(
    context,
    request,
    async (transaction) => {
      failure = undefined;
      return effect(transaction, async (userUid) => {
        failure = await configurationFailure(transaction, context, userUid, request.mutationConfig);
      });
    },
    () => failure !== undefined,
  );
  if (failure === undefined) return answer;
  const { userUid } = answer;
  // If the tenant may not manage the account, the caller must act; the operator must act on any other failure.
  const level = failure instanceof Refusal ? 'info' : 'error';
  context.log[level]({ err: failure, userUid }, 'a mutation configuration could not be applied');
  throw new Refusal(
    'MutationConfigFailed',
    failure instanceof Refusal
      ? 'The account exists but is managed by another service provider, so its mutation configuration was not applied: send the request without mutationConfig, or take the userUid of this answer'
      : 'The account was created or updated, but its mutation configuration could not be applied',
    { userUid },
  );
}

async function configurationFailure(
  transaction: Transaction<Database>,
  { tenantId, switches }: Context,
  userUid: string,
  mutationConfig: NewAccount['mutationConfig'],
): Promise<unknown> {
  if (!Object.values(mutationConfig ?? {}).some((flag) => flag != null)) return undefined;
  await sql`savepoint mutation_configuration`.execute(transaction);
  try {
    if (switches.mutationConfigFails) throw new Error('/sandbox/switches has mutationConfigFails on');
    const { accountId } = await lockManagedAccount(transaction, tenantId, userUid);
    await setMutationFlags(transaction, accountId, mutationConfig ?? {});
    return undefined;
  } catch (error) {
    await sql`rollback to savepoint mutation_configuration`.execute(transaction);
    return error;
  }
}
