// The inboxes: what processes ask people, and programs in their place.
import { z } from 'zod';
import { openQuestions } from '../../processes/views/open-questions.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { requireRight } from './rights.ts';
import { type ApiRoute, apiRoute } from './route.ts';

const query = z.strictObject({
  of: z
    .string()
    .min(1)
    .max(80)
    .regex(/^[ !#-[\]-~\u00a0-\uffff]*$/, 'must have no quotes and no backslash')
    .optional()
    .meta({ description: 'The name of an inbox, like desk. Without it all inboxes, which needs flows:read' }),
});

const field = z.object({
  type: z.enum(['text', 'number', 'yesNo', 'date']).optional(),
  choice: z.array(z.string()).optional(),
  many: z.boolean().optional().meta({ description: 'Several of the choices; the value is a list' }),
  minLength: z.int().optional().meta({ description: 'Without the white space around the text' }),
  maxLength: z.int().optional(),
  pattern: z.string().optional().meta({ description: 'What the whole text looks like' }),
  min: z.unknown().optional().meta({ description: 'Of a number or a date; of many: how many at least' }),
  max: z.unknown().optional(),
  default: z.unknown().optional().meta({ description: 'What the answer has if the field is left out' }),
  label: z.string().optional(),
  optional: z.boolean().optional(),
});

const question = z
  .object({
    key: z.string().meta({ description: 'The process that asks' }),
    runId: z.string(),
    flow: z.string(),
    question: z.string().meta({ description: 'Its id, by which it is answered' }),
    of: z.string().meta({ description: 'The inbox' }),
    text: z.string(),
    fields: z.record(z.string(), field),
    askedAt: z.string(),
    until: z.string().nullable(),
  })
  .meta({ title: 'Question' });

export const inboxRoutes = (parts: ConsoleParts): ApiRoute[] => [
  apiRoute({
    ...{ name: 'getInbox', method: 'GET', path: '/v1/inbox', right: 'readInbox', tag: 'Inbox', query },
    summary: 'Lists the open questions, the oldest first',
    description: 'Answer one with POST /v1/processes/{key}/answers.',
    answers: {
      200: {
        description: 'The questions',
        schema: z.object({
          items: z.array(question),
          unasked: z.int().meta({ description: 'Processes that did not say in time what they ask' }),
        }),
      },
    },
    handle: async ({ query: { of: name }, caller }) => {
      requireRight(caller, name === undefined ? 'read' : 'readInbox', name);
      const { waiting, unasked } = await openQuestions(parts, { name, taskQueue: parts.taskQueue });
      const items = waiting.map(
        ({ workflowId, runId, flow, id, of, question: text, fields, askedAt, until }) => ({
          ...{ key: workflowId, runId, flow, question: id, of, text, fields, askedAt, until },
        }),
      );
      return { items, unasked };
    },
  }),
];
