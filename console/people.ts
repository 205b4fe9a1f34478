// The names of people for the console, which says less where a service does not tell.

import { accountName, nameShown } from '../processes/views/account-names.ts';
import { LockerApiError } from '../shared/locker-api/index.ts';
import { t } from '../shared/texts/text.ts';
import type { ConsoleParts } from './console-parts.ts';

export const nameOfAccount = async (
  parts: Pick<ConsoleParts, 'service'>,
  userUid: string,
  read: typeof ifKnown = ifKnown,
): Promise<string> => nameShown(await accountName(parts, userUid, read));

/** Another service may not tell it, or know it. */
export async function ifKnown<Answer>(ask: () => Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof LockerApiError) return undefined;
    throw error;
  }
}

/** A client has one. */
const DESK_MS = 600_000;

/** The account in whose name those who work here send and receive. Throws LockerApiError: then nothing is kept. */
export const readDeskAccount = ({
  service,
  shared,
}: Pick<ConsoleParts, 'service' | 'shared'>): Promise<string | null> =>
  shared.of('the account of the desk', DESK_MS, async () => {
    const { userUid } = await service.call('GetAccount', {});
    return userUid ?? null;
  });

/** Null: the service does not tell it now. */
export const deskAccount = async (parts: Pick<ConsoleParts, 'service' | 'shared'>): Promise<string | null> =>
  (await ifKnown(() => readDeskAccount(parts))) ?? null;

/** Null for nobody. */
export async function nameOrDesk(
  parts: Pick<ConsoleParts, 'service' | 'shared'>,
  userUid: string | null | undefined,
): Promise<string | null> {
  if (!userUid) return null;
  return userUid === (await deskAccount(parts)) ? t`the desk` : await nameOfAccount(parts, userUid);
}
