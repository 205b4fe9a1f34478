// The commands that a process offers, each with some fields that their schema takes.
import type { Action, JsonSchema } from '../../../contract/flows/actions.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** Some fields that the schema takes: each choice once, in every combination. */
function fieldsOf({ properties = {}, required = [], allOf = [] }: JsonSchema): Fields[] {
  const named = Object.entries(properties).filter(([name]) => required.includes(name) || name === 'fromNow');
  const all = named.reduce<Fields[]>(
    (before, [name, schema]) =>
      before.flatMap((fields) => valuesOf(schema).map((value) => ({ ...fields, [name]: value }))),
    [{}],
  );
  const pairs = allOf.flatMap(({ oneOf = [] }) => oneOf).filter(({ properties: of }) => of?.role);
  if (pairs.length === 0) return all;
  return all.filter((fields) =>
    pairs.some(
      ({ properties: of }) => of?.role?.const === fields.role && of?.stage?.enum?.includes(fields.stage),
    ),
  );
}

function valuesOf(schema: JsonSchema): unknown[] {
  if (schema.type === 'number') return [0, 5];
  if ('const' in schema) return [schema.const];
  if (schema.enum) return [...schema.enum];
  if (schema.type === 'object') return fieldsOf(schema);
  if (schema.examples) return [...schema.examples];
  if (schema.format === 'duration') return ['P3D'];
  return ['user-bram'];
}

/** One shipment cannot be two legs. */
const areDistinct = ({ shipments = {} }: Fields): boolean => {
  const uids = Object.values(shipments as Fields);
  return new Set(uids).size === uids.length;
};

export const possible = (actions: readonly Action[]): { action: Action; fields: Fields }[] =>
  actions.flatMap((action) => {
    if (!action.isPossible || !action.fields) return [];
    return fieldsOf(action.fields)
      .filter(areDistinct)
      .map((fields) => ({ action, fields }));
  });
