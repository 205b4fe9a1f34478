// Compares the actual values with the expected ones: one line for each difference. An actual map may have more fields than
// the expected one, an actual list may not have more items.
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
