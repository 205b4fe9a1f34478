// CreateAccount and CreateOrGetAccount (interface: Account management, behaviours 1 to 4).

import { randomInt, randomUUID } from 'node:crypto';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Request } from '../../contract/index.ts';
import { e164 } from '../../contract/wire/phone-number.ts';
import { ApiError } from '../api-error.ts';
import type { Context, Handlers } from '../handler.ts';
import { answerOnce } from '../idempotency.ts';
import type { Database } from '../storage/database.ts';
import {
  type Account,
  accessDenied,
  accountsSeenBy,
  emailAddressIs,
  emailAlreadyRegistered,
  hiddenIdentity,
  identityOf,
  lockManagedAccount,
  managedAccount,
  mutationFlagsOf,
  ownPickUpPointId,
  setMutationFlags,
  updateAccount,
  userNameIs,
} from './account.ts';
import { keptEmailAddress } from './email-address.ts';

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
          const account = requestedAccount(request, registered);
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
  throw new ApiError(
    'UserNameAlreadyRegistered',
    'The user name is registered for another account: choose another one',
  );
}

/**
 * interface: "returns an existing account found by e-mail and optional username". Refuses if the two belong to
 * different accounts.
 */
function requestedAccount({ userName }: NewAccount, { byEmailAddress, byUserName }: Registered): Account {
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
    throw new ApiError(
      'EmailAlreadyRegistered',
      'The account with this user name has another e-mail address, and its canChangeEmailAddress is false: send its own e-mail address, or another user name',
    );
  await updateAccount(transaction, accountId, { email_address: emailAddress });
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
  const level = failure instanceof ApiError ? 'info' : 'error';
  context.log[level]({ err: failure, userUid }, 'a mutation configuration could not be applied');
  throw new ApiError(
    'MutationConfigFailed',
    failure instanceof ApiError
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

type NewAccount = Request<'CreateAccount'>;

interface Registered {
  readonly byEmailAddress: Account | undefined;
  /** By the given user name, or by the user name that the new account would have. */
  readonly byUserName: Account | undefined;
}

/**
 * The request waits for a concurrent creation, then finds the account: at most twice, unless a mail code is taken
 * or an account is removed at that moment. Without a limit, a defect would make it loop for ever.
 */
const MAX_ATTEMPTS = 5;

/**
 * Makes the account if no account has its e-mail address and user name. Else `existing` decides: it gives the uid of
 * the account that the request means, or refuses.
 */
async function findOrInsert<Found>(
  transaction: Kysely<Database>,
  { tenantId, pickUpPointId }: { readonly tenantId: number; readonly pickUpPointId: number },
  request: NewAccount,
  existing: (registered: Registered) => Promise<Found>,
): Promise<Found | { readonly userUid: string; readonly isNew: true; readonly managed: true }> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const registered = await registeredAccounts(transaction, tenantId, request);
    if (registered.byEmailAddress || registered.byUserName) return existing(registered);
    const userUid = await insertAccount(transaction, request, pickUpPointId);
    if (userUid !== undefined) return { userUid, isNew: true, managed: true };
  }
  throw new Error(`After ${MAX_ATTEMPTS} attempts the account does not exist and cannot be made`);
}

/**
 * One statement: between two statements another request could make the account, and only the user name would be found.
 * Locked: what is found is not removed before the request has used it.
 */
async function registeredAccounts(
  transaction: Kysely<Database>,
  tenantId: number,
  request: NewAccount,
): Promise<Registered> {
  const hasEmailAddress = emailAddressIs(request.emailAddress);
  const hasUserName = userNameIs(userNameOf(request));
  const accounts = await accountsSeenBy(transaction, tenantId)
    .select([hasEmailAddress.as('hasEmailAddress'), hasUserName.as('hasUserName')])
    .where(({ or }) => or([hasEmailAddress, hasUserName]))
    .forNoKeyUpdate('account')
    .execute();
  return {
    byEmailAddress: accounts.find((account) => account.hasEmailAddress),
    byUserName: accounts.find((account) => account.hasUserName),
  };
}

/** interface: userName "defaults to the e-mail address". */
const userNameOf = ({ userName, emailAddress }: NewAccount): string =>
  userName ?? keptEmailAddress(emailAddress);

/** Gives the uid, or undefined if an account with this e-mail address, user name or mail code exists. */
async function insertAccount(
  transaction: Kysely<Database>,
  request: NewAccount,
  pickUpPointId: number,
): Promise<string | undefined> {
  const row = await transaction
    .insertInto('accounts')
    .values({
      user_uid: randomUUID(),
      user_name: userNameOf(request),
      email_address: keptEmailAddress(request.emailAddress),
      first_name: request.firstName,
      last_name: request.lastName,
      phone_number: request.phoneNumber == null ? null : e164(request.phoneNumber),
      language_code: request.languageCode ?? null,
      street_name: request.streetName ?? null,
      street_no: request.streetNo ?? null,
      mailbox: request.mailbox ?? null,
      city: request.city ?? null,
      country_code: request.countryCode ?? null,
      main_pick_up_point_id: pickUpPointId,
      mail_code: newMailCode(),
    })
    // Waits for a concurrent creation of the same account, then finds it: exactly one of many requests makes the
    // account.
    .onConflict((conflict) => conflict.doNothing())
    .returning('user_uid')
    .executeTakeFirst();
  return row?.user_uid;
}

// The mail delivery code of an account, unique at its main pick up point.
// ASSUMPTION: interface, Account: "Mail delivery code of the account"; its form is not shown.
/** People read these codes from labels and type them: without 0, O, 1, I and L. */
const LETTERS = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';
/** 31^6: with 100,000 accounts at one pick up point one new code in 9,000 is taken, and drawn again. */
const LENGTH = 6;

export const newMailCode = (): string =>
  Array.from({ length: LENGTH }, () => LETTERS.charAt(randomInt(LETTERS.length))).join('');
