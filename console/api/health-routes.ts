// What answers, and what is silent and since when.

import { Health, health } from '../../processes/views/health.ts';
import type { InboxParts } from '../../processes/views/inbox/source.ts';
import { type ApiRoute, apiRoute } from './route.ts';

/** Every open page shows it. */
const LOOK_EVERY_MS = 2_000;

export function healthRoutes(parts: InboxParts): ApiRoute[] {
  const looks = new Health(parts);
  const read = () => looks.read();
  return [
    apiRoute({
      name: 'getHealth',
      method: 'GET',
      path: '/v1/health',
      right: 'read',
      tag: 'Processes',
      summary: 'Says what is silent and since when: Temporal, the workers, the locker service, walls',
      description: 'It can be followed. Also while Temporal is away.',
      answers: { 200: { description: 'What is silent', schema: health } },
      needsNoTemporal: true,
      handle: read,
      follow: { everyMs: LOOK_EVERY_MS, comesLast: true, read },
    }),
  ];
}
