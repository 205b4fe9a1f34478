// The names of people, as far as their accounts have them.
import { LockerApiError } from '../shared/locker-api/index.ts';
import type { ConsoleParts } from './console-parts.ts';

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;

export const isUuid = (text: string): boolean => UUID.test(text);

export const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : null;

export const fullName = ({ firstName, lastName, emailAddress }: Readonly<Record<string, unknown>>) =>
  [textOf(firstName), textOf(lastName)].filter(Boolean).join(' ') || textOf(emailAddress);

/** What a service that does not know the account has for a name is a uid that somebody chose, or nothing. */
export async function nameOfAccount(
  { service }: Pick<ConsoleParts, 'service'>,
  userUid: string,
  read: typeof ifKnown = ifKnown,
): Promise<string> {
  const account = await read(() => service.call('GetAccount', { userUid }));
  const name = account ? fullName(account as Readonly<Record<string, unknown>>) : null;
  return name ?? (isUuid(userUid) ? 'an account that cannot be seen' : userUid);
}

/** Another service may not tell it, or know it. */
export async function ifKnown<Answer>(ask: () => Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof LockerApiError) return undefined;
    throw error;
  }
}
