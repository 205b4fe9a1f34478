// The table of all operations: the one place that says which there are.
import type { z } from 'zod';
import { account } from './account.ts';
import { accountSuggestions } from './account-suggestions.ts';
import type { Operation } from './operation.ts';
import { platform } from './platform.ts';
import { shipmentCreation } from './shipment-creation.ts';
import { shipmentManagement } from './shipment-management.ts';
import { shipmentReading } from './shipment-reading.ts';

export const operations = {
  ...shipmentCreation,
  ...shipmentManagement,
  ...shipmentReading,
  ...account,
  ...accountSuggestions,
  ...platform,
} satisfies Record<string, Operation>;

export type OperationName = keyof typeof operations;
export const operationNames = Object.keys(operations) as OperationName[];

/** What an operation is asked with, in camelCase; a null means the same as absence. */
export type Request<Name extends OperationName> = z.infer<(typeof operations)[Name]['request']>;
/** What an operation answers with when it succeeds, beside success, error and message. */
export type Response<Name extends OperationName> = z.infer<(typeof operations)[Name]['response']>;

/** A row seen as any row, for generic code. */
export const operationRow = (name: OperationName): Operation => operations[name];
