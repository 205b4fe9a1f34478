// What a process says of itself by its chart: where it stands, what it takes, what it asks people, and whether it has halted. It
// is a part of the answer to `progress` (flow-answers.ts).
import { z } from 'zod';

/** Where a rule of a flow file is wrong, and why. */
export const fileFault = z.object({
  path: z.string().meta({ description: 'In the file, like `states.lent.on.returned.guard`' }),
  expression: z.string().nullable(),
  reason: z.string(),
  refused: z.object({ code: z.string(), operation: z.string() }).exactOptional().meta({
    description: 'What the locker service has refused, and how, where no state takes that',
  }),
});

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
const json = z.unknown() as z.ZodType as z.ZodType<Json>;

const questionField = z.object({
  type: z.enum(['text', 'number', 'yesNo', 'date']).exactOptional(),
  choice: z.array(z.string()).exactOptional(),
  many: z.boolean().exactOptional(),
  minLength: z.number().exactOptional(),
  maxLength: z.number().exactOptional(),
  min: json.exactOptional(),
  max: json.exactOptional(),
  default: json.exactOptional(),
  label: z.string().exactOptional(),
  optional: z.boolean().exactOptional(),
});

/** Where a process goes on. */
export const nextState = z.object({
  state: z.string().meta({ description: 'Its path in the chart' }),
  title: z.string().exactOptional().meta({ description: 'Its name for people' }),
});

export const openQuestion = z.object({
  id: z.string(),
  of: z.string().meta({ description: 'The inbox' }),
  question: z.string(),
  fields: z.record(z.string(), questionField),
  askedAt: z.string(),
  until: z.string().nullable(),
  priority: z.number().exactOptional().meta({ description: 'From 0 to 100; 50 if absent' }),
  due: z.string().exactOptional().meta({ description: 'When it should be answered' }),
  holder: z
    .string()
    .exactOptional()
    .meta({ description: 'Who alone may answer it; absent: nobody holds it' }),
  heldSince: z.string().exactOptional(),
  candidates: z
    .array(z.string())
    .exactOptional()
    .meta({ description: 'Who may claim and answer it; absent: everybody' }),
  not: z.array(z.string()).exactOptional().meta({ description: 'Who may not' }),
  itemTitle: z.string().exactOptional().meta({
    description: 'What people call the item of an `each` that it is about, if its file says it',
  }),
  note: z.string().exactOptional(),
  unanswered: z.array(nextState).exactOptional().meta({
    description:
      'Where it goes on at `until` without an answer: one of these; absent: the chart does not say it',
  }),
});

const halt = z.object({
  code: z.string(),
  message: z.string().meta({ description: 'For an operator' }),
  event: z
    .string()
    .meta({ description: 'The event whose step cannot be taken; of a call or a time, that it has ended' }),
  since: z.string().exactOptional().meta({
    description: 'When, by the clock of the process; absent: its worker does not say it',
  }),
  details: fileFault.exactOptional(),
  maintainer: z.string().exactOptional().meta({ description: 'Who corrects its flow file, for people' }),
});

const child = z.object({
  id: z.string(),
  flow: z.string(),
  key: z.string().nullable().meta({ description: 'null: it is just being started' }),
  itemTitle: z.string().exactOptional().meta({
    description: 'What people call the item of an `each` that it is for, if the file says it',
  }),
});

const indexes = z.array(z.int());

/** An `each`: the items that are in none of its lists, and begun, are done. */
const batch = z.object({
  id: z.string().meta({ description: 'Of its invoke; an item has the id `<id>.<index>`' }),
  type: z.string().meta({ description: 'What is done with each item, like the name of a flow' }),
  items: z.int(),
  next: z
    .int()
    .meta({ description: 'The index of the item that begins next: those from there on have not begun' }),
  atOnce: z.int().exactOptional().meta({
    description: 'At most so many are at work at once; absent: its worker does not say it',
  }),
  open: indexes.meta({ description: 'At work' }),
  failed: indexes,
  left: indexes.meta({ description: 'Cancelled because of the others' }),
  of: z
    .array(json)
    .exactOptional()
    .meta({ description: 'The items. Only where the query asks for it: `{ "context": true }`' }),
});

export const chartProgress = {
  state: z.unknown().meta({ description: 'Where it stands in its chart, as xstate says it' }),
  tags: z.array(z.string()),
  titles: z
    .array(z.string())
    .exactOptional()
    .meta({ description: 'The names for people of its active states, the outermost first' }),
  events: z.array(z.string()).meta({ description: 'Those that it takes now' }),
  childEvents: z
    .array(z.string())
    .meta({ description: 'Those that it takes from the flows that it has started, and from nobody else' }),
  dropped: z.number().int().meta({
    description:
      'Messages that were no events: without a type, or in the name of a flow that had not sent them; and events that did not fit',
  }),
  misfits: z
    .array(z.object({ type: z.string(), id: z.string().exactOptional(), reason: z.string() }))
    .exactOptional()
    .meta({
      description:
        'The newest events that were put aside, since their data does not fit the schema that the file has of them (`events`)',
    }),
  questions: z.array(openQuestion).meta({ description: 'Those that are open' }),
  children: z.array(child).meta({ description: 'Flows that it has started and that have not ended' }),
  batches: z.array(batch).exactOptional().meta({ description: 'Its `each` that are at work' }),
  halted: halt.nullable().meta({ description: 'The step that cannot be taken; null: there is none' }),
  undoable: z
    .array(z.string())
    .exactOptional()
    .meta({ description: 'The ids of the steps that are done and can be undone, the last one last' }),
  keys: z
    .record(z.string(), z.string())
    .exactOptional()
    .meta({ description: 'By which events find it now, if its file has `correlate`' }),
  kept: z
    .array(z.object({ type: z.string(), until: z.string() }))
    .exactOptional()
    .meta({ description: 'Events by correlation that wait for a state that takes them' }),
  context: json
    .exactOptional()
    .meta({ description: 'Only where the query asks for it: `{ "context": true }`' }),
  output: z.unknown().exactOptional().meta({ description: 'The result of a flow file that has ended' }),
};
