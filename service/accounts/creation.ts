// CreateAccount and CreateOrGetAccount (interface: Account management, behaviours 1 to 4).
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Context, Handlers } from '../handler.ts';
import { answerOnce } from '../idempotency.ts';
import { Refusal } from '../refusal.ts';
import type { Database } from '../storage/database.ts';
import { violatedIndex } from '../storage/transaction.ts';
import {
  type Account,
  accessDenied,
  emailAlreadyRegistered,
  hiddenIdentity,
  identityOf,
  lockManagedAccount,
  managedAccount,
  ownPickUpPointId,
} from './account.ts';
import { keptEmailAddress } from './email-address.ts';
import { mutationFlagsOf, setMutationFlags } from './mutation-config.ts';
import { findOrInsert, type NewAccount, type Registered } from './new-account.ts';

export const creation = {
  /** Behaviour 1: makes an account where none exists, else refuses. */
  CreateAccount: (request, context) =>
    answerConfigured(context, request, async (transaction, configure) => {
      const { tenantId } = context;
      const pickUpPointId = await ownPickUpPointId(transaction, tenantId, request.pickUpPointUid);
      const { userUid } = await findOrInsert(transaction, { tenantId, pickUpPointId }, request, refuse);
      await configure(userUid);
      const account = await managedAccount(transaction, tenantId, userUid);
      return { ...identityOf(account), userName: account.userName };
    }),

  /**
   * Behaviours 2 and 3: gives the account that exists by e-mail address, moves one that exists by user name to the e-mail address,
   * or makes one.
   */
  CreateOrGetAccount: (request, context) =>
    answerConfigured(context, request, async (transaction, configure) => {
      const { tenantId } = context;
      const pickUpPointId = await ownPickUpPointId(transaction, tenantId, request.pickUpPointUid);
      const place = { tenantId, pickUpPointId };
      const { userUid, isNew, managed } = await findOrInsert(
        transaction,
        place,
        request,
        async (registered) => {
          const account = accountMeant(request, registered);
          if (account.managed) await moveToEmailAddress(transaction, tenantId, account, request);
          return { userUid: account.userUid, isNew: false, managed: account.managed };
        },
      );
      await configure(userUid);
      if (!managed) return { ...hiddenIdentity, userUid, isExisting: true };
      const account = await managedAccount(transaction, tenantId, userUid);
      return { ...identityOf(account), userName: account.userName, isExisting: !isNew };
    }),
} satisfies Partial<Handlers>;

/** assumptions: Accounts and upload: AccessDenied if the caller does not manage the account. */
async function refuse({ byEmailAddress, byUserName }: Registered): Promise<never> {
  if (!(byEmailAddress ?? byUserName)?.managed) throw accessDenied();
  if (byEmailAddress) throw emailAlreadyRegistered();
  throw new Refusal(
    'UserNameAlreadyRegistered',
    'The user name is registered for another account: choose another one',
  );
}

/**
 * interface: "returns an existing account found by e-mail and optional username". Refuses if the two belong to
 * different accounts.
 */
function accountMeant({ userName }: NewAccount, { byEmailAddress, byUserName }: Registered): Account {
  if (byEmailAddress && (userName == null || byUserName?.userUid === byEmailAddress.userUid))
    return byEmailAddress;
  // assumptions: Accounts and upload: AccessDenied if the user name belongs to an account that the caller does not
  // manage.
  if (byUserName && !byUserName.managed) throw accessDenied();
  // interface: the e-mail address is registered and another user name is given; or, without one, the e-mail address
  // would be the new user name and somebody has that.
  if (userName == null) throw emailAlreadyRegistered();
  // The caller must not learn the user name of another provider's account: behaviour 3, as if no user name were given.
  if (byEmailAddress && !byEmailAddress.managed && !byUserName) return byEmailAddress;
  if (byEmailAddress || !byUserName) throw emailAlreadyRegistered();
  return byUserName;
}

async function moveToEmailAddress(
  transaction: Kysely<Database>,
  tenantId: number,
  account: Account,
  request: NewAccount,
): Promise<void> {
  const emailAddress = keptEmailAddress(request.emailAddress);
  if (account.emailAddress?.toLowerCase() === emailAddress.toLowerCase()) return;
  const { accountId } = await lockManagedAccount(transaction, tenantId, account.userUid);
  const { canChangeEmailAddress } = await mutationFlagsOf(transaction, accountId);
  // interface: EmailAlreadyRegistered "also when a different username is given and the e-mail of that user cannot be changed".
  if (canChangeEmailAddress === false)
    throw new Refusal(
      'EmailAlreadyRegistered',
      'The account with this user name has another e-mail address, and its canChangeEmailAddress is false: send its own e-mail address, or another user name',
    );
  try {
    await transaction
      .updateTable('accounts')
      .set({ email_address: emailAddress })
      .where('account_id', '=', accountId)
      .execute();
  } catch (error) {
    if (violatedIndex(error) === 'accounts_email_address_key') throw emailAlreadyRegistered();
    throw error;
  }
}

/** Gives the answer's userUid the mutation configuration that the request asks for. */
type Configure = (userUid: string) => Promise<void>;

/**
 * The one transaction of both. The account stays even if the mutation configuration cannot be applied (interface, behaviour 4:
 * MutationConfigFailed; assumptions: Accounts and upload: it carries the userUid).
 */
async function answerConfigured<Answer extends { readonly userUid: string }>(
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
