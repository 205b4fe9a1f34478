// The table of handlers, one for each operation of the contract: a missing one does not compile.
import { creation as accountCreation } from './accounts/creation.ts';
import { reading as accountReading } from './accounts/get-account.ts';
import { management as accountManagement } from './accounts/management.ts';
import { removeAccount } from './accounts/remove-account.ts';
import { searchAccounts } from './accounts/search-accounts.ts';
import { uploadAccountSuggestions } from './accounts/suggestions/upload-account-suggestions.ts';
import { getAuditLog } from './audit/get-audit-log.ts';
import { configureCallback } from './callbacks/configuration/configure-callback.ts';
import type { Handlers } from './handler.ts';
import { lockerAccess } from './lockers/access-locker.ts';
import { getLockers } from './lockers/get-lockers.ts';
import { lockerChanges } from './lockers/locker-changes.ts';
import { creation } from './shipments/creation.ts';
import { management } from './shipments/management.ts';
import { getPickUpPoints } from './shipments/reading/get-pick-up-points.ts';
import { reading } from './shipments/reading/get-shipment.ts';
import { getShipmentEvents } from './shipments/reading/get-shipment-events.ts';
import { listing } from './shipments/reading/get-shipments.ts';

export const handlers = {
  ...creation,
  ...management,
  ...reading,
  ...listing,
  GetShipmentEvents: getShipmentEvents,
  GetPickUpPoints: getPickUpPoints,
  ...accountCreation,
  ...accountManagement,
  ...accountReading,
  RemoveAccount: removeAccount,
  SearchAccounts: searchAccounts,
  UploadAccountSuggestions: uploadAccountSuggestions,
  ...lockerAccess,
  ...lockerChanges,
  GetLockers: getLockers,
  ConfigureCallback: configureCallback,
  GetAuditLog: getAuditLog,
} satisfies Handlers;
