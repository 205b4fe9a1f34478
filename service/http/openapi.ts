// The contract as a document that tools read: /openapi.json. What it says is made in contract/openapi/openapi.ts.
import type { FastifyInstance } from 'fastify';
import { openApiDocument } from '../../contract/openapi/openapi.ts';

export function addOpenApi(app: FastifyInstance): void {
  // Made and written down at the first request, and only then: it is the same for all of them.
  let document: string | undefined;
  app.get('/openapi.json', async (_request, reply) => {
    document ??= JSON.stringify(openApiDocument());
    return reply.type('application/json; charset=utf-8').send(document);
  });
}
