// How what is differs from what was told: one line for each place. Maps may hold more than was told; lists may not.
import type { Json, JsonObject } from '../flow-file.ts';
import { isMap } from '../reading/report.ts';

export function differences(expected: JsonObject, actual: JsonObject, at = ''): string[] {
  return Object.entries(expected).flatMap(([key, value]) =>
    differing(value, actual[key], at === '' ? key : `${at}.${key}`),
  );
}

function differing(expected: Json, actual: Json | undefined, at: string): string[] {
  if (isMap(expected) && isMap(actual)) return differences(expected, actual, at);
  if (Array.isArray(expected) && Array.isArray(actual) && expected.length === actual.length)
    return (expected as Json[]).flatMap((each, index) => differing(each, actual[index], `${at}.${index}`));
  if (JSON.stringify(expected) === JSON.stringify(actual)) return [];
  return [`${at}: expected ${words(expected)}, but it is ${words(actual)}`];
}

const words = (value: Json | undefined): string =>
  value === undefined ? 'not there' : JSON.stringify(value);
