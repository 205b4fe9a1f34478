// What a process is about, for searches: the people who take part, the items, and the keys by which events find it; the values of
// the search attribute LockerSubjects. Temporal never encrypts those: they are uids, references and keys, and no names of people.

import type { CorrelationKeys } from './correlation.ts';
import { mapOf } from './flow-file.ts';

export const subjectOfPerson = (userUid: string): string => `person:${userUid}`;
/** Found by it, too, and no longer whom it is about: beside `subjectOfPerson`. */
export const subjectOfFormerPerson = (userUid: string): string => `formerPerson:${userUid}`;
export const subjectOfItem = (item: string): string => `item:${item}`;
export const subjectOfKey = (name: string, value: string): string => `${name}=${value}`;

export const subjectsOfKeys = (keys: CorrelationKeys): string[] =>
  Object.entries(keys).map(([name, value]) => subjectOfKey(name, value));

const textAfter = (prefix: string) => (subject: string) =>
  subject.startsWith(prefix) ? [subject.slice(prefix.length)] : [];

/** All who take part or did, whom it is for first. */
export const peopleIn = (subjects: readonly string[]): string[] =>
  subjects.flatMap(textAfter(subjectOfPerson('')));
/** Those whom it is about no more. */
export const formerPeopleIn = (subjects: readonly string[]): string[] =>
  subjects.flatMap(textAfter(subjectOfFormerPerson('')));
/** Whom it is about now. What has ended is about nobody else any more: then whom it was about. */
export function peopleNowIn(subjects: readonly string[], isOpen: boolean): string[] {
  const all = peopleIn(subjects);
  const former = new Set(formerPeopleIn(subjects));
  const now = all.filter((each) => !former.has(each));
  return now.length > 0 || isOpen ? now : all;
}
export const itemsIn = (subjects: readonly string[]): string[] =>
  subjects.flatMap(textAfter(subjectOfItem('')));
export const itemsAndKeysIn = (subjects: readonly string[]): string[] =>
  subjects.filter((each) => peopleIn([each]).length + formerPeopleIn([each]).length === 0);

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

export function peopleOfRequest(request: unknown): string[] {
  const { toUserUid, fromUserUid } = mapOf(request);
  return [toUserUid, fromUserUid].filter(isText);
}

/** The sender, the receiver and the reference numbers of a request that books: one for the request, or one for each leg. */
export function subjectsOfRequest(request: unknown): string[] {
  const fields = mapOf(request);
  const references = [fields, ...Object.values(fields).map(mapOf)].map(({ referenceNo }) => referenceNo);
  return [...peopleOfRequest(request).map(subjectOfPerson), ...references.filter(isText).map(subjectOfItem)];
}

export interface MarkedField {
  readonly name: string;
  /** The one of the schema. */
  readonly title: unknown;
  readonly value: string;
  readonly isPerson: boolean;
  readonly isItem: boolean;
}

/** The fields that the `input` of a file marks as a person (`format: account`) or as the item (`item: true`), in its order. */
export function* markedFields(schema: unknown, input: unknown): Generator<MarkedField> {
  for (const [name, given] of Object.entries(mapOf(mapOf(schema).properties))) {
    const field = mapOf(given);
    const value = mapOf(input)[name];
    const isPerson = field.format === 'account';
    const isItem = field.item === true;
    if (isText(value) && (isPerson || isItem)) yield { name, title: field.title, value, isPerson, isItem };
    yield* markedFields(field, value);
  }
}

/** Whom the fields of its lists name, as those of an `each`: one by one they are of its parts. */
export function* peopleInLists(schema: unknown, input: unknown): Generator<string> {
  for (const [name, field] of Object.entries(mapOf(mapOf(schema).properties))) {
    const value = mapOf(input)[name];
    if (Array.isArray(value)) for (const each of value) yield* peopleInItem(mapOf(field).items, each);
    else yield* peopleInLists(field, value);
  }
}

function* peopleInItem(schema: unknown, item: unknown): Generator<string> {
  if (isText(item) && mapOf(schema).format === 'account') yield item;
  for (const { isPerson, value } of markedFields(schema, item)) if (isPerson) yield value;
  yield* peopleInLists(schema, item);
}

export const subjectsOfInput = (schema: unknown, input: unknown): string[] =>
  [...markedFields(schema, input)].flatMap(({ value, isPerson, isItem }) => [
    ...(isPerson ? [subjectOfPerson(value)] : []),
    ...(isItem ? [subjectOfItem(value)] : []),
  ]);
