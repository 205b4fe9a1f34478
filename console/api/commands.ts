// The commands to a process as the API offers them: their bodies have the input of the command, and why. The commands
// themselves, their rights and their rules are in processes/commands/.
import { z } from 'zod';
import type { JsonSchema } from '../../contract/openapi/schemas.ts';
import { commands, type DescribedName } from '../../processes/commands/commands.ts';
import { ruleOf } from '../../processes/commands/read-values.ts';
import { type Outcome, orThrow } from '../../processes/outcome.ts';
import type { CommandContext } from '../../processes/temporal-context.ts';
import { schemaOf } from '../../processes/views/flow-schemas.ts';
import { why } from '../../processes/views/process-fields.ts';

/** The body is checked by the command itself. */
export const commandBody = z.looseObject({ why: why.optional() });

/** The schema of that body. */
export function bodySchema(name: DescribedName): JsonSchema {
  const { input, why: needed } = commands[name];
  return { ...withWhy(schemaOf(input, 'input'), needed === 'needed'), ...ruleOf(input) };
}

/**
 * The schema of a body that names one of the commands, and has its input in `fields`.
 * @param body what all of them have
 */
export function bodySchemaOfMany(names: readonly DescribedName[], body: JsonSchema): JsonSchema {
  const { command: _, fields: __, why: ___, ...properties } = body.properties ?? {};
  const bodyOf = (name: DescribedName): JsonSchema => {
    const { input, why: needed } = commands[name];
    const own = { ...schemaOf(input, 'input'), ...ruleOf(input) };
    return {
      ...body,
      title: `Batch of ${name}`,
      properties: { command: { const: name }, fields: own, ...properties, why: WHY },
      required: ['command', ...(mayBeEmpty(own) ? [] : ['fields']), ...(needed === 'needed' ? ['why'] : [])],
      anyOf: [{ required: ['search'] }, { required: ['keys'], properties: { keys: { minItems: 1 } } }],
    };
  };
  return { oneOf: names.map(bodyOf) };
}

function mayBeEmpty({ required = [], allOf = [], oneOf, anyOf }: JsonSchema): boolean {
  const choice = oneOf ?? anyOf;
  if (choice) return choice.some((each) => mayBeEmpty(each as JsonSchema));
  return required.length === 0 && allOf.length === 0;
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

interface CommandRequest {
  readonly name: DescribedName;
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

/** What its command takes of a body: its input, and why. Throws a CommandError for wrong input. */
function readBody(name: DescribedName, { why: reason, ...values }: CommandRequest['fields']) {
  const input = orThrow(commands[name].read(values));
  return { input, why: typeof reason === 'string' ? reason : undefined };
}

/** Throws a CommandError. */
export async function doCommand(
  commandContext: CommandContext,
  { name, key, fields }: CommandRequest,
): Promise<CommandOutcome> {
  const { input, why: reason } = readBody(name, fields);
  const value = orThrow(await commands[name].do({ ...commandContext, why: reason }, key, input));
  return {
    isDone: true,
    refusal: null,
    consequence: value ?? null,
    words: commands[name].formatResult(value),
  };
}

/** What would follow; nothing is changed. A refusal of the process is an answer too, wrong input is not. */
export async function previewCommand(
  commandContext: CommandContext,
  { name, key, fields }: CommandRequest,
): Promise<CommandOutcome> {
  const { input, why: reason } = readBody(name, fields);
  const as = { ...commandContext, why: reason };
  const outcome: Outcome<unknown> = await commands[name].preview(as, key, input);
  if (outcome.done) {
    const { value } = outcome;
    return {
      isDone: false,
      refusal: null,
      consequence: value ?? null,
      words: commands[name].formatPreview(value),
    };
  }
  const { kind, code, message } = outcome.error;
  if (kind !== 'refused') throw outcome.error;
  return { isDone: false, refusal: { code, message }, consequence: null, words: null };
}
