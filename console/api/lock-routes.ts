// The locks and rate limits of flow files: who holds them, and who waits.
import { z } from 'zod';
import { permitQueues, readQueue, readQueues } from '../../processes/permits.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { type ApiRoute, apiRoute } from './route.ts';

// A look asks each queue.
const EVERY_MS = 2_000;

const query = z.strictObject({
  key: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .meta({ description: 'Only the lock and the rate limit of this key' }),
});

export function lockRoutes({ client }: ConsoleParts): ApiRoute[] {
  const read = async ({ query: { key } }: { readonly query: z.output<typeof query> }) => {
    if (key === undefined) return { items: await readQueues(client) };
    const both = await Promise.all([readQueue(client, 'lock', key), readQueue(client, 'rate', key)]);
    return { items: both.filter((each) => each !== null) };
  };
  return [
    apiRoute({
      name: 'getLocks',
      method: 'GET',
      path: '/v1/locks',
      right: 'read',
      tag: 'Processes',
      query,
      summary:
        'Lists the locks and rate limits that processes hold or wait for: those with the most that wait first',
      description:
        'A lock is there while a process holds it, a rate limit while one of its permits counts. Who waits is in the order of turns. It can be followed.',
      answers: { 200: { description: 'The locks', schema: permitQueues } },
      handle: read,
      follow: { everyMs: EVERY_MS, read },
    }),
  ];
}
