// The second step of CreateAccount and CreateOrGetAccount: the account is there by now, whatever becomes of this.
import type { Request } from '../../contract/index.ts';
import type { Context } from '../handler.ts';
import { Refusal } from '../refusal.ts';
import { inTransaction } from '../storage/transaction.ts';
import { lockManagedAccount } from './account.ts';
import { setMutationFlags } from './mutation-config.ts';

/** interface, behaviour 4: MutationConfigFailed; decisions §5: it carries the userUid. */
export async function applyMutationConfig(
  { database, tenantId, log }: Context,
  userUid: string,
  mutationConfig: Request<'CreateAccount'>['mutationConfig'],
): Promise<void> {
  if (mutationConfig == null) return;
  try {
    await inTransaction(database, async (transaction) => {
      const { accountId } = await lockManagedAccount(transaction, tenantId, userUid);
      await setMutationFlags(transaction, accountId, mutationConfig);
    });
  } catch (error) {
    log.error({ err: error, userUid }, 'the mutation configuration of an account could not be applied');
    throw new Refusal(
      'MutationConfigFailed',
      'The account was created or updated, but its mutation configuration could not be applied',
      { userUid },
    );
  }
}
