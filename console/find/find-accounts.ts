// Finds people by their accounts at the locker service: by a part of the name, the e-mail address or the phone number, or by the uid.
import type { Response } from '../../contract/operations/operations.ts';
import { unlessUnknown } from '../../processes/locker-service.ts';
import { fullName } from '../../processes/views/account-names.ts';
import { LockerApiError } from '../../shared/locker-api/index.ts';
import type { ConsoleParts } from '../console-parts.ts';
import type { PersonFound } from './find-view.ts';

export interface AccountsFound {
  readonly people: readonly Omit<PersonFound, 'open'>[];
  readonly isComplete: boolean;
}

type Parts = Pick<ConsoleParts, 'service'>;

export async function findAccounts(parts: Parts, text: string, most: number): Promise<AccountsFound> {
  const [named, known] = await Promise.all([
    searched(parts, digitsOf(text) ?? text, most),
    accountWith(parts, text),
  ]);
  const people = new Map([...known, ...named.people].map((each) => [each.userUid, each]));
  return { people: [...people.values()].slice(0, most), isComplete: named.isComplete };
}

/** As accounts have a phone number, but for the country: it is typed as "06 12 34 56 78", and kept as +31612345678. */
const digitsOf = (text: string): string | null =>
  /^[+(\d][\d\s()./-]{5,}$/.test(text) ? text.replaceAll(/\D/g, '').replace(/^0+/, '') : null;

async function searched({ service }: Parts, searchText: string, most: number): Promise<AccountsFound> {
  try {
    const { items, isComplete } = await service.call('SearchAccounts', { searchText, most });
    return { people: items.flatMap(personOf), isComplete: isComplete === true };
  } catch (error) {
    // The published interface has no search.
    if (error instanceof LockerApiError && error.code === 'UnknownOperation')
      return { people: [], isComplete: true };
    throw error;
  }
}

/** Any service knows an account by its uid, and by its whole e-mail address. */
async function accountWith({ service }: Parts, text: string): Promise<Omit<PersonFound, 'open'>[]> {
  if (/\s/.test(text)) return [];
  const request = text.includes('@') ? { emailAddress: text } : { userUid: text };
  const account = await unlessUnknown(() => service.call('GetAccount', request));
  return account ? personOf(account) : [];
}

type Account = Pick<
  Response<'SearchAccounts'>['items'][number],
  'userUid' | 'firstName' | 'lastName' | 'emailAddress' | 'phoneNumber'
>;

/** Nobody who is only suggested has an account, or a case. */
function personOf(account: Account): Omit<PersonFound, 'open'>[] {
  const { userUid, emailAddress, phoneNumber } = account;
  const name = fullName(account);
  return userUid === null || name === null ? [] : [{ userUid, name, emailAddress, phoneNumber }];
}
