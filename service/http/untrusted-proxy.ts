// Warns of a proxy that is not in SERVICE_TRUSTED_PROXIES: behind it, all clients have the proxy's address.
import type { FastifyInstance } from 'fastify';

/** Warns once for each process: the settings are wrong, and any client can send the header. */
export function warnOfUntrustedProxy(app: FastifyInstance): void {
  let isReported = false;
  app.addHook('onRequest', (request, _reply, done) => {
    // Fastify gives more than one address only where the sender is trusted.
    if (!isReported && request.headers['x-forwarded-for'] !== undefined && (request.ips?.length ?? 1) < 2) {
      isReported = true;
      request.log.warn(
        { sender: request.socket.remoteAddress },
        'X-Forwarded-For of this sender is ignored: if it is your proxy, name it in SERVICE_TRUSTED_PROXIES',
      );
    }
    done();
  });
}
