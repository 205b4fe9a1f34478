// The account of a person: created, or found where it exists (interface: Account behaviours 2 to 4).
import type { Request, Response } from '../contract/index.ts';
import { LockerApiError } from '../shared/locker-api/index.ts';
import { callOperation } from './operation-call.ts';
import type { ReadingDependencies } from './shipment-listing.ts';

export type NewAccount = Request<'CreateOrGetAccount'>;
type Answer = Response<'CreateOrGetAccount'>;

export interface FoundAccount {
  readonly account: Pick<Answer, 'userUid' | 'isExisting' | 'canManageUser'> & Partial<Answer>;
  /** False: the service did not apply the mutation configuration (behaviour 4), but the account is there. */
  readonly hasItsFlags: boolean;
}

/** Throws LockerApiError. */
export async function createOrFindAccount(
  dependencies: ReadingDependencies,
  wanted: NewAccount,
  settings: { readonly idempotencyKey?: string } = {},
): Promise<FoundAccount> {
  try {
    const account = await callOperation(dependencies.api, 'CreateOrGetAccount', wanted, settings);
    return { account, hasItsFlags: true };
  } catch (error) {
    if (!(error instanceof LockerApiError) || error.code !== 'MutationConfigFailed') throw error;
    const account = await accountDespite(dependencies, wanted, error);
    // If it is another tenant's, it existed. Else no answer says whether this call has created it.
    const isExisting = account.canManageUser === false ? true : null;
    return { account: { ...account, isExisting }, hasItsFlags: false };
  }
}

/**
 * The account may be new, or another tenant's, which the error does not say. A service may also answer it without the
 * userUid: the interface does not show the answer's fields.
 */
async function accountDespite(
  dependencies: ReadingDependencies,
  wanted: NewAccount,
  { fields }: LockerApiError,
): Promise<FoundAccount['account']> {
  // Not by uid: a service does not show another tenant's account by it.
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

type Shown = Response<'GetAccount'> & { readonly userUid: string };

/** Null where the service has no GetAccount, or no such account. Throws LockerApiError when it may have it later. */
export async function shownAccount(
  { api }: ReadingDependencies,
  by: Request<'GetAccount'>,
): Promise<Shown | null> {
  try {
    const { userUid, ...shown } = await callOperation(api, 'GetAccount', by);
    return userUid ? { ...shown, userUid } : null;
  } catch (error) {
    if (error instanceof LockerApiError && !error.retryable) return null;
    throw error;
  }
}
