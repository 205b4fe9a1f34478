// What people and other systems send to the processes of a flow file, as JSON Schema: the answers to its questions, and the events
// that it takes from outside. What only an expression gives is left open: no value that a process takes is refused here.
import type { JsonSchema } from '../../../contract/openapi/schemas.ts';
import { CANCEL_REQUESTED } from '../../../engine/chart/messages.ts';
import { type FlowFile, type Json, type JsonObject, listOf } from '../flow-file.ts';
import { isOfChild, isReserved } from '../machine/incoming.ts';
import { answerSchema, type QuestionField } from '../machine/question.ts';
import { DEFAULT_INBOX, NOT_UNDONE_FIELDS } from '../machine/undo.ts';
import { listenedFor } from '../subscriptions.ts';
import { isMap } from './report.ts';
import { actionsOf, invokesOf, type Node, nodesOf, sourcesIn, textsIn, workOf } from './walk.ts';

export interface MessageSchemas {
  /** The argument of the update `answer`, by the id of the question; `<id>.*` of the questions of an `each`. */
  readonly answers: Readonly<Record<string, JsonSchema>>;
  /** The argument of the signal `event`, by the type of the event, as the file listens for it. */
  readonly events: Readonly<Record<string, JsonSchema>>;
}

export function messageSchemas(file: FlowFile): MessageSchemas {
  const nodes = nodesOf(file);
  return { answers: grouped(nodes.flatMap(questionsOf(nodes))), events: eventSchemas(file, nodes) };
}

interface Question {
  /** With `*` for the index of an item. */
  readonly id: string;
  readonly asked: JsonObject;
}

/** Those of one state: of its `ask`, of an `each` that asks, and of what cannot be undone. */
const questionsOf =
  (nodes: readonly Node[]) =>
  (node: Node): Question[] =>
    invokesOf(node).flatMap((given) => {
      const { id, invoke } = given;
      if (invoke.src === 'undo') return questionsOfUndo(id, (invoke.input ?? {}) as JsonObject, nodes);
      const { invoke: work } = workOf(given);
      if (work.src !== 'ask') return [];
      return [{ id: invoke.src === 'each' ? `${id}.*` : id, asked: work.input as JsonObject }];
    });

function questionsOfUndo(
  id: string,
  { of = DEFAULT_INBOX, steps }: JsonObject,
  nodes: readonly Node[],
): Question[] {
  const only = steps === undefined ? null : listOf(steps as string | string[]);
  return nodes.flatMap(invokesOf).flatMap(({ id: step, invoke: { undo } }) => {
    if (!undo || (only !== null && !only.includes(step))) return [];
    const question = `${step} could not be undone`;
    return [
      ...(undo.src === 'ask' ? [{ id: `${id}.${step}`, asked: undo.input as JsonObject }] : []),
      { id: `${id}.${step}.failed`, asked: { of, question, fields: NOT_UNDONE_FIELDS as unknown as Json } },
    ];
  });
}

/** A file may use an id in several states. */
function grouped(questions: readonly Question[]): Record<string, JsonSchema> {
  const byId = new Map<string, JsonSchema[]>();
  for (const question of questions) {
    const schema = schemaOfAnswer(question);
    const known = byId.get(question.id) ?? [];
    const isKnown = known.some((each) => JSON.stringify(each) === JSON.stringify(schema));
    byId.set(question.id, isKnown ? known : [...known, schema]);
  }
  return Object.fromEntries(
    [...byId].map(([id, schemas]) => [id, schemas.length === 1 ? (schemas[0] ?? {}) : { anyOf: schemas }]),
  );
}

function schemaOfAnswer({ id, asked: { of, question, fields = {} } }: Question): JsonSchema {
  const values = valuesSchema(fields);
  const isNeeded = (values.required ?? []).length > 0;
  return {
    type: 'object',
    title: String(question),
    description: `Asked of ${String(of)}`,
    required: [...(isNeeded ? ['values'] : []), 'by'],
    properties: {
      question: { ...idSchema(id), description: 'Its id; may be left out while no other question is open' },
      values,
      by: { type: 'string', minLength: 1, description: 'Who answers; the history keeps it' },
    },
  };
}

function valuesSchema(fields: Json): JsonSchema {
  if (typeof fields !== 'object' || fields === null) return { type: 'object' };
  const all = Object.entries(fields as Readonly<Record<string, Json>>).map(([name, given]) => ({
    name,
    schema: fieldSchema(given),
    isRequired: isMap(given) && given.optional === undefined && given.default === undefined,
  }));
  return {
    type: 'object',
    required: all.flatMap(({ name, isRequired }) => (isRequired ? [name] : [])),
    properties: Object.fromEntries(all.map(({ name, schema }) => [name, schema])),
    additionalProperties: false,
  };
}

/** Without what an expression of the field gives. */
function fieldSchema(given: Json): JsonSchema {
  if (!isMap(given)) return {};
  const isOpen = (name: string) => textsIn(given[name]).some((text) => sourcesIn(text).length > 0);
  const known = Object.fromEntries(Object.entries(given).filter(([name]) => !isOpen(name))) as QuestionField;
  const field = isOpen('choice') ? { ...known, choice: [] } : known;
  const { value = {} } = (answerSchema({ value: field }).properties ?? {}) as Record<string, JsonSchema>;
  const { enum: _, items, minItems, ...rest } = value;
  if (isOpen('choice'))
    return { ...rest, ...(items !== undefined && { items: { type: 'string' } }) } as JsonSchema;
  return { ...value, ...(isOpen('min') && minItems !== undefined && { minItems: 0 }) };
}

function eventSchemas(file: FlowFile, nodes: readonly Node[]): Record<string, JsonSchema> {
  const { starts = {}, input } = file;
  const isFromChild = isOfChild(file);
  const raised = nodes
    .flatMap(actionsOf)
    .flatMap(({ action }) => (action.type === 'raise' ? [String(action.params?.type)] : []));
  const types = [...new Set([...listenedFor(file), ...Object.keys(starts)])].filter(
    (type) => ![CANCEL_REQUESTED, ...raised].includes(type) && !isReserved(type) && !isFromChild(type),
  );
  return Object.fromEntries(
    types.map((type) => {
      const start = starts[type];
      // A start without a request of its own takes the data as one.
      const isRequest = start !== undefined && start.request === undefined;
      const data = isRequest ? ((input ?? {}) as JsonSchema) : {};
      return [type, schemaOfEvent(type, data, start !== undefined)];
    }),
  );
}

const schemaOfEvent = (type: string, data: JsonSchema, isStart: boolean): JsonSchema => ({
  type: 'object',
  ...(isStart && {
    description: 'By correlation it also starts a process, if no process of the flow takes it',
  }),
  required: ['type'],
  properties: {
    type: typeSchema(type),
    id: { type: 'string', description: 'The same id again has no effect' },
    data,
    keepForMs: { type: 'number', minimum: 0, description: 'How long it waits for a state that takes it' },
  },
});

function idSchema(id: string): JsonSchema {
  if (!id.endsWith('.*')) return { type: 'string', const: id };
  return { type: 'string', pattern: `^${literally(id.slice(0, -1))}[0-9]+$` };
}

const literally = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** With a wildcard a pattern: `parcel.*` is `parcel` too. */
function typeSchema(type: string): JsonSchema {
  if (type === '*') return { type: 'string', minLength: 1 };
  if (!type.endsWith('.*')) return { type: 'string', const: type };
  return { type: 'string', pattern: `^${literally(type.slice(0, -2))}(\\.|$)` };
}
