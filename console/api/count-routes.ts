// The numbers above the list of processes.
import { LRUCache } from 'lru-cache';
import type { z } from 'zod';
import { type ProcessCounts, processCounts, readCounts } from '../../processes/views/process-list.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { narrowedBy, search } from '../processes/search.ts';
import { type ApiRoute, apiRoute } from './route.ts';

/** Every list has its counts above it: a look makes some queries. */
const COUNTED_EVERY_MS = 2_000;
const MAX_KEPT = 100;

const counted = search.pick({ flow: true, pickUpPoint: true, olderThan: true, find: true });

export function countRoutes(parts: ConsoleParts): ApiRoute[] {
  const kept = new LRUCache<string, Promise<ProcessCounts>>({ max: MAX_KEPT, ttl: COUNTED_EVERY_MS });
  const read = ({ query }: { readonly query: z.output<typeof counted> }) => {
    const name = JSON.stringify(query);
    const before = kept.get(name);
    if (before) return before;
    const reading = readCounts(parts, narrowedBy(query));
    kept.set(name, reading);
    reading.catch(() => kept.delete(name));
    return reading;
  };
  return [
    apiRoute({
      method: 'GET',
      right: 'read',
      tag: 'Processes',
      name: 'getCounts',
      path: '/v1/counts',
      query: counted,
      summary: 'Counts processes: open, overdue, failed, ended, and which of them wait for a person',
      description: 'As of some seconds ago at most. It can be followed.',
      answers: { 200: { description: 'The numbers', schema: processCounts } },
      handle: read,
      follow: { everyMs: COUNTED_EVERY_MS, read },
    }),
  ];
}
