// What a command is: one thing that can be done to a process. Each is a module beside this file:
//
//   extend.preview(commandContext, key, input)   whether it can be done now, and what would follow from it, as data
//   extend.do(commandContext, key, input)        does it, and gives what became of it
//
// Both answer with an outcome (outcome.ts) and throw for defects alone. `commandContext` says who acts and why, and brings the
// connections (temporal-context.ts). `read` makes the input of what a person or a program has given. Whoever shows an outcome
// renders it and adds no rule: the same module serves a form, an option, a request over HTTP and a bulk of thousands
// (processes/bulk.ts).
import type { z } from 'zod';
import type {
  ActionRequest,
  ActionValidation,
  CommandName,
  Consequence,
} from '../../contract/flows/actions.ts';
import { partWith } from '../../flows/language/part-keys.ts';
import { t } from '../../shared/texts/text.ts';
import { validationOf } from '../actions.ts';
import { formatConsequence } from '../format-consequence.ts';
import { CommandError, commandErrorOf, type Outcome, outcomeOf, refused } from '../outcome.ts';
import { type CommandContext, type CommandRight, requireOpen } from '../temporal-context.ts';
import { formatDoneWith } from '../views/row-words.ts';
import { explainingWorkerFailure } from '../worker-failure.ts';
import { readValues, type Values } from './read-values.ts';

/** @typeParam Target what it is done to: the key of a process, or the id of an unmatched callback */
export interface Command<Input, Preview, Result, Target = string> {
  readonly name: string;
  readonly right: CommandRight;
  /** Whether the process keeps a reason, and refuses without one. */
  readonly why: 'needed' | 'optional';
  readonly input: z.ZodType<Input>;
  read(values: Values): Outcome<Input>;
  preview(commandContext: CommandContext, target: Target, input: Input): Promise<Outcome<Preview>>;
  do(commandContext: CommandContext, target: Target, input: Input): Promise<Outcome<Result>>;
  /** In words, for people: never to be read by a program. */
  formatPreview(value: Preview): string;
  formatResult(value: Result): string;
}

interface Definition<Input, Preview, Result, Target> {
  readonly name: string;
  readonly right: CommandRight;
  readonly why: 'needed' | 'optional';
  readonly input: z.ZodType<Input>;
  /** The flow that it is done to, and that the target is there and open; null: the right does not depend on a flow. */
  flowOf(commandContext: CommandContext, target: Target, input: Input): Promise<string | null>;
  /**
   * What would follow; throws what `commandErrorOf` knows where it is not possible. Not asked before `act`: the process, or the
   * client, checks again itself.
   */
  preview(commandContext: CommandContext, target: Target, input: Input): Promise<Preview>;
  act(commandContext: CommandContext, target: Target, input: Input): Promise<Result>;
  formatPreview(value: Preview): string;
  formatResult(value: Result): string;
}

export function command<Input, Preview, Result, Target>(
  definition: Definition<Input, Preview, Result, Target>,
): Command<Input, Preview, Result, Target> {
  const { name, right, why, input, formatPreview, formatResult } = definition;
  const requireRight = async (commandContext: CommandContext, target: Target, given: Input) => {
    const flow = await definition.flowOf(commandContext, target, given);
    const isJudgedByInbox = right === 'answer' && commandContext.inboxes !== undefined;
    if (!isJudgedByInbox && commandContext.may?.(right, flow) === false)
      throw new CommandError(
        'forbidden',
        'NotAllowed',
        t`${commandContext.by} may not ${name}${flow ? ` ${flow}` : ''}`,
      );
  };
  return {
    name,
    right,
    why,
    input,
    formatPreview,
    formatResult,
    read: (values) => readValues(input, values),
    preview: (commandContext, target, given) =>
      outcomeOf(async () => {
        await requireRight(commandContext, target, given);
        return await definition.preview(commandContext, target, given);
      }),
    do: (commandContext, target, given) =>
      outcomeOf(async () => {
        requireReason(definition, commandContext);
        await requireRight(commandContext, target, given);
        return await definition.act(commandContext, target, given);
      }),
  };
}

/** Throws CommandError where the process would keep one, and none is given. */
export function requireReason(
  { why }: Pick<Command<never, unknown, unknown>, 'why'>,
  { why: reason }: Pick<CommandContext, 'why'>,
): void {
  if (why === 'needed' && !reason?.trim())
    throw new CommandError('wrongInput', 'InvalidRequest', t`a reason is needed; it is kept with your name`, {
      fields: { why: t`is missing` },
    });
}

/** Null: the process does not say it. */
export type ProcessPreview = (Consequence & TakenBy) | null;

interface TakenBy {
  /** The process that takes it, where that is one that the named one has started. */
  readonly of?: string;
  /** It is done with this one, to which the same is done. */
  readonly doneWith?: string;
}

/** What became of it where a part of the process does it, to which the same is done: only where the context names such `parts`. */
export interface DoneWith {
  readonly doneWith: string;
}

/** A command as people read of it: what is made from it says no more. */
export interface Described {
  /** One sentence: of the API's reference and the help of the command line. */
  readonly meaning: string;
  /** The body of a request. */
  readonly example: Readonly<Record<string, unknown>>;
  /** What it names is one process's: it is never done to many at once. */
  readonly isOfOne?: true;
  /** It is done to what has ended without a result: a query finds these, and no open ones. */
  readonly isOfEnded?: true;
  /** A right to the flow that it takes beside its own. */
  readonly alsoNeeds?: CommandRight;
  /** It is words of a person: a command line refuses it without a name. */
  readonly isSigned?: true;
  /** Also where it is done to many processes, it asks the locker service. */
  readonly asksService?: true;
  /** A process that waits for a person goes on by it. */
  readonly isDecision?: true;
  /** What a person should know before it is done to many processes. */
  readonly warning?: string;
  /** As the page offers it, by how processes name it. */
  readonly forms: Readonly<Partial<Record<CommandName, Form>>>;
}

export interface Form {
  /** On its button. */
  readonly label: string;
  /** What it means, before what follows from it here. */
  readonly meaning: string;
  readonly isDestructive?: true;
}

export interface ProcessCommand<Input, Result> extends Command<Input, ProcessPreview, Result>, Described {
  /** What a person should know before it is done to this process: they confirm it. */
  risksOf?(commandContext: CommandContext, key: string, input: Input): Promise<readonly string[]>;
  /** The process that takes it, where that may be one that the named one has started. */
  keyOf?(commandContext: CommandContext, key: string, input: Input): Promise<string>;
  /**
   * What became of it, by the update and the answer of the process that took it as its history has them: for whoever finds it done.
   * Null unless given.
   */
  resultOf?(update: never, answer: never, key: string): Result;
  /** What became of it since then, where it is not asked of the process itself, whose history would have it. Undefined: nothing. */
  doneSince?(commandContext: CommandContext, key: string, since: number): Promise<Result | undefined>;
}

interface ProcessDefinition<Input, Result> extends Described {
  readonly name: string;
  /** decide unless given. What takes the right to answer is done to one question: never to many processes at once. */
  readonly right?: CommandRight;
  readonly why: 'needed' | 'optional';
  readonly input: z.ZodType<Input>;
  /**
   * How processes name it, where that depends on the input; else by the names of its forms: a flow file's and a built-in one's
   * may differ.
   */
  asked?(input: Input): readonly CommandName[];
  /** The fields by which the process is asked; those of the input if absent. */
  fields?(commandContext: CommandContext, input: Input): NonNullable<ActionRequest['fields']>;
  /** Completes the input where the process must be asked for it; without this, it is used as given. Throws CommandError if there is none. */
  resolveInput?(commandContext: CommandContext, key: string, input: Input): Promise<Input>;
  /** The process that takes it, where that may be one that the named one has started. */
  keyOf?(commandContext: CommandContext, key: string, input: Input): Promise<string>;
  act(commandContext: CommandContext, key: string, input: Input): Promise<Result>;
  /** Where a process computes no consequence of it. */
  formatPreview?(): string;
  formatResult(value: Result): string;
  risksOf?(commandContext: CommandContext, key: string, input: Input): Promise<readonly string[]>;
  resultOf?(update: never, answer: never, key: string): Result;
  doneSince?(commandContext: CommandContext, key: string, since: number): Promise<Result | undefined>;
}

/** For a command to an open process, which itself says whether it is possible and what follows. */
export const processCommand = <Input extends object, Result>(
  definition: ProcessDefinition<Input, Result>,
): ProcessCommand<Input, Result> => ({
  ...definition,
  ...command<Input, ProcessPreview, Result, string>({
    ...definition,
    right: definition.right ?? 'decide',
    flowOf: ({ client }, key) => requireOpen(client, key),
    preview: (commandContext, key, given) =>
      explainingWorkerFailure(commandContext, key, () => previewOf(definition, commandContext, key, given)),
    act: (commandContext, key, given) =>
      explainingWorkerFailure(commandContext, key, async () => {
        const input = (await definition.resolveInput?.(commandContext, key, given)) ?? given;
        const { parts = [] } = commandContext;
        const taker = parts.length > 0 && (await definition.keyOf?.(commandContext, key, input));
        const doneWith = taker ? partWith(taker, parts, key) : undefined;
        if (doneWith !== undefined) return { doneWith } satisfies DoneWith as Result;
        return await definition.act(commandContext, key, input);
      }),
    formatPreview: (value) => {
      if (value?.doneWith !== undefined) return formatDoneWith(value.doneWith);
      return definition.formatPreview?.() ?? formatConsequence(value);
    },
    formatResult: (value) => {
      const { doneWith } = (value ?? {}) as Partial<DoneWith>;
      return doneWith === undefined ? definition.formatResult(value) : formatDoneWith(doneWith);
    },
  }),
});

async function previewOf<Input extends object>(
  definition: ProcessDefinition<Input, unknown>,
  commandContext: CommandContext,
  key: string,
  given: Input,
): Promise<ProcessPreview> {
  const input =
    (await definition.resolveInput?.(commandContext, key, given).catch(unlessUnanswered)) ?? given;
  const fields: NonNullable<ActionRequest['fields']> = definition.fields?.(commandContext, input) ?? {
    ...(input as object),
  };
  const validations: ActionValidation[] = [];
  // Without a worker `validationOf` says so.
  const owner = (await definition.keyOf?.(commandContext, key, input).catch(unlessUnanswered)) ?? key;
  for (const name of namesOf(definition, input)) {
    const validation = await validationOf(commandContext, owner, { command: name, fields });
    if (validation.isPossible) return takenBy(validation.consequence, owner, key, commandContext);
    validations.push(validation);
  }
  // The process knows one of several names: its answer about that one says why it is not possible.
  const decisive = validations.find(({ refusal }) => refusal?.code !== NO_SUCH_COMMAND) ?? validations[0];
  throw refused(
    decisive?.refusal?.code ?? NO_SUCH_COMMAND,
    decisive?.refusal?.message ?? t`${key} does not have the command ${definition.name}`,
  );
}

function takenBy(
  consequence: Consequence | undefined,
  owner: string,
  key: string,
  { parts = [] }: CommandContext,
): ProcessPreview {
  if (!consequence || owner === key) return consequence ?? null;
  const doneWith = partWith(owner, parts, key);
  return { ...consequence, of: owner, ...(doneWith !== undefined && { doneWith }) };
}

const namesOf = <Input>(
  { asked, forms }: Pick<ProcessDefinition<Input, unknown>, 'asked' | 'forms'>,
  input: Input,
) => asked?.(input) ?? (Object.keys(forms) as CommandName[]);

/** Only where nobody answers. What the caller may not know stays unknown in a preview, too. */
const unlessUnanswered = (error: unknown): undefined => {
  if (commandErrorOf(error)?.kind !== 'unreachable') throw error;
};

/** The code of a process for a command that it does not have. */
const NO_SUCH_COMMAND = 'NoSuchCommand';

/** For commands that also start a process. Throws CommandError. */
export function requireStart({ may, by }: CommandContext, flow: string): void {
  if (may?.('start', flow) === false)
    throw new CommandError('forbidden', 'NotAllowed', t`${by} may not start ${flow}`);
}
