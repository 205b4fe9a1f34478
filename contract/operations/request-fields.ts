// The field names of an operation's request, for code that must not know operations by name.
import { z } from 'zod';
import { unwrapped } from '../wire/casing.ts';
import { type OperationName, operationRow } from './operations.ts';

/** The fields of the request itself, or of the object of that name in it; none where there is no such object. */
export function requestFields(name: OperationName, object?: string): readonly string[] {
  const { request } = operationRow(name);
  const field = object === undefined ? request : request.shape[object];
  const schema = field && unwrapped(field);
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}
