// The service's log: one JSON line per event, without codes, tokens or personal data. Lines are made of known fields;
// bodies, headers and URLs as they came are never among them.
import { LogController } from 'fastify';
import pino, { type DestinationStream, type Logger } from 'pino';

export function createLog(level: string, destination: DestinationStream = standardOutput()): Logger {
  return pino({ level, base: { part: 'service' }, serializers: { err: describedError } }, destination);
}

/** Written beside the requests, not within them: a write that blocks cost a third of the time of each booking. */
function standardOutput(): DestinationStream {
  const output = pino.destination({ dest: 1, sync: false });
  // What is still to be written when the process exits is written then; only a kill can lose it.
  process.once('exit', () => output.flushSync());
  return output;
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
