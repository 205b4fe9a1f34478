// Compares what a process is with what a story says of it.
import { instantMs } from '../language/duration.ts';
import { isMap, type Json, type JsonObject } from '../language/flow-file.ts';

/**
 * One line for each difference of the actual values from the expected ones. An actual map may have more fields than the
 * expected one, an actual list may not have more items.
 */
export function differences(expected: JsonObject, actual: JsonObject, at = ''): string[] {
  return Object.entries(expected).flatMap(([key, value]) =>
    differing(value, actual[key], at === '' ? key : `${at}.${key}`),
  );
}

function differing(expected: Json, actual: Json | undefined, at: string): string[] {
  if (isMap(expected) && isMap(actual)) return differences(expected, actual, at);
  if (Array.isArray(expected) && Array.isArray(actual) && expected.length === actual.length)
    return (expected as Json[]).flatMap((each, index) => differing(each, actual[index], `${at}.${index}`));
  if (JSON.stringify(expected) === JSON.stringify(actual) || isSameMoment(expected, actual)) return [];
  return [`${at}: expected ${formatValue(expected)}, but it is ${formatValue(actual)}`];
}

/** Written in two ways, such as with and without milliseconds. */
function isSameMoment(one: Json, other: Json | undefined): boolean {
  const at = instantMs(one);
  return at !== null && at === instantMs(other);
}

const formatValue = (value: Json | undefined): string =>
  value === undefined ? 'not there' : JSON.stringify(value);
