// How many requests of each operation, how they were answered, and how long that took.
import type { FastifyInstance } from 'fastify';
import { counter, durations, isMeasuring } from '../../runtime/telemetry/metrics.ts';

const answered = durations(
  'lockerflow_service_request_duration_seconds',
  'From a request to its answer, by operation and HTTP status.',
);
// An answer with an error may have the status 200: tenant answers on-200.
const refused = counter(
  'lockerflow_service_refusals_total',
  'Requests that were answered with an error, by operation and code.',
);

export function measureRequests(app: FastifyInstance): void {
  if (!isMeasuring()) return;
  app.addHook('onResponse', (request, reply, done) => {
    // The connection of a wall lasts for days.
    if (!request.ws) {
      // Unknown paths have no route: each of them as a label would fill the memory.
      const operation = request.routeOptions.config.operation ?? request.routeOptions.url ?? 'unknown';
      answered(reply.elapsedTime / 1_000, { operation, status: reply.statusCode });
      if (request.failureCode) refused({ operation, error: request.failureCode });
    }
    done();
  });
}
