// The HTTP API of processes: its routes under /v1, its description at /openapi.json and /docs. The page has
// no other for processes, and no right that a program could not have.
import type { FastifyPluginAsync } from 'fastify';
import type { Inbox } from '../../processes/inbox/inbox.ts';
import { ProcessReader } from '../../processes/views/shown-process.ts';
import { addApiDescription } from '../../shared/api-description/api-description.ts';
import { roleFor } from '../access/rights.ts';
import type { ConsoleParts } from '../console-parts.ts';
import type { ConsoleReaders } from '../readers.ts';
import type { Refuse } from '../unknown-routes.ts';
import { batchRoutes } from './batch-routes.ts';
import { IdempotentAnswers } from './command-context.ts';
import { commandRoutes } from './command-routes.ts';
import { detailsRoutes } from './details-routes.ts';
import { expectedRoute } from './expected-routes.ts';
import { findRoutes } from './find-routes.ts';
import { FlowDocument } from './flow-document.ts';
import { flowRoutes } from './flow-routes.ts';
import { inboxRoutes } from './inbox-routes.ts';
import { lockerRoutes } from './locker-routes.ts';
import { logRoute } from './log-routes.ts';
import { messagesRoute } from './message-routes.ts';
import { documentFile } from './openapi.ts';
import { countRoute, processRoutes } from './process-routes.ts';
import { type ApiRoute, addRoute } from './route.ts';
import { openQuery } from './search.ts';
import { shipmentRoutes } from './shipment-routes.ts';
import { wallRoutes } from './wall-routes.ts';

interface ApiOptions {
  readonly parts: ConsoleParts;
  readonly readers: ConsoleReaders;
  readonly inbox: Inbox;
  /** The issuer of the access tokens. */
  readonly issuer: string | undefined;
  readonly refuseUnknown: Refuse;
}

export const api =
  ({ parts, readers, inbox, issuer, refuseUnknown }: ApiOptions): FastifyPluginAsync =>
  async (app) => {
    const document = new FlowDocument(parts);
    const routes = routesOf({ parts, readers, inbox }, document);
    // Whoever looks first finds what the open ones say of themselves.
    app.addHook('onListen', async () => void readers.sorted.readAhead(openQuery(parts.taskQueue)));
    for (const route of routes) addRoute({ app, shared: parts.shared }, route);
    const read = { access: roleFor('read'), right: 'read' } as const;
    for (const method of ['GET', 'POST'] as const)
      app.route({ method, url: '/v1/*', config: read, onRequest: refuseUnknown, handler: refuseUnknown });
    addApiDescription(app, {
      title: 'API description: processes of lockerflow',
      calls: ['get', 'post'],
      document: documentFile(routes, document, issuer),
      pages: { access: 'open' },
      documents: read,
    });
  };

function routesOf(
  { parts, readers, inbox }: Pick<ApiOptions, 'parts' | 'readers' | 'inbox'>,
  document: FlowDocument,
): ApiRoute[] {
  const shown = new ProcessReader(parts);
  const answers = new IdempotentAnswers();
  return [
    ...processRoutes({ parts, shown, ...readers }),
    ...findRoutes(parts, readers),
    ...detailsRoutes(parts, shown),
    ...commandRoutes({ parts, shown, answers }),
    ...batchRoutes({ parts, answers, ...readers }),
    ...inboxRoutes(parts, inbox, readers.subjects),
    ...lockerRoutes(parts),
    ...wallRoutes(parts, answers),
    ...shipmentRoutes(parts, answers),
    messagesRoute(parts),
    countRoute(parts),
    expectedRoute(parts, readers),
    logRoute(parts, readers.subjects),
    ...flowRoutes(parts, document, answers),
  ];
}
