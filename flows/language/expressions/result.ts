// Turns the result of an expression into JSON: whole numbers of CEL become numbers of JSON, and values that JSON does not
// have are refused.
import { bounds, type Json } from '../flow-file.ts';
import type { Budget } from './cost.ts';
import { ExpressionFailure } from './failure.ts';
import { type AnyMap, namesOf, valueAt } from './maps.ts';

const BYTES_PER_UNIT = 64;

export function toJson(value: unknown, maxBytes: number, budget: Budget): Json {
  const left = { bytes: maxBytes };
  const json = jsonOf(value, left, maxBytes, 0);
  budget.take((maxBytes - left.bytes) / BYTES_PER_UNIT);
  return json;
}

function jsonOf(value: unknown, left: { bytes: number }, most: number, level: number): Json {
  left.bytes -= sizeOf(value);
  if (left.bytes < 0)
    throw new ExpressionFailure({
      code: 'ValueTooLarge',
      path: '',
      reason: `it gives more than ${most} bytes`,
    });
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (typeof value === 'bigint' || typeof value === 'number') return numberOf(value);
  if (level > bounds.depth)
    throw new ExpressionFailure({
      code: 'ValueTooLarge',
      path: '',
      reason: `it gives more than ${bounds.depth} levels of maps and lists`,
    });
  if (Array.isArray(value)) return value.map((each) => jsonOf(each, left, most, level + 1));
  if (isPlain(value) || value instanceof Map) return objectOf(value, left, most, level + 1);
  throw new TypeError(
    'it gives something that is not JSON; expected a text, a number, true or false, null, a list or a map',
  );
}

/** Whether a value as JSON has at most so many bytes. Stops counting when it has more. */
export function isWithin(value: Json, maxBytes: number): boolean {
  return bytesLeft(value, maxBytes) >= 0;
}

function bytesLeft(value: Json, bytes: number): number {
  let left = bytes - sizeOf(value);
  if (typeof value !== 'object' || value === null) return left;
  for (const [key, each] of Object.entries(value)) {
    if (left < 0) return left;
    left = bytesLeft(each, left - (Array.isArray(value) ? 0 : bytesOf(key) + 3));
  }
  return left;
}

function objectOf(value: AnyMap, left: { bytes: number }, most: number, level: number): Json {
  const fields = namesOf(value).map((name) => {
    left.bytes -= bytesOf(name) + 3;
    return [name, jsonOf(valueAt(value, name), left, most, level)] as const;
  });
  // Each becomes a field, also one that is called `__proto__`.
  return Object.fromEntries(fields);
}

function sizeOf(value: unknown): number {
  return typeof value === 'string' ? bytesOf(value) + 2 : 4;
}

/** The bytes in UTF-8, or a little more. Counted by hand, because workflows have no Buffer. */
function bytesOf(text: string): number {
  let bytes = text.length;
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 127) bytes += 2;
  return bytes;
}

function numberOf(value: number | bigint): number {
  const number = Number(value);
  if (typeof value === 'bigint' && !Number.isSafeInteger(number))
    throw new TypeError(`${value} is too large for JSON; use a text`);
  if (!Number.isFinite(number))
    throw new TypeError('it gives no finite number: it divides by zero, or overflows');
  return number;
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype as object) === null;
}
