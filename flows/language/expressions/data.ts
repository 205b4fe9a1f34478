// The functions over lists, maps and texts that we add to those of CEL. Each is charged before it runs (cost.ts).
import { bounds } from '../flow-file.ts';
import { ExpressionFailure } from './failure.ts';
import { forbiddenKeys } from './result.ts';

/** `range` gives no longer list. A value that an expression gives may hold fewer numbers. */
const LONGEST_RANGE = 10_000;

type Scalar = number | bigint | string;
type Items = readonly unknown[];

const wrong = (what: string, value: unknown, expected: string): TypeError =>
  new TypeError(`${what} ${kindOf(value)}; expected ${expected}`);

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return (
    { bigint: 'a number', number: 'a number', string: 'a text', boolean: 'true or false' }[
      typeof value as 'number'
    ] ?? 'a map'
  );
}

function numberOf(value: unknown, name: string): number {
  if (typeof value !== 'number' && typeof value !== 'bigint') throw wrong(`${name} has`, value, 'numbers');
  return Number(value);
}

/** Numbers, or texts by their characters: so instants are compared too, if they have the same form. */
function comparable(items: Items, name: string): readonly Scalar[] {
  const [first] = items;
  const isText = typeof first === 'string';
  for (const item of items)
    if (isText ? typeof item !== 'string' : typeof item !== 'number' && typeof item !== 'bigint')
      throw wrong(`${name} has`, item, 'only numbers or only texts');
  return items as readonly Scalar[];
}

const compared = (one: Scalar, other: Scalar): number => {
  if (one === other) return 0;
  return one < other ? -1 : 1;
};

function extreme(items: Items, name: string, sign: 1 | -1): Scalar {
  const [first, ...rest] = comparable(items, name);
  if (first === undefined) throw new TypeError(`the list is empty; ${name} expected at least one item`);
  return rest.reduce((best, each) => (compared(each, best) * sign < 0 ? each : best), first);
}

/** The field of each map in a list. */
export function fieldsOf(items: Items, field: string): readonly unknown[] {
  return items.map((item) => {
    if (typeof item === 'object' && item !== null && !Array.isArray(item) && Object.hasOwn(item, field))
      return (item as Readonly<Record<string, unknown>>)[field];
    throw wrong('the list has', item, `maps that have the field ${field}`);
  });
}

function sortedBy(items: Items, keys: Items): unknown[] {
  const sortable = comparable(keys, 'sort');
  return items
    .map((_, index) => index)
    .sort((one, other) => compared(sortable[one] as Scalar, sortable[other] as Scalar))
    .map((index) => items[index]);
}

function distinctBy(items: Items, keys: Items): unknown[] {
  const seen = new Set<unknown>();
  return items.filter((_, index) => {
    const key = keys[index];
    if (typeof key === 'object' && key !== null)
      throw wrong(
        'distinct has',
        key,
        'texts, numbers, true or false; for maps name a field that they differ in',
      );
    const plain = typeof key === 'bigint' ? Number(key) : key;
    if (seen.has(plain)) return false;
    seen.add(plain);
    return true;
  });
}

function indexOf(value: unknown, name: string): number {
  const index = numberOf(value, name);
  if (Number.isInteger(index) && index >= 0) return index;
  throw new TypeError(`${name} expected whole numbers from 0, but got ${index}`);
}

/** Refuses a list that is too long before it is made. */
function lengthOfRange(value: unknown): number {
  const length = indexOf(value, 'range');
  if (length <= LONGEST_RANGE) return length;
  throw tooLarge(`range gives a list of ${length} numbers, expected at most ${LONGEST_RANGE}`);
}

const tooLarge = (reason: string): ExpressionFailure =>
  new ExpressionFailure({ code: 'ValueTooLarge', path: '', reason });

function replaced(text: string, searched: string, other: string): string {
  if (searched === '') throw new TypeError('replace expected a text to search for, but it is empty');
  const parts = text.split(searched);
  const length = text.length + (parts.length - 1) * (other.length - searched.length);
  if (length > bounds.contextBytes)
    throw tooLarge(`replace gives a text of ${length} characters, expected at most ${bounds.contextBytes}`);
  return parts.join(other);
}

function withField(map: object, field: string, value: unknown): object {
  if (forbiddenKeys.includes(field)) throw new TypeError(`${field} is a key that no data may have`);
  return { ...map, [field]: value };
}

/** By their signatures. `dyn` in place of a number: an operator takes the result beside whole numbers too. */
export const dataFunctions: Readonly<Record<string, (...args: never[]) => unknown>> = {
  'list.sum(): dyn': (items: Items) => items.reduce<number>((sum, each) => sum + numberOf(each, 'sum'), 0),
  'list.min(): dyn': (items: Items) => extreme(items, 'min', 1),
  'list.max(): dyn': (items: Items) => extreme(items, 'max', -1),
  'list.sort(): list': (items: Items) => sortedBy(items, items),
  'list.sort(string): list': (items: Items, field: string) => sortedBy(items, fieldsOf(items, field)),
  'list.distinct(): list': (items: Items) => distinctBy(items, items),
  'list.distinct(string): list': (items: Items, field: string) => distinctBy(items, fieldsOf(items, field)),
  'list.slice(dyn): list': (items: Items, from: unknown) => items.slice(indexOf(from, 'slice')),
  'list.slice(dyn, dyn): list': (items: Items, from: unknown, to: unknown) =>
    items.slice(indexOf(from, 'slice'), indexOf(to, 'slice')),
  'range(dyn): list': (length: unknown) => Array.from({ length: lengthOfRange(length) }, (_, index) => index),
  'map.put(string, dyn): map': withField,
  'string.replace(string, string): string': replaced,
};

/** What they give, for the reference. */
export const dataMeanings: Readonly<Record<string, string>> = {
  'list.sum()': 'the sum of numbers; 0 for an empty list',
  'list.min()': 'the least of numbers, or of texts by their characters',
  'list.max()': 'the greatest of them',
  'list.sort()': 'numbers or texts in order',
  "list.sort('field')": 'maps in the order of a field',
  'list.distinct()': 'the first of each value: texts, numbers, true or false',
  "list.distinct('field')": 'the first map for each value of a field',
  'list.slice(from, to)':
    'the items from one index up to another, which is left out; without `to` up to the end',
  'range(n)': 'the numbers from 0 up to n, which is left out',
  "map.put('field', value)": 'the map with this field',
  'text.replace(searched, other)': 'the text with each occurrence replaced',
};
