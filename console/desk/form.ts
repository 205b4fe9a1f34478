// A form for the input of a flow, from its JSON Schema. What a field means is said by its name, which is the interface's own, or by
// the use that a flow file makes of it. What no field can show is typed as JSON; the flow's own check says what is wrong.
import { z } from 'zod';
import { duration } from '../../contract/wire/duration.ts';
import { t } from '../../shared/texts/text.ts';
import type { FormField, FormKind } from './desk-view.ts';

export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

// Deeper nested, or longer, no person fills a form: the rest is typed as JSON.
const DEEPEST = 6;
const MAX_FIELDS = 200;

interface FormOptions {
  /** What references `#/$defs/<name>` mean. */
  readonly definitions?: Readonly<Record<string, JsonSchema>>;
  /** The interface's name of what a field is used for, by the path of the field. */
  readonly uses?: ReadonlyMap<string, string>;
  /** The flow takes an item that comes back, and not one in stock. */
  readonly takesIntake?: boolean;
}

export function formOf(schema: JsonSchema, options: FormOptions = {}): FormField[] {
  return new Form(options).fieldsOf(schema, [], 0);
}

/** By the interface's names. */
const meanings: Readonly<Record<string, FormKind>> = {
  pupUid: 'pickUpPoint',
  pickUpPointUid: 'pickUpPoint',
  lockerUid: 'locker',
  dimension: 'size',
  toUserUid: 'person',
  fromUserUid: 'person',
  userUid: 'person',
  priorShipmentUid: 'stockItem',
  intakeShipmentUid: 'intakeItem',
};

/** The interface's names that say what a field is. */
export const meaningfulNames: ReadonlySet<string> = new Set(Object.keys(meanings));

/** An account may be given in the place of a uid. */
const accounts: Readonly<Record<string, string>> = { toUserUid: 'toUser', fromUserUid: 'fromUser' };

class Form {
  readonly #options: FormOptions;
  #fields = 0;

  constructor(options: FormOptions) {
    this.#options = options;
  }

  /** What `allOf` says of the fields holds beside: there the copy of a built-in flow has the `input` of its file. */
  fieldsOf(schema: JsonSchema, path: readonly string[], depth: number): FormField[] {
    const beside = listOf(schema.allOf);
    const required = namesOf(schema.required);
    const requiredBeside = beside.flatMap((each) => namesOf(each.required));
    const fields = Object.entries(mapOf(schema.properties)).map(([name, value]) => {
      const property = mapOf(value);
      const isRequired = required.includes(name) && withoutNull(property) === property;
      const own = beside.map(({ properties }) => mapOf(mapOf(properties)[name]));
      return this.#fieldOf(
        { ...property, allOf: [...listOf(property.allOf), ...own] },
        [...path, name],
        isRequired || requiredBeside.includes(name),
        depth,
      );
    });
    return withPlaces(withAccounts(fields, schema));
  }

  #fieldOf(given: JsonSchema, path: readonly string[], isRequired: boolean, depth: number): FormField {
    const schema = withAllOf(this.#meant(withoutNull(given)), given);
    this.#fields += 1;
    const field = {
      path: path.join('.'),
      label: textOf(schema.title) ?? formatFieldName(path.at(-1) ?? ''),
      isRequired,
      description: describedBy(schema),
      ...initialOf(schema),
    };
    const { type } = schema;
    const choices = choicesOf(schema);
    if (choices) return { ...field, kind: 'choice', choices };
    if (type === 'string') return { ...field, kind: this.#meaningOf(path) ?? textKind(schema) };
    const simple = simpleKinds[String(type)];
    if (simple) return { ...field, kind: simple };
    const items = mapOf(schema.items);
    if (type === 'array' && items.type === 'string') {
      const some = choicesOf(items);
      if (some) return { ...field, kind: 'list', choices: some };
      return { ...field, kind: 'list', description: together([field.description, t`one on each line`]) };
    }
    const isGroup = type === 'object' && Object.keys(mapOf(schema.properties)).length > 0;
    if (!isGroup || depth >= DEEPEST || this.#fields >= MAX_FIELDS)
      return { ...field, kind: 'json', description: together([field.description, t`as JSON`]) };
    const children = this.fieldsOf(schema, path, depth + 1);
    return { ...field, kind: hasSides(children) ? 'size' : 'group', children };
  }

  #meaningOf(path: readonly string[]): FormKind | undefined {
    const { uses, takesIntake } = this.#options;
    const name = path.at(-1) ?? '';
    const kind = meanings[uses?.get(path.join('.')) ?? name];
    if (kind === 'stockItem' && takesIntake) return 'intakeItem';
    return kind === 'size' ? undefined : kind;
  }

  #meant(schema: JsonSchema): JsonSchema {
    const { $ref } = schema;
    return typeof $ref === 'string'
      ? mapOf(this.#options.definitions?.[$ref.replace('#/$defs/', '')])
      : schema;
  }
}

const nameIn = ({ path }: Pick<FormField, 'path'>): string => path.split('.').at(-1) ?? '';

const SIDES = ['width', 'height', 'length'];

/** What has these sides, and nothing else, is the size of something. */
const hasSides = (children: readonly FormField[]): boolean =>
  children.length === SIDES.length &&
  SIDES.every((side) => children.some((each) => each.kind === 'number' && nameIn(each) === side));

/** A uid and the account that may be in its place are one field: a person. */
function withAccounts(fields: readonly FormField[], schema: JsonSchema): FormField[] {
  const account = (field: FormField) => fields.find((each) => nameIn(each) === accounts[nameIn(field)]);
  const inPlaces = new Set(fields.map(account));
  return fields
    .filter((field) => !inPlaces.has(field))
    .map((field) => {
      const found = account(field);
      if (!found?.children) return field;
      const isRequired = field.isRequired || isOneNeeded(schema, nameIn(field));
      // What people may change of their account is settled elsewhere than with a parcel.
      const children = found.children.filter(({ kind }) => kind !== 'group');
      return { ...field, isRequired, accountPath: found.path, children };
    });
}

/** `allOf: [{ oneOf: [<the uid is given>, <the account is given>] }]`. */
const isOneNeeded = ({ allOf }: JsonSchema, name: string): boolean =>
  listOf(allOf).some((condition) =>
    listOf(condition.oneOf).some(({ required }) => Array.isArray(required) && required.includes(name)),
  );

/** Lockers and sizes are those of the pick up point beside them. */
function withPlaces(fields: readonly FormField[]): FormField[] {
  const at = fields.find(({ kind }) => kind === 'pickUpPoint')?.path;
  return fields.map((field) => {
    if (field.kind === 'locker' && at === undefined) return { ...field, kind: 'text' };
    return at !== undefined && ['locker', 'size'].includes(field.kind) ? { ...field, at } : field;
  });
}

const mapOf = (value: unknown): JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonSchema) : {};

const listOf = (value: unknown): JsonSchema[] => (Array.isArray(value) ? value.map(mapOf) : []);

const namesOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** `referenceNo` is "Reference no". */
function formatFieldName(name: string): string {
  const words = name.replaceAll(/([a-z\d])([A-Z])/g, '$1 $2').toLowerCase();
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

/** For a nullable field, the other alternative: null options the same as left out. */
function withoutNull(schema: JsonSchema): JsonSchema {
  const either = [schema.anyOf, schema.oneOf].find(Array.isArray) as readonly unknown[] | undefined;
  const others = either?.map(mapOf).filter(({ type }) => type !== 'null');
  if (others?.length === 1) return others[0] ?? schema;
  const { type } = schema;
  if (!Array.isArray(type)) return schema;
  const types = type.filter((each) => each !== 'null');
  return types.length === 1 ? { ...schema, type: types[0] } : schema;
}

/** What a field shows of its schema. */
const shown = [
  ...['title', 'description', 'default'],
  ...['type', 'enum', 'const', 'format', 'items', 'minimum', 'maximum'],
];

const shownOf = (schema: JsonSchema): JsonSchema =>
  Object.fromEntries(Object.entries(schema).filter(([keyword]) => shown.includes(keyword)));

/** What the `allOf` of a field says comes before what its schema says, and is in the result for the fields within. */
function withAllOf(schema: JsonSchema, given: JsonSchema): JsonSchema {
  const beside = listOf(given.allOf);
  const description = textOf(given.description) ?? schema.description;
  const said = beside.map((each) => shownOf({ ...each, ...withoutNull(each) }));
  const allOf = [...new Set([...listOf(schema.allOf), ...beside.map(withoutNull)])];
  return Object.assign({}, schema, { description }, ...said, { allOf });
}

/** Only if all are texts; null beside them options the same as left out. */
function choicesOf({ enum: values, const: only }: JsonSchema): readonly string[] | undefined {
  const all = Array.isArray(values) ? values : [only];
  const given = all.filter((each) => each !== null && each !== undefined);
  const texts = given.filter((each): each is string => typeof each === 'string');
  return texts.length > 0 && texts.length === given.length ? texts : undefined;
}

const simpleKinds: Readonly<Record<string, FormKind>> = {
  number: 'number',
  integer: 'number',
  boolean: 'flag',
};

const kindsOfFormats: Readonly<Record<string, FormKind>> = {
  duration: 'duration',
  'date-time': 'instant',
  date: 'day',
  account: 'person',
};

/** The schemas of built-in flows have no formats. */
const { pattern: DURATION } = z.toJSONSchema(duration);

const textKind = ({ format, pattern }: JsonSchema): FormKind =>
  pattern === DURATION ? 'duration' : (kindsOfFormats[String(format)] ?? 'text');

function describedBy({ description, format, minimum, maximum }: JsonSchema): string | null {
  const expected = [
    format === 'email' && t`an e-mail address`,
    typeof minimum === 'number' && Math.abs(minimum) < Number.MAX_SAFE_INTEGER && t`at least ${minimum}`,
    typeof maximum === 'number' && Math.abs(maximum) < Number.MAX_SAFE_INTEGER && t`at most ${maximum}`,
  ].filter(Boolean);
  return together([textOf(description), ...expected]);
}

/** What a person has described as a sentence goes on. */
function together(parts: readonly (string | null | false)[]): string | null {
  const said = parts.filter((each) => typeof each === 'string');
  return (
    said.map((each, index) => (index < said.length - 1 ? each.replace(/\.$/, '') : each)).join('; ') || null
  );
}

function initialOf({ default: value }: JsonSchema): Pick<FormField, 'initial'> {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? { initial: value }
    : {};
}
