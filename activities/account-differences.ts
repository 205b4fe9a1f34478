// The details of an account that was found: which differ from the request.
import { type AccountDetail, accountDetailNames, type FindAccountAnswer } from '../contract/index.ts';
import { e164 } from '../contract/wire/phone-number.ts';
import { type FoundAccount, type NewAccount, shownAccount } from './find-account.ts';
import type { ReadingDependencies } from './operation-call.ts';

type Compared = Pick<FindAccountAnswer, 'differingDetails' | 'unknownDetails'>;

/** Names only. A new account has the details that it was created with; another tenant's are not ours to see or change. */
export async function comparedDetails(
  dependencies: ReadingDependencies,
  { account }: FoundAccount,
  wanted: NewAccount,
): Promise<Compared> {
  const names = accountDetailNames.filter((name) => normalized(name, wanted[name]) !== '');
  if (account.isExisting === false || account.canManageUser !== true)
    return { differingDetails: [], unknownDetails: [] };
  const present = await withAll(dependencies, account, names);
  const unknownDetails = names.filter((name) => present[name] === undefined);
  const differingDetails = names.filter(
    (name) =>
      present[name] !== undefined && normalized(name, present[name]) !== normalized(name, wanted[name]),
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
function normalized(name: AccountDetail, value: string | null | undefined): string {
  const text = value ?? '';
  if (name === 'phoneNumber') return e164(text);
  if (name === 'languageCode' || name === 'countryCode') return text.toLowerCase();
  return text;
}
