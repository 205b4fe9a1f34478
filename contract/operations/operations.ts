// The table of all operations: the only list of them.
import { z } from 'zod';
import { unwrapped } from '../wire/casing.ts';
import { account } from './account.ts';
import { accountSearch } from './account-search.ts';
import { accountSuggestions } from './account-suggestions.ts';
import { lockers } from './locker-operations.ts';
import type { Operation, Row } from './operation.ts';
import { platform } from './platform.ts';
import { shipmentCreation } from './shipment-creation.ts';
import { shipmentManagement } from './shipment-management.ts';
import { shipmentHistory, shipmentReading } from './shipment-reading.ts';

function inArea<Rows extends Readonly<Record<string, Row>>>(area: string, rows: Rows) {
  const entries = Object.entries(rows).map(([name, row]) => [name, { ...row, path: `/v1/${area}/${name}` }]);
  return Object.fromEntries(entries) as { [Name in keyof Rows]: Rows[Name] & Pick<Operation, 'path'> };
}

export const operations = {
  ...inArea('Logistics', { ...shipmentCreation, ...shipmentManagement, ...shipmentReading }),
  ...inArea('Account', { ...account, ...accountSuggestions }),
  ...inArea('Platform', { ...platform, ...lockers, ...shipmentHistory, ...accountSearch }),
} satisfies Record<string, Operation>;

export type OperationName = keyof typeof operations;
export const operationNames = Object.keys(operations) as OperationName[];

/** An operation's request, in camelCase. Null means the same as absent. */
export type Request<Name extends OperationName> = z.infer<(typeof operations)[Name]['request']>;
/** An operation's successful answer, without success, error and message. */
export type Response<Name extends OperationName> = z.infer<(typeof operations)[Name]['response']>;

/** A row without its exact types, for generic code. */
export const operationRow = (name: OperationName): Operation => operations[name];

/** The fields of the request itself, or of the object of that name in it; none where there is no such object. */
export function requestFields(name: OperationName, object?: string): readonly string[] {
  const { request } = operationRow(name);
  const field = object === undefined ? request : request.shape[object];
  const schema = field && unwrapped(field);
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}
