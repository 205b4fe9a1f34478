// The verb of a command to processes, made from what the command says of itself: its input gives the options, its meaning and its
// example the help. For one process by its key, or for all that a query finds; what is done to a question, for one alone.
import { Option, type Command as Verb } from 'commander';
import type { JsonSchema } from '../../contract/openapi/schemas.ts';
import { nearestOf } from '../../flows/language/nearest-names.ts';
import {
  bulkNames,
  commands,
  type DescribedName,
  describedNames,
  isOfQuestion,
} from '../../processes/commands/commands.ts';
import { canBeTakenBack, moveBack } from '../../processes/commands/moved-end.ts';
import { fieldAlternativesOf, type Values, waysIn } from '../../processes/commands/read-values.ts';
import { schemaOf } from '../../processes/views/flow-schemas.ts';
import { addYesOption, confirm } from '../../shared/terminal/confirm.ts';
import { escapeControlCharacters } from '../../shared/terminal/escape-control-characters.ts';
import { wrongUse } from '../../shared/terminal/exit-codes.ts';
import { shellWord, type Terminal } from '../../shared/terminal/terminal.ts';
import {
  actOnChosen,
  addChoiceOptions,
  type ChoiceOptions,
  chosenFlows,
  ONLY_SHOW,
} from '../chosen-flows.ts';
import { endIn } from '../moments.ts';
import { dashed, pairIn } from '../options.ts';
import { patchOf } from '../start-input.ts';
import { type ActingOptions, addActingOptions, atTemporal, commandContextIn } from '../temporal.ts';

type AddVerb = (program: Verb, terminal: Terminal) => void;
type Options = ChoiceOptions & ActingOptions & Readonly<Record<string, unknown>>;

const addCommands =
  (names: readonly DescribedName[]): AddVerb =>
  (program, terminal) => {
    for (const name of names) addCommand(name, program, terminal);
  };
export const addProcessCommands = addCommands(describedNames.filter((name) => !isOfQuestion(name)));
export const addQuestionCommands = addCommands(describedNames.filter(isOfQuestion));

/** Undefined: no command has this verb. */
export function commandOfVerb(verb: string): AddVerb | undefined {
  const name = describedNames.find((each) => verbOf(each) === verb);
  return name && addCommands([name]);
}

function addCommand(name: DescribedName, program: Verb, terminal: Terminal): void {
  const command = commands[name];
  const fields = optionFieldsOf(name);
  const meaning = lowered(command.meaning);
  const isForMany = bulkNames.includes(name);
  const state = command.isOfEnded ? 'failed' : 'open';
  const bare = program
    .command(verbOf(name))
    .description(
      isForMany ? `${meaning}; one process by its key, or all ${state} ones that a query finds` : meaning,
    );
  const needsWhy = command.why === 'needed';
  const verb = addActingOptions(
    isForMany
      ? addChoiceOptions(bare, state)
      : bare.argument('<key>', 'the business key of the process').option('--dry-run', ONLY_SHOW),
    { needsWhy, needsPerson: needsPerson(name) },
  );
  if (!isForMany && command.risksOf) addYesOption(verb);
  for (const field of fields) verb.addOption(optionOf(field));
  verb
    .addHelpText('after', examplesOf(name, fields, isForMany))
    .action((key: string | undefined, options: Options, self: Verb) => {
      const given = valuesIn(fields, options);
      requireOneWay(name, given);
      const values = { ...given, ...endsIn(fields, given) };
      const input = inputOf(name, fields, values);
      return atTemporal(
        terminal,
        async (temporal) => {
          const keys = await chosenFlows(terminal, temporal, key, options, state);
          const commandContext = commandContextIn(terminal, temporal, options);
          const isOne = key !== undefined;
          if (isOne && !options.dryRun) {
            const risks = (await command.risksOf?.(commandContext, key, input)) ?? [];
            const question = `${risks.join('; ')}: ${verbOf(name)} ${key} all the same?`;
            if (risks.length > 0) await confirm(terminal, self, options, escapeControlCharacters(question));
          }
          await actOnChosen(
            terminal,
            self,
            { keys, options, isOne },
            {
              ...{ command, input, fields: values, commandContext, verb: verbOf(name) },
              ...{ warning: command.warning, undoing: (result, of) => formatUndo(name, result, of) },
            },
          );
        },
        { finishes: true },
      );
    });
}

const needsPerson = (name: DescribedName): boolean =>
  commands[name].why === 'needed' || isOfQuestion(name) || commands[name].isSigned === true;

/** What one option gives: a field of the input, or several whose values stand in it with dots between them. */
interface OptionField {
  readonly name: string;
  readonly fields: readonly string[];
  readonly schemas: readonly JsonSchema[];
}

function optionFieldsOf(name: DescribedName): OptionField[] {
  const { input } = commands[name];
  const { properties = {} } = schemaOf(input, 'input');
  const together = fieldAlternativesOf(input).flatMap((ways) =>
    Object.entries(ways).filter(([, fields]) => fields.length > 1),
  );
  const within = new Set(together.flatMap(([, fields]) => fields));
  const alone = Object.keys(properties).filter((each) => !within.has(each));
  return [...together, ...alone.map((each) => [each, [each]] as const)].map(([option, fields]) => ({
    name: option,
    fields,
    schemas: fields.map((each) => (properties[each] ?? {}) as JsonSchema),
  }));
}

function optionOf({ name, fields, schemas }: OptionField): Option {
  const [{ const: only, enum: choices, type, propertyNames, description = '' } = {}] = schemas;
  const flag = dashed(name);
  if (type === 'object' && !hasNames(propertyNames))
    return new Option(
      `${flag} <path=value...>`,
      `${lowered(description)}; a text of digits stands in quotes, and null takes a field out`,
    );
  if (hasNames(propertyNames)) {
    const { enum: keys = [] } = propertyNames;
    return new Option(`${flag} <key=value...>`, `${lowered(description)}: ${keys.join(', ')}`);
  }
  if (fields.length > 1) {
    const values = schemas.map((each, at) => `${fields[at]}: ${(each.enum ?? []).join(', ')}`);
    return new Option(`${flag} <${fields.join('.')}>`, values.join('; '));
  }
  if (only === true || type === 'boolean') return new Option(flag, lowered(description));
  if (isInstant(schemas[0]))
    return new Option(
      `${flag} <moment>`,
      `${lowered(description)} (22:00, the next, and "2031-05-01 22:00" are of your time)`,
    );
  const option = new Option(`${flag} <${name}>`, lowered(description));
  return choices ? option.choices(choices.map(String)) : option;
}

/** Whether the keys of a map are known. */
const hasNames = (propertyNames: unknown): propertyNames is JsonSchema =>
  (propertyNames as JsonSchema | undefined)?.enum !== undefined;

const isInstant = ({ format, anyOf = [] }: JsonSchema = {}): boolean =>
  format === 'date-time' || anyOf.some(isInstant);

/** As everybody else is to read them, whatever the time of this terminal. Throws CommandFailed (wrong use). */
const endsIn = (fields: readonly OptionField[], values: Values): Values =>
  Object.fromEntries(
    fields.flatMap(({ name, schemas: [schema] }) => {
      const text = values[name];
      return isInstant(schema) && typeof text === 'string'
        ? [[name, endIn(text, dashed(name)).toISOString()]]
        : [];
    }),
  );

/** Throws CommandFailed (wrong use). */
function requireOneWay(name: DescribedName, values: Values): void {
  const unclear = fieldAlternativesOf(commands[name].input).flatMap((ways) => {
    const { length } = waysIn(values, ways);
    const options = Object.keys(ways).map(dashed).join(', ');
    return length === 1 ? [] : [`expected ${length === 0 ? 'one' : 'only one'} of ${options}`];
  });
  if (unclear.length > 0) throw wrongUse(unclear.join('; '));
}

/** Throws CommandFailed for wrong use, in which fields are named as their options. */
function inputOf(name: DescribedName, fields: readonly OptionField[], values: Values): unknown {
  const read = commands[name].read(values);
  if (read.done) return read.value;
  const wrong = Object.entries(read.error.fields ?? {});
  const problems = wrong.map(([field, problem]) => `${dashed(optionNameOf(fields, field))} ${problem}`);
  throw wrongUse([...new Set(problems)].join('; '));
}

function valuesIn(fields: readonly OptionField[], options: Options): Values {
  const given = withBookingApart(fields, options);
  return Object.fromEntries(fields.flatMap((field) => valuesOf(field, given[field.name])));
}

/** `flows` names a deadline of one of several bookings with it: hold.issue.pickUp. Throws CommandFailed (wrong use). */
function withBookingApart(fields: readonly OptionField[], options: Options): Options {
  const { booking, deadline } = options;
  const [, of, rest] = OF_BOOKING.exec(String(deadline ?? '')) ?? [];
  if (of === undefined || !fields.some(({ name }) => name === 'booking')) return options;
  if (booking !== undefined && booking !== of)
    throw wrongUse(`--deadline ${deadline} is one of the booking ${of}, and --booking ${booking} is given`);
  return { ...options, booking: of, deadline: rest };
}

const OF_BOOKING = /^(.+)\.([^.]+\.[^.]+)$/;

const optionNameOf = (all: readonly OptionField[], field: string): string =>
  all.find(({ fields }) => fields.includes(field))?.name ?? field;

function valuesOf({ name, fields, schemas }: OptionField, given: unknown): (readonly [string, unknown])[] {
  if (given === undefined) return [];
  const [field = name, ...others] = fields;
  if (Array.isArray(given) && !hasNames(schemas[0]?.propertyNames))
    return [[field, patchOf(given.map(String), dashed(name))]];
  if (Array.isArray(given))
    return [[field, Object.fromEntries(given.map((each) => pairIn(each, 'key=value', dashed(name))))]];
  if (others.length === 0) return [[field, given]];
  const all = allOf(schemas.map((each) => (each.enum ?? []).map(String)));
  if (!all.includes(String(given))) {
    const near = nearestOf(String(given), all);
    throw wrongUse(
      `${dashed(name)} ${given} is not known; ${near ? `did you mean ${near}? ` : ''}expected ${fields.join('.')}, like ${all[0]}`,
    );
  }
  const parts = String(given).split('.');
  return fields.map((each, at) => [each, parts[at]] as const);
}

const allOf = (parts: readonly (readonly string[])[]): string[] =>
  parts.reduce<string[]>(
    (all, part) =>
      all.length === 0 ? [...part] : all.flatMap((each) => part.map((one) => `${each}.${one}`)),
    [],
  );

/** That of the API, as it is typed. */
function examplesOf(name: DescribedName, all: readonly OptionField[], isForMany: boolean): string {
  const { example, isDecision, isOfEnded } = commands[name];
  const { why, ...values } = example;
  const words = formatOptions(all, values, typed);
  const verb = `lockerflow ${verbOf(name)}`;
  const reason = typeof why === 'string' ? ` --why "${why}"` : '';
  const person = ` --by anna${reason}`;
  const state = isOfEnded ? '' : ` --phase ${isDecision ? 'NeedsPerson' : 'Overdue'}`;
  // What has booked nothing has no pick up point.
  const place = isOfEnded ? ' --flow Issue' : ' --pick-up-point pup-central';
  const query = `${verb}${state}${place}${words}`;
  return [
    '\nExamples:',
    `${verb} order-1042${words}${needsPerson(name) ? person : reason}`,
    ...(isForMany ? [`${query} --dry-run${needsPerson(name) ? person : ''}`, `${query} --yes${person}`] : []),
  ].join('\n  ');
}

/** Those whose fields have values, each after a blank. */
const formatOptions = (
  all: readonly OptionField[],
  values: Values,
  typedAs: (value: unknown) => string,
): string =>
  all
    .filter(({ fields }) => fields.every((each) => values[each] !== undefined))
    .map(({ name, fields }) => ` ${dashed(name)} ${fields.map((each) => typedAs(values[each])).join('.')}`)
    .join('');

/** What takes back what was done to the process, as a command to copy; null: nothing does. */
function formatUndo(name: DescribedName, result: unknown, of: string): string | null {
  const back = canBeTakenBack(name) ? moveBack(result, of) : null;
  if (!back) return null;
  const word = (value: unknown) => shellWord(escapeControlCharacters(String(value)));
  const options = formatOptions(optionFieldsOf('undoExtension'), back.fields, word);
  return `npx lockerflow ${verbOf('undoExtension')} ${word(back.key)}${options}`;
}

function typed(value: unknown): string {
  if (typeof value === 'object' && value !== null) return pairsOf(value).join(' ');
  const text = String(value);
  return text.includes(' ') ? `"${text}"` : text;
}

/** As `key=value`, with dots between the keys of maps within maps. */
const pairsOf = (value: object): string[] =>
  Object.entries(value).flatMap(([key, each]) =>
    typeof each === 'object' && each !== null
      ? pairsOf(each).map((pair) => `${key}.${pair}`)
      : [`${key}=${each}`],
  );

/** As it is typed: set-receiver for setReceiver. */
const verbOf = (name: DescribedName): string => dashed(name).slice('--'.length);

/** As the help begins each of its lines. */
const lowered = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
