// What a person sees who opens the service in a browser: the API description at /docs, where / leads, and its source at
// /openapi.json. All is the same for everybody.
import type { FastifyInstance } from 'fastify';
import { openApiDocument } from '../contract/openapi/openapi.ts';
import { addApiDescription, apiDocument, madeOnce } from '../shared/api-description/api-description.ts';
import { sandboxInDocument } from './sandbox/sandbox-openapi.ts';
import type { Settings } from './settings.ts';

/** People read pages: the log of requests need not have them. */
const quiet = { quiet: true } as const;

export function addPages(app: FastifyInstance, { mode }: Pick<Settings, 'mode'>): void {
  const isStaging = mode === 'staging';
  app.get('/', { config: quiet }, async (_request, reply) => reply.redirect('/docs'));
  addApiDescription(app, {
    title: 'API description: Locker Shipment and Account Integration Service',
    // In production the page only shows: a call there books a real locker.
    calls: isStaging ? ['get', 'post'] : [],
    document: madeOnce(() => apiDocument(openApiDocument(isStaging ? sandboxInDocument() : undefined))),
    pages: quiet,
    documents: {},
  });
}
