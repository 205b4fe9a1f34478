// Warns of a proxy that nobody told the service to trust: behind it all clients look like one, the proxy.
import type { FastifyInstance } from 'fastify';

/** Once for each process: it is a mistake in the settings, and any stranger can send the header. */
export function warnOfUntrustedProxy(app: FastifyInstance): void {
  let isTold = false;
  app.addHook('onRequest', (request, _reply, done) => {
    // Fastify gives more than one address only where the sender is trusted.
    if (!isTold && request.headers['x-forwarded-for'] !== undefined && (request.ips?.length ?? 1) < 2) {
      isTold = true;
      request.log.warn(
        { sender: request.socket.remoteAddress },
        'X-Forwarded-For of this sender is ignored: if it is your proxy, name it in SERVICE_TRUSTED_PROXIES',
      );
    }
    done();
  });
}
