// The handlers of the account operations.
import type { Handlers } from '../handler.ts';
import { getAccount } from './get-account.ts';

export const accountHandlers = {
  GetAccount: getAccount,
} satisfies Partial<Handlers>;
