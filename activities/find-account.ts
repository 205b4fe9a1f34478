// Creates the account of a person, or finds the existing one (interface: Account behaviours 2 to 4).
import { log } from '@temporalio/activity';
import {
  type AccountDetail,
  accountDetailGroups,
  accountDetailNames,
  type CheckedFlowInput,
  type Request,
  type Response,
  type UidField,
} from '../contract/index.ts';
import { e164 } from '../contract/wire/phone-number.ts';
import { LockerApiError } from '../shared/locker-api/index.ts';
import { apiFailure } from './failures.ts';
import type { OnboardedAccount, SetAccountDetailsInput } from './flow-activities.ts';
import { callOperation, type ReadingDependencies } from './operation-call.ts';

type NewAccount = Request<'CreateOrGetAccount'>;
type Answer = Response<'CreateOrGetAccount'>;

export interface FoundAccount {
  readonly account: Pick<Answer, 'userUid' | 'isExisting' | 'canManageUser'> & Partial<Answer>;
  /** False: the account exists, but the service did not apply the mutation configuration (behaviour 4). */
  readonly flagsApplied: boolean;
}

export async function createOrFindAccount(
  dependencies: ReadingDependencies,
  wanted: NewAccount,
  settings: { readonly idempotencyKey?: string } = {},
): Promise<FoundAccount> {
  try {
    const account = await callOperation(dependencies.api, 'CreateOrGetAccount', wanted, settings);
    return { account, flagsApplied: true };
  } catch (error) {
    if (!(error instanceof LockerApiError) || error.code !== 'MutationConfigFailed') throw error;
    const account = await accountAfterConfigFailure(dependencies, wanted, error);
    // Another tenant's account existed before. Otherwise no answer tells whether this call has created it.
    const isExisting = account.canManageUser === false ? true : null;
    return { account: { ...account, isExisting }, flagsApplied: false };
  }
}

/**
 * The error does not tell whether the account is new or another tenant's, and may lack the userUid: the interface does not
 * specify its fields.
 */
async function accountAfterConfigFailure(
  dependencies: ReadingDependencies,
  wanted: NewAccount,
  { fields }: LockerApiError,
): Promise<FoundAccount['account']> {
  // Not by uid, which does not find another tenant's account.
  const shown = await shownAccount(dependencies, { emailAddress: wanted.emailAddress });
  if (shown) return shown;
  try {
    return await callOperation(dependencies.api, 'CreateOrGetAccount', { ...wanted, mutationConfig: null });
  } catch (error) {
    const { userUid } = fields;
    if (!(error instanceof LockerApiError) || error.retryable || typeof userUid !== 'string') throw error;
    // interface: MutationConfigFailed: "Account created (or updated)", so by the caller.
    return { userUid, isExisting: null, canManageUser: true };
  }
}

type ExistingAccount = Response<'GetAccount'> & { readonly userUid: string };

/** Null if the service has no GetAccount, or no such account. Throws LockerApiError if a retry may find it. */
async function shownAccount(
  { api }: ReadingDependencies,
  by: Request<'GetAccount'>,
): Promise<ExistingAccount | null> {
  try {
    const { userUid, ...shown } = await callOperation(api, 'GetAccount', by);
    return userUid ? { ...shown, userUid } : null;
  } catch (error) {
    if (error instanceof LockerApiError && !error.retryable) return null;
    throw error;
  }
}

// The details of an account that was found: which differ from the request, and the request that changes them.

type Compared = Pick<OnboardedAccount, 'differingDetails' | 'unknownDetails'>;

/** Names only. A new account has the details that it was created with; another tenant's are not ours to see or change. */
export async function comparedDetails(
  dependencies: ReadingDependencies,
  { account }: FoundAccount,
  wanted: NewAccount,
): Promise<Compared> {
  const given = accountDetailNames.filter((name) => plain(name, wanted[name]) !== '');
  if (account.isExisting === false || account.canManageUser !== true)
    return { differingDetails: [], unknownDetails: [] };
  const present = await withAll(dependencies, account, given);
  const unknownDetails = given.filter((name) => present[name] === undefined);
  const differingDetails = given.filter(
    (name) => present[name] !== undefined && plain(name, present[name]) !== plain(name, wanted[name]),
  );
  return { differingDetails, unknownDetails };
}

/** CreateOrGetAccount does not answer with an address (interface). A detail that stays undefined is not shown anywhere. */
async function withAll(
  dependencies: ReadingDependencies,
  account: FoundAccount['account'],
  given: readonly AccountDetail[],
): Promise<Partial<Record<AccountDetail, string | null>>> {
  if (given.every((name) => name in account)) return account;
  return (await shownAccount(dependencies, { userUid: account.userUid })) ?? account;
}

/** Two ways to write the same are not a difference. */
function plain(name: AccountDetail, value: string | null | undefined): string {
  const text = value ?? '';
  if (name === 'phoneNumber') return e164(text);
  if (name === 'languageCode' || name === 'countryCode') return text.toLowerCase();
  return text;
}

/** The groups of these details: where one of a group is set, all must be (interface: SetAccountDetails). */
export function detailsRequest({
  userUid,
  request,
  details,
}: SetAccountDetailsInput): Request<'SetAccountDetails'> {
  const names = accountDetailGroups.filter((group) => group.some((name) => details.includes(name))).flat();
  return { userUid, ...Object.fromEntries(names.map((name) => [name, request[name]])) };
}

// Accounts in place of uids: each is created, or found where it exists, before the booking names it.

/** The uids of the accounts that the input gives. Throws ApplicationFailure. */
export async function accountUids(
  dependencies: ReadingDependencies,
  users: CheckedFlowInput['users'],
): Promise<Partial<Record<UidField, string>>> {
  const uids: Partial<Record<UidField, string>> = {};
  // One after the other: both may be the same new account.
  for (const field of ['toUserUid', 'fromUserUid'] as const) {
    const account = users[field];
    if (account) uids[field] = await accountUid(dependencies, account);
  }
  return uids;
}

async function accountUid(
  dependencies: ReadingDependencies,
  account: NonNullable<CheckedFlowInput['users'][UidField]>,
): Promise<string> {
  try {
    const { account: found, flagsApplied } = await createOrFindAccount(dependencies, account);
    // What the account's user may change does not concern a booking, so it continues without.
    if (!flagsApplied)
      log.warn(
        'the service did not apply the mutation configuration of an account; the booking continues, and OnboardAccount can set it',
        { userUid: found.userUid, canManageUser: found.canManageUser },
      );
    return found.userUid;
  } catch (error) {
    throw error instanceof LockerApiError ? apiFailure(error, dependencies.peer) : error;
  }
}
