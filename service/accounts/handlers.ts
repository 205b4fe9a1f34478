// The handlers of the account operations.
import type { Handlers } from '../handler.ts';
import { createAccount } from './create-account.ts';
import { createOrGetAccount } from './create-or-get-account.ts';
import { getAccount } from './get-account.ts';
import { getAccountMutationConfig } from './get-account-mutation-config.ts';
import { removeAccount } from './remove-account.ts';
import { searchAccounts } from './search-accounts.ts';
import { setAccountDetails } from './set-account-details.ts';
import { setAccountMutationConfig } from './set-account-mutation-config.ts';
import { setAccountPickUpPoint } from './set-account-pick-up-point.ts';
import { uploadAccountSuggestions } from './suggestions/upload-account-suggestions.ts';

export const accountHandlers = {
  SetAccountDetails: setAccountDetails,
  SetAccountPickUpPoint: setAccountPickUpPoint,
  SetAccountMutationConfig: setAccountMutationConfig,
  RemoveAccount: removeAccount,
  CreateAccount: createAccount,
  CreateOrGetAccount: createOrGetAccount,
  GetAccount: getAccount,
  GetAccountMutationConfig: getAccountMutationConfig,
  SearchAccounts: searchAccounts,
  UploadAccountSuggestions: uploadAccountSuggestions,
} satisfies Partial<Handlers>;
