// How the server ends: it takes no new connection, answers what is under way, and closes each connection after that.
import type { FastifyInstance } from 'fastify';

/** Gives the function that closes the server. It cuts requests that are not answered within the grace. */
export function gracefulStop(app: FastifyInstance, graceSeconds: number): () => Promise<void> {
  let stopping = false;
  // A connection that stays open after its last answer would delay the end until the grace is over.
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (stopping) reply.header('connection', 'close');
    done();
  });
  return async () => {
    stopping = true;
    const cut = setTimeout(() => app.server.closeAllConnections(), graceSeconds * 1_000);
    await app.close();
    clearTimeout(cut);
  };
}
