// Creates the account of a person, or finds the existing one (interface: Account behaviours 2 to 4).
import type { Request, Response } from '../contract/index.ts';
import { LockerApiError } from '../shared/locker-api/index.ts';
import { callOperation, type ReadingDependencies } from './operation-call.ts';

export type NewAccount = Request<'CreateOrGetAccount'>;
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
export async function shownAccount(
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
