// The commands to a process as the API offers them: their bodies have the input of the command, and why. The commands
// themselves, their rights and their rules are in processes/commands/.
import { z } from 'zod';
import type { JsonSchema } from '../../contract/openapi/schemas.ts';
import { duration } from '../../contract/wire/duration.ts';
import type { Acting } from '../../processes/at-temporal.ts';
import { type CommandName, commands } from '../../processes/commands/commands.ts';
import { type Outcome, orThrow, type Refusal } from '../../processes/outcome.ts';
import { schemaOf } from '../../processes/views/schema-of.ts';
import { why } from './fields.ts';

interface CommandWords {
  readonly meaning: string;
  readonly example: Readonly<Record<string, unknown>>;
  /** Fields, and a rule over several, of which zod's JSON Schema does not say enough. */
  readonly fields?: Readonly<Record<string, JsonSchema>>;
  readonly rule?: JsonSchema;
}

/** One group of fields, whole, and none of the others. */
const eitherOf = (...groups: readonly (readonly string[])[]): JsonSchema => ({
  oneOf: groups.map((given) => {
    const absent = groups.filter((group) => group !== given).flat();
    return { required: [...given], not: { anyOf: absent.map((name) => ({ required: [name] })) } };
  }),
});

export const offered = {
  cancel: {
    meaning: 'Cancels the process: it undoes what it has booked, and ends as cancelled',
    example: { why: 'the order was withdrawn' },
  },
  extend: {
    meaning:
      'Extends a deadline, or gives one to a stage that has none; of a flow file, a timer that runs, by its id in `awaits`. With `next` the one that ends first',
    example: { role: 'issue', stage: 'pickUp', fromNow: 'P2D', why: 'the receiver is ill' },
    fields: { fromNow: schemaOf(duration, 'input') },
    rule: {
      allOf: [eitherOf(['fromNow'], ['until']), eitherOf(['role', 'stage'], ['timer'], ['next'])],
    },
  },
  setReceiver: {
    meaning: 'Sets the receiver of a shipment',
    example: { role: 'issue', toUserUid: 'user-anna' },
  },
  removeReceiver: { meaning: 'Removes the receiver of a shipment', example: { role: 'issue' } },
  resolve: {
    meaning:
      'Decides for a process that does not know how to continue. retry: do again what is in doubt. adopt: these are its shipments. setState: this is the state of the shipment. giveUp: end without it',
    example: { action: 'retry', why: 'the service answers again' },
  },
  dropEvent: {
    meaning: 'Continues a halted process of a flow file without the event whose step failed',
    example: { why: 'the event was sent by mistake' },
  },
  giveUp: {
    meaning: 'Ends a process that does not know how to continue',
    example: { why: 'settled by hand' },
  },
} as const satisfies Partial<Record<CommandName, CommandWords>>;
export type Offered = keyof typeof offered;
export const offeredNames = Object.keys(offered) as Offered[];

/** The body is checked by the command itself. */
export const commandBody = z.looseObject({ why: why.optional() });

/** The schema of that body. */
export function bodySchema(name: Offered): JsonSchema {
  const { rule, fields }: CommandWords = offered[name];
  const { input, why: needed } = commands[name];
  const schema = withWhy(schemaOf(input, 'input'), needed === 'needed');
  return { ...schema, ...(fields && { properties: { ...schema.properties, ...fields } }), ...rule };
}

const WHY = schemaOf(why, 'input');

function withWhy(schema: JsonSchema, isNeeded: boolean): JsonSchema {
  const choice = schema.oneOf ?? schema.anyOf;
  if (choice) return { oneOf: choice.map((each) => withWhy(each as JsonSchema, isNeeded)) };
  return {
    ...schema,
    properties: { ...schema.properties, why: WHY },
    ...(isNeeded && { required: [...(schema.required ?? []), 'why'] }),
  };
}

export interface Given {
  readonly name: Offered;
  readonly key: string;
  /** The body of the request. */
  readonly fields: Readonly<Record<string, unknown>>;
}

export const commandOutcome = z.object({
  isDone: z.boolean().meta({ description: 'False for a dry run, and where it was refused' }),
  refusal: z
    .object({ code: z.string(), message: z.string() })
    .nullable()
    .meta({ description: 'Why it is not possible' }),
  consequence: z
    .unknown()
    .nullable()
    .meta({ description: 'As data: what would follow, for a dry run; else what came of it' }),
  words: z.string().nullable().meta({ description: 'The same for people: never read it by program' }),
});
export type CommandOutcome = z.infer<typeof commandOutcome>;

/** What its command takes of a body: its input, and why. Throws a Refusal for wrong input. */
export function readBody(name: Offered, { why: reason, ...values }: Given['fields']) {
  const input = orThrow(commands[name].read(values));
  return { input, why: typeof reason === 'string' ? reason : undefined };
}

/** Throws a Refusal. */
export async function doCommand(acting: Acting, { name, key, fields }: Given): Promise<CommandOutcome> {
  const { input, why: reason } = readBody(name, fields);
  return didOf(name, orThrow(await commands[name].do({ ...acting, why: reason }, key, input)));
}

export const didOf = (name: Offered, value: unknown): CommandOutcome => ({
  ...{ isDone: true, refusal: null, consequence: value ?? null, words: commands[name].did(value) },
});

/** What would follow; nothing is changed. A refusal of the process is an answer too, wrong input is not. */
export async function foresee(acting: Acting, { name, key, fields }: Given): Promise<CommandOutcome> {
  const { input } = readBody(name, fields);
  const outcome: Outcome<unknown> = await commands[name].preview(acting, key, input);
  if (outcome.done) return wouldOf(name, outcome.value);
  if (outcome.refusal.kind !== 'refused') throw outcome.refusal;
  return refusedAs(outcome.refusal);
}

export const wouldOf = (name: Offered, value: unknown): CommandOutcome => ({
  ...{ isDone: false, refusal: null, consequence: value ?? null, words: commands[name].would(value) },
});

export const refusedAs = ({ code, message }: Refusal): CommandOutcome => ({
  ...{ isDone: false, refusal: { code, message }, consequence: null, words: null },
});
