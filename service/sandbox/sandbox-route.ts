// A route below /sandbox: checks its input, acts on the caller's tenant, and answers with the envelope.
import type { Kysely } from 'kysely';
import type { z } from 'zod';
import { Refusal } from '../refusal.ts';
import type { Database } from '../storage/database.ts';
import type { SwitchBoard } from '../switches/switch-board.ts';

export interface SandboxContext {
  readonly database: Kysely<Database>;
  readonly switchBoard: SwitchBoard;
  readonly tenantId: number;
  readonly tenantUid: string;
}

export interface SandboxRoute {
  readonly method: 'GET' | 'POST';
  readonly path: `/sandbox/${string}`;
  /** The input is the query of a GET and the body of a POST. */
  handle(input: unknown, context: SandboxContext): Promise<object>;
}

/** Wrong input is InvalidRequest; the message names every wrong field. */
export function sandboxRoute<Input>(
  method: SandboxRoute['method'],
  path: SandboxRoute['path'],
  input: z.ZodType<Input>,
  handle: (input: Input, context: SandboxContext) => Promise<object>,
): SandboxRoute {
  return {
    method,
    path,
    async handle(given, context) {
      const { data, error } = input.safeParse(given ?? {});
      if (!error) return handle(data, context);
      const issues = error.issues.map((issue) => `${issue.path.join('.') || 'body'}: ${issue.message}`);
      throw new Refusal('InvalidRequest', issues.join('; '));
    },
  };
}
