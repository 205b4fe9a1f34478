// The names of people, as far as their accounts have them.
import type { LockerApi } from '../../shared/locker-api/index.ts';
import { t } from '../../shared/texts/text.ts';

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;

export const isUuid = (text: string): boolean => UUID.test(text);

export const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : null;

export const fullName = ({ firstName, lastName, emailAddress }: Readonly<Record<string, unknown>>) =>
  [textOf(firstName), textOf(lastName)].filter(Boolean).join(' ') || textOf(emailAddress);

type Read = <Answer>(ask: () => Promise<Answer>) => Promise<Answer | undefined>;

/**
 * What a service that does not know the account has for a name is a uid that somebody chose, or nothing: null.
 * @param read gives undefined where the service does not tell
 */
export async function accountName(
  { service }: { readonly service: Pick<LockerApi, 'call'> },
  userUid: string,
  read: Read,
): Promise<string | null> {
  const account = await read(() => service.call('GetAccount', { userUid }));
  const name = account ? fullName(account as Readonly<Record<string, unknown>>) : null;
  return name ?? (isUuid(userUid) ? null : userUid);
}

/** Kept names have no language. */
export const nameShown = (name: string | null): string => name ?? t`an account that cannot be seen`;
