// What people are expected to do at lockers today.
import { z } from 'zod';
import { instant } from '../../contract/wire/fields.ts';
import { expectedOf, expectedSteps } from '../../processes/views/expected.ts';
import type { ConsoleParts } from '../console-parts.ts';
import type { ConsoleReaders } from '../readers.ts';
import { type ApiRoute, apiRoute } from './route.ts';
import { openQuery } from './search.ts';

const EXPECTED_MS = 5_000;
const DAY_MS = 86_400_000;

const query = z.strictObject({
  dueBefore: instant.optional().meta({
    description: 'The end of the day of who reads it: 24 hours from now, if absent',
    examples: ['2031-05-02T00:00:00Z'],
  }),
});

export const expectedRoute = (
  parts: ConsoleParts,
  { sorted, summaries }: Pick<ConsoleReaders, 'sorted' | 'summaries'>,
): ApiRoute =>
  apiRoute({
    method: 'GET',
    right: 'read',
    tag: 'Processes',
    name: 'getExpected',
    path: '/v1/expected',
    query,
    summary: 'Counts what people are expected to do at lockers: to bring something, or to collect it',
    description:
      'Of all open processes, parts of others among them, by what is next in each; as of some seconds ago. A console that has just started asks them first: until each has answered, `isComplete` is false.',
    answers: { 200: { description: 'The numbers', schema: expectedSteps } },
    handle: ({ query: { dueBefore = new Date(Date.now() + DAY_MS).toISOString() }, request }) =>
      parts.shared.of(request.url, EXPECTED_MS, async () =>
        expectedOf(await sorted.all(openQuery(parts.taskQueue)), summaries, dueBefore),
      ),
  });
