// The service's log: one JSON line per event, without codes, tokens or personal data. Lines have known fields only,
// never raw bodies, headers or URLs.
import { LogController } from 'fastify';
import pino, { type DestinationStream, type Logger } from 'pino';
import { traceFields } from '../shared/telemetry/spans.ts';
import { escapeControlCharactersOfLines } from '../shared/terminal/escape-control-characters.ts';
import { spanOf } from './http/observed-requests.ts';

export function createLog(level: string, destination: DestinationStream = standardOutput()): Logger {
  const described = { base: { part: 'service' }, serializers: { err: describedError } };
  return pino(
    {
      level,
      ...described,
      mixin: () => traceFields(),
      hooks: { streamWrite: escapeControlCharactersOfLines },
    },
    destination,
  );
}

/** How long a line may wait for others. */
const TOGETHER_MS = 20;

/** The process has one, however many logs write to it. */
let processOutput: DestinationStream | undefined;

function standardOutput(): DestinationStream {
  processOutput ??= batched(pino.destination({ dest: 1, sync: false }));
  return processOutput;
}

/**
 * Lines that come together are written together, outside the requests: a blocking write for each took a third of the time of
 * a booking, and a write of its own for each a sixth.
 */
function batched(output: ReturnType<typeof pino.destination>): DestinationStream {
  let waiting = '';
  const writeAll = () => {
    output.write(waiting);
    waiting = '';
  };
  // Waiting lines are written when the process exits; only a kill can lose them.
  process.once('exit', () => {
    writeAll();
    output.flushSync();
  });
  return {
    write(line) {
      if (waiting === '') setTimeout(writeAll, TOGETHER_MS).unref();
      waiting += line;
    },
  };
}

/** The type, message and stack of an error. No other fields: Postgres puts the data of the row in `detail`. */
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

/** One line for each answered request. Fastify's own lines have the URL and the caller's address. */
export class RequestLog extends LogController {
  constructor() {
    super({ requestIdLogLabel: 'requestId' });
  }

  override incomingRequest(): void {
    // The line of the completed request has everything.
  }

  override requestCompleted(...[error, request, reply]: Parameters<LogController['requestCompleted']>): void {
    const line = {
      operation: request.routeOptions.config.operation ?? request.routeOptions.url,
      method: request.method,
      status: reply.statusCode,
      error: request.failureCode ?? undefined,
      tenant: request.apiClient?.tenantUid,
      ...namedIn(...(request.bodies ?? [])),
      ...traceFields(spanOf(request.raw)),
      milliseconds: Math.round(reply.elapsedTime),
      err: error ?? undefined,
    };
    if (request.routeOptions.config.quiet && reply.statusCode < 400) request.log.debug(line, 'answered');
    else request.log.info(line, 'answered');
  }
}

/** What a field names. A flow books with details of each of its shipments, which name more. */
const FIELDS: ReadonlyMap<string, 'shipment' | 'case' | 'details'> = new Map([
  ['shipmentUid', 'shipment'],
  ['shipmentUids', 'shipment'],
  ['priorShipmentUid', 'shipment'],
  ['swapsShipmentUid', 'shipment'],
  ['referenceCaseNo', 'case'],
  ['caseReferenceNew', 'case'],
  ['details', 'details'],
  ['return', 'details'],
  ['issue', 'details'],
]);

/**
 * The shipments and case numbers that a request and its answer are about: by them one life is found in all logs. Never a code, a name
 * or a text.
 */
export function namedIn(...bodies: readonly object[]): object {
  const names = { shipment: new Set<string>(), case: new Set<string>() };
  for (const body of bodies) gather(body, names);
  return {
    ...(names.shipment.size > 0 && { shipmentUids: [...names.shipment] }),
    ...(names.case.size > 0 && { caseNumbers: [...names.case] }),
  };
}

function gather(body: object, names: Readonly<Record<'shipment' | 'case', Set<string>>>): void {
  for (const [name, value] of Object.entries(body)) {
    const named = FIELDS.get(name);
    if (named === undefined || value === null) continue;
    if (named === 'details') gather(Object(value), names);
    else
      for (const each of [value].flat()) if (typeof each === 'string' && each !== '') names[named].add(each);
  }
}
