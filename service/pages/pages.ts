// What a person sees who opens the service in a browser: the page at /, the API description at /docs, and its source at
// /openapi.json; /asyncapi.json describes the wall protocol. All is the same for everybody, and made once.
import type { FastifyInstance, FastifyReply } from 'fastify';
import { type MoreOfDocument, openApiDocument } from '../../contract/openapi/openapi.ts';
import { asyncApiDocument } from '../../contract/wall/asyncapi.ts';
import { addApiDescription, madeOnce, pageHeaders } from '../../runtime/api-description/api-description.ts';
import type { Settings } from '../settings.ts';
import { frontPage, pageStyle } from './front-page.ts';

/** People read pages: the log of requests need not have them. */
const quiet = { config: { quiet: true } } as const;

export interface PagesOptions extends Pick<Settings, 'mode'> {
  /** What the service has beside the contract. */
  readonly more: () => MoreOfDocument | undefined;
}

export function addPages(app: FastifyInstance, { mode, more }: PagesOptions): void {
  const send = (reply: FastifyReply, type: string, text: string) =>
    reply.headers(pageHeaders).type(type).send(text);
  app.get('/', quiet, async (_request, reply) => send(reply, 'text/html; charset=utf-8', frontPage(mode)));
  app.get('/docs/page.css', quiet, async (_request, reply) =>
    send(reply, 'text/css; charset=utf-8', pageStyle),
  );
  const wallProtocol = madeOnce(() => JSON.stringify(asyncApiDocument()));
  app.get('/asyncapi.json', async (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(await wallProtocol()),
  );
  addApiDescription(app, {
    title: 'API description: Locker Shipment and Account Integration Service',
    // In production the page only shows: a call there books a real locker.
    calls: mode === 'staging' ? ['get', 'post'] : [],
    document: madeOnce(() => JSON.stringify(openApiDocument(more()))),
    pages: quiet.config,
    documents: {},
  });
}
