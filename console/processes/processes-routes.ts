// The list of processes: searched, paged by Temporal's own tokens, live.
import type { FastifyPluginAsync } from 'fastify';
import type { ConsoleParts } from '../console-parts.ts';
import { processPage } from './process-page.ts';
import { readSearch } from './search.ts';

// A page of the list is looked at again so long after it was read.
const EVERY_MS = 250;

export const processesRoutes =
  (parts: ConsoleParts): FastifyPluginAsync =>
  async (app) => {
    parts.live.topic(
      'processes',
      (argument) => processPage(parts, readSearch(new URLSearchParams(argument))),
      EVERY_MS,
    );
    app.get('/api/processes', (request) =>
      processPage(parts, readSearch(new URLSearchParams(request.url.split('?')[1] ?? ''))),
    );
  };
