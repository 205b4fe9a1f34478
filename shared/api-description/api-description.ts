// The API description that a server shows: its OpenAPI document at /openapi.json, and Swagger UI at /docs, from its npm
// package, with nothing from elsewhere. Says nothing of any API.
import { readFile } from 'node:fs/promises';
import type { FastifyContextConfig, FastifyInstance } from 'fastify';
import { z } from 'zod';
import { type StaticFile, sendFile, staticFile } from '../http/static-file.ts';

/** The files of the package that the page loads, with their types. */
const swaggerFiles = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
} as const;

const inPackage = (file: string): URL => new URL(import.meta.resolve(`swagger-ui-dist/${file}`));

/** Our package leaves it out: it is larger than all the rest. */
function hasSwagger(): boolean {
  try {
    return inPackage('package.json').href !== '';
  } catch {
    return false;
  }
}

const WITHOUT_SWAGGER =
  'This page needs Swagger UI: npm install swagger-ui-dist, and start again. /openapi.json has the same description.\n';

export const apiDocument = (document: object): Promise<StaticFile> =>
  staticFile('application/json; charset=utf-8', JSON.stringify(document));

/** It is in the paths of the files, so that a browser may keep them: another version has other paths. */
async function swaggerVersion(): Promise<string> {
  const manifest: unknown = JSON.parse(await readFile(inPackage('package.json'), 'utf8'));
  return z.object({ version: z.string() }).parse(manifest).version;
}

// Swagger UI shows its symbols as data: images. Everything else is from this server, and no script or style stands in a
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

/** The headers of a page without a script of its own. */
const pageHeaders = {
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

const HTML = 'text/html; charset=utf-8';
const A_YEAR_SECONDS = 31_536_000;

interface ApiDescription {
  readonly title: string;
  /** The methods that the page calls; without any it only shows. */
  readonly calls: readonly string[];
  /** As `apiDocument` makes it. */
  readonly document: () => Promise<StaticFile>;
  /** The configuration of the page's routes. */
  readonly pages: FastifyContextConfig;
  /** The configuration of the document's route. */
  readonly documents: FastifyContextConfig;
}

export function addApiDescription(
  app: FastifyInstance,
  { title, calls, document, pages, documents }: ApiDescription,
): void {
  app.get('/openapi.json', { config: documents }, async (request, reply) =>
    sendFile(request, reply, await document()),
  );
  const page = { config: pages };
  if (!hasSwagger()) {
    app.get('/docs', page, (_request, reply) => reply.code(404).type('text/plain').send(WITHOUT_SWAGGER));
    return;
  }
  const serve = (path: string, make: () => Promise<StaticFile>, caching = {}) => {
    const file = madeOnce(make);
    app.get(path, page, async (request, reply) =>
      sendFile(request, reply.headers({ ...pageHeaders, ...caching }), await file()),
    );
  };
  serve('/docs', async () => staticFile(HTML, pageOf(title, await swaggerVersion())));
  serve('/docs/start.js', () => staticFile('text/javascript; charset=utf-8', startScript(calls)));
  for (const [file, type] of Object.entries(swaggerFiles))
    serve(`/docs/:version/${file}`, async () => staticFile(type, await readFile(inPackage(file))), {
      'cache-control': `public, max-age=${A_YEAR_SECONDS}, immutable`,
    });
}

const pageOf = (title: string, version: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/${version}/swagger-ui.css">
<script src="/docs/${version}/swagger-ui-bundle.js" defer></script>
<script src="/docs/start.js" defer></script>
<div id="description"><noscript>This page needs JavaScript. <a href="/openapi.json">/openapi.json</a> has the same.</noscript></div>
</html>
`;

const startScript = (calls: readonly string[]): string =>
  `SwaggerUIBundle(${JSON.stringify({
    url: '/openapi.json',
    dom_id: '#description',
    deepLinking: true,
    displayRequestDuration: true,
    docExpansion: 'list',
    defaultModelsExpandDepth: 0,
    tryItOutEnabled: calls.length > 0,
    supportedSubmitMethods: calls,
    // Its default sends the address of the description to a validator on the internet.
    validatorUrl: null,
  })});\n`;

/** At the first request, for all that come meanwhile too. A failure is not kept. */
export function madeOnce<Made>(make: () => Promise<Made>): () => Promise<Made> {
  let made: Promise<Made> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}
