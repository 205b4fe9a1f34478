// What a field of a flow file may hold: each kind with its JSON Schema, by which editors check it. shape.ts and value-kinds.ts say
// what else must hold.
import { MAX_KEYS } from '../correlation.ts';
import { bounds, type JsonObject } from '../flow-file.ts';
import { HIGHEST_PRIORITY } from '../machine/tasks.ts';
import { stateCodes } from './walk.ts';

export const ref = (name: string): JsonObject => ({ $ref: `#/$defs/${name}` });
export const text: JsonObject = { type: 'string' };
const name: JsonObject = { type: 'string', pattern: '^[A-Za-z][A-Za-z0-9_-]{0,63}$' };
export const expression: JsonObject = {
  type: 'string',
  pattern: '\\$\\{',
  description: 'One CEL expression, and no other text.',
};
export const oneOrMore = (item: JsonObject): JsonObject => ({
  anyOf: [item, { type: 'array', items: item }],
});
const mapOf = (item: JsonObject): JsonObject => ({ type: 'object', additionalProperties: item });

/** An event, the path of a state, or the id of an invoke. */
const dotted: JsonObject = { type: 'string', pattern: '^[A-Za-z][A-Za-z0-9_-]*(\\.[A-Za-z0-9_-]+)*$' };

export const byKind = {
  text,
  title: { type: 'string', minLength: 1, maxLength: 60 },
  boolean: { type: 'boolean' },
  count: { type: 'integer', minimum: 0 },
  name,
  eventName: text,
  former: dotted,
  value: {},
  data: { type: 'object' },
  texts: oneOrMore(text),
  choices: { anyOf: [{ type: 'array', items: text }, expression] },
  schema: { type: 'object' },
  states: { type: 'object', propertyNames: name, additionalProperties: ref('state') },
  initial: name,
  target: text,
  targets: oneOrMore(text),
  transitions: ref('transitions'),
  events: mapOf(ref('transitions')),
  delays: mapOf(ref('transitions')),
  delay: text,
  actions: oneOrMore(ref('action')),
  guard: ref('guard'),
  guards: { type: 'array', minItems: 1, items: ref('guard') },
  stateIn: { type: 'string', pattern: '^#' },
  invokes: oneOrMore(ref('invoke')),
  src: text,
  connector: name,
  path: { type: 'string', pattern: '^/(?!/)' },
  keep: {},
  fields: mapOf(ref('questionField')),
  priority: { anyOf: [{ type: 'integer', minimum: 0, maximum: HIGHEST_PRIORITY }, expression] },
  moments: oneOrMore(text),
  retry: ref('retry'),
  refusals: oneOrMore({ anyOf: [name, { type: 'integer', minimum: 400, maximum: 499 }] }),
  duration: { type: 'string', pattern: '^P' },
  factor: { type: 'number', minimum: 1, maximum: 100 },
  positive: { type: 'integer', minimum: 1 },
  correlate: {
    type: 'object',
    propertyNames: name,
    additionalProperties: { type: ['string', 'number', 'boolean'] },
    maxProperties: MAX_KEYS,
  },
  eventSchemas: {
    type: 'object',
    propertyNames: dotted,
    additionalProperties: ref('event'),
  },
  anyDuration: text,
  calendars: {
    type: 'object',
    propertyNames: name,
    additionalProperties: { anyOf: [name, ref('calendar')] },
  },
  schedules: { type: 'object', propertyNames: name, additionalProperties: ref('schedule') },
  starts: { type: 'object', propertyNames: dotted, additionalProperties: ref('start') },
  cron: text,
  zone: text,
  openingHours: mapOf(oneOrMore(text)),
  days: {
    type: 'array',
    items: {
      type: 'string',
      pattern: '^((\\d{4}-)?\\d{2}-\\d{2}|\\d{4}-\\d{2}-\\d{2}\\.\\.\\d{4}-\\d{2}-\\d{2})$',
    },
  },
  offsets: { type: 'array' },
  undo: ref('work'),
  steps: oneOrMore(text),
  do: ref('work'),
  titleOfItem: text,
  keepOfItem: {},
  enough: { anyOf: [{ type: 'integer', minimum: 0 }, expression] },
  atOnce: { anyOf: [{ type: 'integer', minimum: 1, maximum: bounds.atOnce }, expression] },
  code: { anyOf: [name, expression] },
  tolerance: { anyOf: [{ type: 'integer', minimum: 0 }, { const: 'all' }, expression] },
  legs: mapOf(ref('leg')),
  legStates: { type: 'array', minItems: 1, items: { enum: stateCodes } },
  invokeId: text,
  raiseId: text,
} satisfies Readonly<Record<string, JsonObject>>;

export type Kind = keyof typeof byKind;
