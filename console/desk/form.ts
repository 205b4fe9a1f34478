// A form for the input of a flow, from its JSON Schema. What no field can show is typed as JSON; the flow's own check says
// what is wrong, field by field.
import type { FormField } from './desk-view.ts';

export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

// Deeper nested, or longer, no person fills a form: the rest is typed as JSON.
const DEEPEST = 6;
const MOST_FIELDS = 200;

type Definitions = Readonly<Record<string, JsonSchema>>;

/** @param definitions what references `#/$defs/<name>` mean */
export function formOf(schema: JsonSchema, definitions: Definitions = {}): FormField[] {
  return new Form(definitions).fieldsOf(schema, [], 0);
}

class Form {
  readonly #definitions: Definitions;
  #fields = 0;

  constructor(definitions: Definitions) {
    this.#definitions = definitions;
  }

  fieldsOf(schema: JsonSchema, path: readonly string[], depth: number): FormField[] {
    const required = new Set(Array.isArray(schema.required) ? schema.required : []);
    return Object.entries(mapOf(schema.properties)).map(([name, property]) =>
      this.fieldOf(mapOf(property), [...path, name], required.has(name), depth),
    );
  }

  fieldOf(given: JsonSchema, path: readonly string[], isRequired: boolean, depth: number): FormField {
    const schema = this.#meant(withoutNull(given));
    this.#fields += 1;
    const field = {
      path: path.join('.'),
      label: textOf(schema.title) ?? path.at(-1) ?? '',
      isRequired: isRequired && withoutNull(given) === given,
      description: describedBy(given, schema),
      ...initialOf(schema),
    };
    const { type } = schema;
    const choices = choicesOf(schema);
    if (choices) return { ...field, kind: 'choice', choices };
    if (type === 'string') return { ...field, kind: 'text' };
    if (type === 'number' || type === 'integer') return { ...field, kind: 'number' };
    if (type === 'boolean') return { ...field, kind: 'flag' };
    if (type === 'array' && mapOf(schema.items).type === 'string') return { ...field, kind: 'list' };
    const isGroup = type === 'object' && Object.keys(mapOf(schema.properties)).length > 0;
    if (isGroup && depth < DEEPEST && this.#fields < MOST_FIELDS)
      return { ...field, kind: 'group', children: this.fieldsOf(schema, path, depth + 1) };
    return { ...field, kind: 'json' };
  }

  #meant(schema: JsonSchema): JsonSchema {
    const { $ref } = schema;
    return typeof $ref === 'string' ? mapOf(this.#definitions[$ref.replace('#/$defs/', '')]) : schema;
  }
}

const mapOf = (value: unknown): JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonSchema) : {};

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** For a nullable field, the other alternative: null means the same as left out. */
function withoutNull(schema: JsonSchema): JsonSchema {
  const either = [schema.anyOf, schema.oneOf].find(Array.isArray) as readonly unknown[] | undefined;
  const others = either?.map(mapOf).filter(({ type }) => type !== 'null');
  if (others?.length === 1) return others[0] ?? schema;
  const { type } = schema;
  if (!Array.isArray(type)) return schema;
  const types = type.filter((each) => each !== 'null');
  return types.length === 1 ? { ...schema, type: types[0] } : schema;
}

/** Only if all are texts; null beside them means the same as left out. */
function choicesOf({ enum: values, const: only }: JsonSchema): readonly string[] | undefined {
  const all = Array.isArray(values) ? values : [only];
  const given = all.filter((each) => each !== null && each !== undefined);
  const texts = given.filter((each): each is string => typeof each === 'string');
  return texts.length > 0 && texts.length === given.length ? texts : undefined;
}

function describedBy(given: JsonSchema, schema: JsonSchema): string | null {
  const { format, minimum, maximum } = schema;
  const words = textOf(given.description) ?? textOf(schema.description);
  const expected = [
    typeof format === 'string' && FORMATS[format],
    typeof minimum === 'number' && Math.abs(minimum) < Number.MAX_SAFE_INTEGER && `at least ${minimum}`,
    typeof maximum === 'number' && Math.abs(maximum) < Number.MAX_SAFE_INTEGER && `at most ${maximum}`,
  ].filter(Boolean);
  return [words, ...expected].filter(Boolean).join('; ') || null;
}

const FORMATS: Readonly<Record<string, string>> = {
  duration: 'a duration like P3D or PT2H',
  'date-time': 'an instant like 2031-05-01T12:00:00Z',
  date: 'a day like 2031-05-01',
  email: 'an e-mail address',
};

function initialOf({ default: value }: JsonSchema): Pick<FormField, 'initial'> {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? { initial: value }
    : {};
}
