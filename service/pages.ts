// What a person sees who opens the service in a browser: the page at /, the API description at /docs, and its source at
// /openapi.json. All is the same for everybody, and made once.
import type { FastifyInstance, FastifyReply } from 'fastify';
import { TOKEN_PATH } from '../contract/index.ts';
import { type MoreOfDocument, openApiDocument } from '../contract/openapi/openapi.ts';
import { addApiDescription, madeOnce, pageHeaders } from '../shared/api-description/api-description.ts';
import type { Settings } from './settings.ts';

/** People read pages: the log of requests need not have them. */
const quiet = { config: { quiet: true } } as const;

interface PagesOptions extends Pick<Settings, 'mode'> {
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
  addApiDescription(app, {
    title: 'API description: Locker Shipment and Account Integration Service',
    // In production the page only shows: a call there books a real locker.
    calls: mode === 'staging' ? ['get', 'post'] : [],
    document: madeOnce(() => JSON.stringify(openApiDocument(more()))),
    pages: quiet.config,
    documents: {},
  });
}

/** The page at / names no tenant and no secret: anybody may open it. */
type Mode = Settings['mode'];

const what: Readonly<Record<Mode, string>> = {
  staging:
    'This is <strong>staging</strong>: the lockers are simulated, and a client may try what it likes. It has the paths below <code>/sandbox</code>, and SimulateLockerAccess opens a locker as a person with an access code would.',
  production:
    'This is <strong>production</strong>: a call books a real locker. It has no SimulateLockerAccess, and nothing below <code>/sandbox</code>.',
};

const description: Readonly<Record<Mode, string>> = {
  staging: 'every operation, and a form to call it',
  production: 'every operation; to try calls, use the same page of staging',
};

const frontPage = (mode: Mode): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Locker Shipment and Account Integration Service</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/page.css">
<main>
<h1>Locker Shipment and Account Integration Service</h1>
<p>Books lockers at pick up points, and manages the accounts of the people who use them. Other programs call it; people do not
sign in here.</p>
<p>${what[mode]}</p>
<h2>Where things are</h2>
<dl>
<dt><a href="/docs">/docs</a></dt><dd>the API description: ${description[mode]}</dd>
<dt><a href="/openapi.json">/openapi.json</a></dt><dd>the same for programs, as OpenAPI 3.1</dd>
<dt>${TOKEN_PATH}</dt><dd>the token service</dd>
<dt><a href="/.well-known/oauth-authorization-server">/.well-known/oauth-authorization-server</a></dt><dd>its metadata</dd>
<dt><a href="/health/ready">/health/ready</a></dt><dd>whether the service can serve</dd>
</dl>
<h2>A first call</h2>
<p>The operator of this service gives you a client id and a secret.</p>
<pre>TOKEN=$(curl -s -u "$CLIENT_ID:$CLIENT_SECRET" -d grant_type=client_credentials \\
  "$ADDRESS${TOKEN_PATH}" | jq -r .access_token)
curl -s -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\
  -d '{"pageNo":1,"pageSize":10}' "$ADDRESS/v1/Logistics/GetPickUpPoints"</pre>
<p>To be told when a shipment changes, call ConfigureCallback. <a href="/docs">The description</a> says under <em>Webhooks</em>
how to check that a callback is from this service.</p>
</main>
</html>
`;

const pageStyle = `body { margin: 0; color: #1b1b1b; background: #fff; font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 46rem; margin: 0 auto; padding: 2rem 1rem; }
dt { float: left; clear: left; width: 20rem; font-family: ui-monospace, monospace; font-size: 0.9em; }
dd { margin: 0 0 0.4rem 20.5rem; }
pre { padding: 1rem; overflow-x: auto; background: #f3f3f3; font-size: 0.85em; }
@media (max-width: 40rem) { dt { float: none; width: auto; } dd { margin-left: 1rem; } }
`;
