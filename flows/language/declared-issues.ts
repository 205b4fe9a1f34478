// What is wrong with a value, in the words of its schema alone: names and values that its sender has chosen may be personal.
import { isMap, type Json, type JsonObject } from './flow-file.ts';
import { withoutValue } from './schema.ts';
import type { ValueIssue } from './value-issues.ts';

/** It names the field as far as the schema does. */
export function declaredIssue({ field, message }: ValueIssue, schema: JsonObject | undefined): ValueIssue {
  const [name = '', ...path] = field.split('.');
  const declared = [name];
  let at = alternativesOf(schema);
  for (const part of path) {
    if (!at.some((each) => declares(each, part)))
      return { field: declared.join('.'), message: messageWithoutName(message, at) };
    at = at.flatMap((each) => alternativesOf(schemaAt(each, part)));
    declared.push(part);
  }
  return { field, message: withoutValue(message) };
}

/** The schema, and those in its `anyOf`. */
function alternativesOf(schema: Json | undefined): JsonObject[] {
  if (!isMap(schema)) return [];
  const { anyOf = [] } = schema as { readonly anyOf?: readonly Json[] };
  return [schema, ...anyOf.flatMap(alternativesOf)];
}

// A list that an event can carry has no more items. A longer number may be what a sender calls a field.
const INDEX = /^\d{1,5}$/;

function schemaAt({ properties, items }: JsonObject, part: string): Json | undefined {
  const fields = isMap(properties) ? properties : {};
  if (Object.hasOwn(fields, part)) return fields[part];
  return INDEX.test(part) ? items : undefined;
}

const declares = (schema: JsonObject, part: string): boolean =>
  schemaAt(schema, part) !== undefined || ((schema.required ?? []) as readonly Json[]).includes(part);

function messageWithoutName(message: string, at: readonly JsonObject[]): string {
  if (message !== NOT_KNOWN) return 'has a field that does not fit';
  const known = at.flatMap(({ properties }) => (isMap(properties) ? Object.keys(properties) : []));
  return `has a field that ${NOT_KNOWN}, expected ${[...new Set(known)].join(', ') || 'none'}`;
}

/** What a schema says of a field that it does not have (`additionalProperties: false`). */
const NOT_KNOWN = 'is not known';
