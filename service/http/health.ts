// Whether the process lives, and whether it can serve: the database answers and its schema is this version's. Anybody
// may ask, so the service asks the database at most once a second, and only this machine is told why it is not ready.
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import type { Database } from '../storage/database.ts';
import { requireCurrentSchema } from '../storage/migrate.ts';

const quiet = { config: { quiet: true } };
// A load balancer asks every few seconds, so this delays no news.
const FRESH_MS = 1_000;

export function addHealth(app: FastifyInstance, database: Kysely<Database>): void {
  const failure = readiness(database, app.log);
  app.get('/health/live', quiet, async () => ({ status: 'live' }));
  app.get('/health/ready', quiet, async (request, reply) => {
    const problem = await failure();
    if (!problem) return { status: 'ready' };
    const reason = isFromThisMachine(request) ? { reason: problem.message } : {};
    return reply.code(503).send({ status: 'not ready', ...reason });
  });
}

/** Undefined when the service is ready. */
function readiness(database: Kysely<Database>, log: FastifyBaseLogger): () => Promise<Error | undefined> {
  let look: Promise<Error | undefined> | undefined;
  let lookedAt = 0;
  return () => {
    if (look && performance.now() - lookedAt < FRESH_MS) return look;
    lookedAt = performance.now();
    look = requireCurrentSchema(database).then(
      () => undefined,
      (error: Error) => {
        log.warn({ err: error }, 'not ready');
        return error;
      },
    );
    return look;
  };
}

/** A proxy on this machine names the client that it asks for. */
function isFromThisMachine({ socket, headers }: FastifyRequest): boolean {
  if (headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined) return false;
  return /^(?:::1|(?:::ffff:)?127(?:\.\d+){3})$/.test(socket.remoteAddress ?? '');
}
