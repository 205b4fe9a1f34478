// The service's log: one JSON line per event, without codes, tokens or personal data. Lines are made of known fields;
// bodies, headers and URLs as they came are never among them.
import { LogController } from 'fastify';
import pino, { type DestinationStream, type Logger } from 'pino';

export function createLog(level: string, destination?: DestinationStream): Logger {
  const options = { level, base: { part: 'service' }, serializers: { err: describedError } };
  return destination ? pino(options, destination) : pino(options);
}

/** An error's kind, words and place. Postgres puts the offending row in `detail`, so further fields stay out. */
function describedError(error: Error): object {
  const { code, constraint, cause } = error as Error & { code?: unknown; constraint?: unknown };
  return {
    type: error.name,
    message: error.message,
    stack: error.stack,
    code,
    constraint,
    cause: cause instanceof Error ? describedError(cause) : undefined,
  };
}

/** One line for each request that was answered, instead of fastify's, which hold the URL and the caller's address. */
export class RequestLog extends LogController {
  constructor() {
    super({ requestIdLogLabel: 'requestId' });
  }

  override incomingRequest(): void {
    // The line of the completed request says it all.
  }

  override requestCompleted(...[error, request, reply]: Parameters<LogController['requestCompleted']>): void {
    const line = {
      operation: request.routeOptions.config.operation ?? request.routeOptions.url,
      method: request.method,
      status: reply.statusCode,
      error: request.failureCode ?? undefined,
      tenant: request.apiClient?.tenantUid,
      milliseconds: Math.round(reply.elapsedTime),
      err: error ?? undefined,
    };
    if (request.routeOptions.config.quiet && reply.statusCode < 400) request.log.debug(line, 'answered');
    else request.log.info(line, 'answered');
  }
}
