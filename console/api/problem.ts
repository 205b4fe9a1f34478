// A refusal as the API answers it: application/problem+json (RFC 9457) with the project's own code, the same one as on the
// command line and on the page.
import { STATUS_CODES } from 'node:http';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import type { ConsoleRefusal } from '../refusal.ts';

const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

export const problemSchema = z
  .object({
    title: z.string().meta({ description: 'The name of the HTTP status' }),
    status: z.int(),
    code: z.string().meta({ description: 'For programs: it does not change', examples: ['InvalidRequest'] }),
    detail: z.string().meta({ description: 'For people: what is wrong, what was expected, what to do' }),
    errors: z
      .array(z.object({ field: z.string(), message: z.string() }))
      .optional()
      .meta({ description: 'What is wrong with each field' }),
  })
  .meta({ title: 'Problem', description: 'Why a request was refused (RFC 9457)' });
export type Problem = z.infer<typeof problemSchema>;

export const problemOf = ({ status, error, message, fields }: ConsoleRefusal): Problem => ({
  title: STATUS_CODES[status] ?? 'Error',
  status,
  code: error,
  detail: message,
  ...(fields && {
    errors: Object.entries(fields).map(([field, words]) => ({ field, message: words })),
  }),
});

export function sendProblem(reply: FastifyReply, refusal: ConsoleRefusal): FastifyReply {
  const { status, error, retryAfterMs } = refusal;
  // RFC 6750 section 3.
  if (status === 401)
    reply.header(
      'www-authenticate',
      `Bearer realm="lockerflow"${error === 'InvalidToken' ? ', error="invalid_token"' : ''}`,
    );
  if (error === 'ScopeMissing')
    reply.header('www-authenticate', 'Bearer realm="lockerflow", error="insufficient_scope"');
  // Whole seconds, at least one (RFC 9110 section 10.2.3).
  if (retryAfterMs !== null)
    reply.header('retry-after', String(Math.max(1, Math.ceil(retryAfterMs / 1_000))));
  return reply
    .code(status)
    .type(PROBLEM_TYPE)
    .send(JSON.stringify(problemOf(refusal)));
}
