// Answers a question that a process of a flow file has asked. The process keeps who answered.
import { z } from 'zod';
import type { OpenQuestion, QuestionField } from '../../client/flow-files/flow-file-handle.ts';
import type { Json, JsonObject } from '../../flows/language/flow-file.ts';
import { valueProblem } from '../../flows/language/machine/question.ts';
import { t } from '../../shared/texts/text.ts';
import { validationOf } from '../actions.ts';
import { formatConsequence } from '../format-consequence.ts';
import { refused } from '../outcome.ts';
import { attributionOf, type CommandContext, requireOpen, withDeadline } from '../temporal-context.ts';
import { progressOf } from '../views/progress.ts';
import { command, type ProcessPreview } from './command.ts';
import { questionId, refusedFields, type Values } from './read-values.ts';

const input = z.strictObject({
  question: questionId,
  /** By the names of its fields. Texts that a field of another type has are read as that. */
  values: z.record(z.string(), z.unknown()).default({}),
});
type Input = z.infer<typeof input>;

type Answers = JsonObject;

export interface Answering {
  readonly question: string;
  readonly inbox: string;
  readonly values: Answers;
}

export const answer = command({
  name: 'answer',
  right: 'answer',
  why: 'optional',
  input,
  flowOf: ({ client }, key: string) => requireOpen(client, key),
  async preview(commandContext, key: string, given: Input): Promise<ProcessPreview> {
    const fields = { ...(await answeringOf(commandContext, key, given)), ...attributionOf(commandContext) };
    const validation = await validationOf(commandContext, key, { command: 'answer', fields });
    if (validation.refusal) throw refused(validation.refusal.code, validation.refusal.message);
    return validation.consequence ?? null;
  },
  async act(commandContext, key, given): Promise<Answering> {
    const answering = await answeringOf(commandContext, key, given);
    await withDeadline(commandContext, () =>
      commandContext.flows.fileHandle(key).answer({ ...answering, ...attributionOf(commandContext) }),
    );
    return answering;
  },
  formatPreview: formatConsequence,
  formatResult: ({ question }) => t`${question} is answered`,
});

/** Throws CommandError where it does not fit its fields, or is not asked any more. */
async function answeringOf(
  commandContext: CommandContext,
  key: string,
  { question, values }: Input,
): Promise<Answering> {
  const asked = await requiredQuestion(commandContext, key, question);
  return { question: asked.id, inbox: asked.of, values: valuesOf(asked, values) };
}

/**
 * The question that is meant. Throws CommandError where it is not open, and where they may not answer in its inbox. Its id and its
 * inbox go with what is done to it: the process refuses both once it asks something else.
 */
export async function requiredQuestion(
  commandContext: CommandContext,
  key: string,
  id: string | undefined,
): Promise<OpenQuestion> {
  const { questions } = await progressOf(commandContext, key);
  const { by, inboxes } = commandContext;
  const named = questions.find((each) => each.id === id);
  if (named) inboxes?.require(named.of);
  // Who may answer in one inbox does not learn what is asked in another.
  const own = inboxes ? questions.filter(({ of }) => inboxes.has(of)) : questions;
  if (own.length === 0 && questions.length > 0)
    throw refused('AlreadyAnswered', t`${key} asks nothing now that ${by} may answer`);
  return askedIn(key, own, id);
}

function askedIn(key: string, questions: readonly OpenQuestion[], id: string | undefined): OpenQuestion {
  const [found, another] = questions.filter((each) => id === undefined || each.id === id);
  if (found && !another) return found;
  if (questions.length === 0)
    throw refused(
      'AlreadyAnswered',
      t`${key} asks nothing now: somebody has answered, or its time has passed`,
    );
  const open = questions.map((each) => each.id).join(', ');
  if (id === undefined)
    throw refusedFields({ question: t`is missing: several are open, expected one of ${open}` });
  throw refused('AlreadyAnswered', t`${key} does not ask ${id} now; open is ${open}`);
}

function valuesOf({ fields }: OpenQuestion, given: Values): Answers {
  const foreign = Object.keys(given).filter((name) => !Object.hasOwn(fields, name));
  const read = Object.entries(fields).map(([name, field]) => ({
    name,
    ...readAnswer(field, Object.hasOwn(given, name) ? given[name] : undefined),
  }));
  const names = Object.keys(fields).join(', ');
  const wrong = [
    ...read.flatMap(({ name, problem }) => (problem ? [[name, problem] as const] : [])),
    ...foreign.map((name) => [name, t`is no field of this question; expected ${names}`] as const),
  ];
  if (wrong.length > 0)
    throw refusedFields(Object.fromEntries(wrong.map(([name, problem]) => [`values.${name}`, problem])));
  return Object.fromEntries(read.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]])));
}

interface Read {
  /** Absent if it is left out. */
  readonly value?: Json;
  readonly problem?: string;
}

/** As the process takes it. A command line has texts only, a page may have values. */
function readAnswer(field: QuestionField, given: unknown): Read {
  if (given === undefined || given === null || given === '')
    return field.optional || field.default != null ? {} : { problem: t`is missing` };
  const value = readValue(field, given);
  const expected = valueProblem(field, value);
  return expected === undefined ? { value } : { problem: t`must be ${expected}` };
}

const YES_NO: Readonly<Record<string, boolean>> = { yes: true, true: true, no: false, false: false };

/** A text that is no value of the field's type stays as it is, and is refused. */
function readValue({ type, choice, many }: QuestionField, given: unknown): Json {
  if (typeof given !== 'string') return given as Json;
  if (choice) return many ? chosenIn(choice, given) : given;
  if (type === 'number') return given.trim() !== '' && Number.isFinite(Number(given)) ? Number(given) : given;
  return type === 'yesNo' ? (YES_NO[given.toLowerCase()] ?? given) : given;
}

/** One on each line, or with commas between them. */
function chosenIn(choice: readonly string[], given: string): string[] {
  if (choice.includes(given)) return [given];
  return given
    .split(given.includes('\n') ? '\n' : ',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
}
