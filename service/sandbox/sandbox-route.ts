// A route below /sandbox: checks its input, acts on the caller's tenant, and answers with the envelope. What it says of
// itself is its description in the OpenAPI document.
import type { Kysely } from 'kysely';
import type { z } from 'zod';
import type { ErrorCode } from '../../contract/index.ts';
import { formatIssues, plainMessages } from '../../contract/wire/format-issue.ts';
import { ApiError } from '../api-error.ts';
import type { Database } from '../storage/database.ts';
import type { SwitchBoard } from '../switches/switches.ts';

interface SandboxContext {
  readonly database: Kysely<Database>;
  readonly switchBoard: SwitchBoard;
  readonly tenantId: number;
  readonly tenantUid: string;
}

/** Generic code reads these fields and never branches on a path. */
interface RouteDescription<Input extends z.ZodType, Answer extends z.ZodObject> {
  readonly method: 'GET' | 'POST';
  readonly path: `/sandbox/${string}`;
  /** One line for a person who calls it. */
  readonly meaning: string;
  /** The body of a POST. */
  readonly input: Input;
  /** A valid input. */
  readonly example: z.input<Input>;
  /** Without success, error and message, which every answer has. */
  readonly answer: Answer;
  /** Without the generic codes, which every route may answer with. */
  readonly errors?: readonly ErrorCode[];
}

export interface SandboxRoute extends RouteDescription<z.ZodType, z.ZodObject> {
  readonly handle: (input: unknown, context: SandboxContext) => Promise<object>;
}

/** Wrong input is InvalidRequest; the message names every wrong field. */
export function sandboxRoute<Input extends z.ZodType, Answer extends z.ZodObject>({
  handle,
  ...words
}: RouteDescription<Input, Answer> & {
  handle(input: z.output<Input>, context: SandboxContext): Promise<z.input<Answer>>;
}): SandboxRoute {
  return {
    ...words,
    async handle(input, context) {
      const { data, error } = words.input.safeParse(input ?? {}, plainMessages);
      if (!error) return handle(data, context);
      throw new ApiError('InvalidRequest', formatIssues(error, 'the input').join('; '));
    },
  };
}
