// What a person sees who opens the service in a browser: the page at /, the API description at /docs, and its source at
// /openapi.json. All is the same for everybody, and made once.
import type { FastifyInstance, FastifyReply } from 'fastify';
import { type MoreOfDocument, openApiDocument } from '../../contract/openapi/openapi.ts';
import type { Settings } from '../settings.ts';
import {
  apiPage,
  type SwaggerFile,
  startScript,
  swaggerFile,
  swaggerFiles,
  swaggerVersion,
} from './api-page.ts';
import { frontPage, pageStyle } from './front-page.ts';

// Swagger UI shows its symbols as data: images. Everything else is from this service, and no script or style stands in a
// page: text of the description cannot become either.
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const pageHeaders = {
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

const HTML = 'text/html; charset=utf-8';
const A_YEAR_SECONDS = 31_536_000;
/** People read pages: the log of requests need not have them. */
const quiet = { config: { quiet: true } };

export interface PagesOptions extends Pick<Settings, 'mode'> {
  /** What the service has beside the contract. */
  readonly more: () => MoreOfDocument | undefined;
}

export function addPages(app: FastifyInstance, { mode, more }: PagesOptions): void {
  const send = (reply: FastifyReply, type: string, text: string) =>
    reply.headers(pageHeaders).type(type).send(text);
  app.get('/', quiet, async (_request, reply) => send(reply, HTML, frontPage(mode)));
  app.get('/docs/page.css', quiet, async (_request, reply) =>
    send(reply, 'text/css; charset=utf-8', pageStyle),
  );
  const version = madeOnce(swaggerVersion);
  app.get('/docs', quiet, async (_request, reply) => send(reply, HTML, apiPage(await version())));
  app.get('/docs/start.js', quiet, async (_request, reply) =>
    send(reply, 'text/javascript; charset=utf-8', startScript(mode)),
  );
  for (const [file, type] of Object.entries(swaggerFiles)) {
    const text = madeOnce(() => swaggerFile(file as SwaggerFile));
    app.get(`/docs/:version/${file}`, quiet, async (_request, reply) => {
      reply.header('cache-control', `public, max-age=${A_YEAR_SECONDS}, immutable`);
      return send(reply, type, await text());
    });
  }
  const document = madeOnce(() => JSON.stringify(openApiDocument(more())));
  app.get('/openapi.json', async (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(await document()),
  );
}

/** At the first request. A failure is not kept. */
function madeOnce(make: () => string | Promise<string>): () => Promise<string> {
  let made: string | undefined;
  return async () => (made ??= await make());
}
