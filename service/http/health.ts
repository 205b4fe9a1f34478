// Whether the process lives, and whether it can serve: the database answers and its schema is this version's.
import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import type { Database } from '../storage/database.ts';
import { requireCurrentSchema } from '../storage/migrate.ts';

const quiet = { config: { quiet: true } };
const NOT_READY = 'The database does not answer, or its schema is not the one of this version';

export function addHealth(app: FastifyInstance, database: Kysely<Database>): void {
  app.get('/health/live', quiet, async () => ({ status: 'live' }));
  app.get('/health/ready', quiet, async (request, reply) => {
    try {
      await requireCurrentSchema(database);
      return { status: 'ready' };
    } catch (error) {
      request.log.warn({ err: error }, 'not ready');
      return reply.code(503).send({ status: 'not ready', reason: NOT_READY });
    }
  });
}
