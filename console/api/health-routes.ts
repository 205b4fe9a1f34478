// What answers, and what is silent and since when.

import { Health, health } from '../../processes/views/health.ts';
import { LateCallbacks } from '../../processes/views/inbox/late-callbacks.ts';
import type { InboxParts } from '../../processes/views/inbox/source.ts';
import type { ServiceReader } from '../../shared/locker-api/compared-service.ts';
import { type ApiRoute, apiRoute } from './route.ts';

/** Every open page shows it. */
const LOOK_EVERY_MS = 2_000;
/** The shipments that changed last: the inbox looks at more of them, while somebody has it open. */
const PAGES = 1;

export function healthRoutes(parts: InboxParts): ApiRoute[] {
  const { peer, service } = parts;
  const reader: ServiceReader = { peer, call: (operation, request) => service.call(operation, request) };
  const looks = new Health(parts, new LateCallbacks(parts, reader, () => undefined, PAGES));
  const read = () => looks.read();
  return [
    apiRoute({
      name: 'getHealth',
      method: 'GET',
      path: '/v1/health',
      right: 'read',
      tag: 'Processes',
      summary:
        'Says what is silent and since when: Temporal, the workers, the locker service, walls, callbacks',
      description: 'It can be followed. Also while Temporal is away.',
      answers: { 200: { description: 'What is silent', schema: health } },
      needsNoTemporal: true,
      handle: read,
      follow: { everyMs: LOOK_EVERY_MS, comesLast: true, read },
    }),
  ];
}
