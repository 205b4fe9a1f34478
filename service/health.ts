// Whether the process lives, and whether it can serve: the database answers and its schema is this version's.
import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import type { Database } from './storage/database.ts';
import { knownMigrations, pendingMigrations } from './storage/migrate.ts';

const quiet = { config: { quiet: true } };

export function addHealth(app: FastifyInstance, database: Kysely<Database>): void {
  app.get('/health/live', quiet, async () => ({ status: 'live' }));
  app.get('/health/ready', quiet, async (request, reply) => {
    try {
      const applied = await database
        .selectFrom('migrations')
        .select(['name', 'checksum'])
        .orderBy('name')
        .execute();
      const pending = pendingMigrations(await knownMigrations(), applied);
      if (pending.length === 0) return { status: 'ready' };
      return await reply.code(503).send({ status: 'not ready', reason: 'migrations are to be applied' });
    } catch (error) {
      request.log.warn({ err: error }, 'not ready');
      return reply
        .code(503)
        .send({ status: 'not ready', reason: 'the database does not answer as expected' });
    }
  });
}
