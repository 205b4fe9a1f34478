// The connection to Temporal, with Temporal's own settings (TEMPORAL_* variables or its TOML file): the same for all
// our processes and for the `temporal` command line.
import { Client, Connection } from '@temporalio/client';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import { dataConverter, payloadKeys } from '../shared/codec/data-converter.ts';
import { traceInterceptor } from '../shared/telemetry/temporal/client-spans.ts';
import { callInterceptors } from './closed-calls.ts';
import { grpcCodes, grpcFailureOf } from './grpc-failure.ts';

export interface TemporalClient {
  readonly client: Client;
  /** Over the same connection, under another identity: Temporal keeps it with each request that changes a process. */
  as(identity: string): Client;
  close(): Promise<void>;
}

export interface ConnectOptions {
  /** Milliseconds; the SDK's default if absent. */
  readonly withinMs?: number;
  /** Gives a client at once; each call connects, again after each loss. For a server that must be up before Temporal is. */
  readonly lazily?: boolean;
}

/** No server answers there, or the TLS settings are wrong: the library reports both alike. */
export class TemporalUnreachable extends Error {
  override readonly name = 'TemporalUnreachable';
}

/**
 * Encrypts with LOCKERFLOW_PAYLOAD_KEYS, where they are set. Throws TemporalUnreachable, or an Error that says what
 * Temporal refuses or which of its settings cannot be read.
 */
export async function connectTemporal({ withinMs, lazily }: ConnectOptions = {}): Promise<TemporalClient> {
  const converting = dataConverter(payloadKeys(process.env));
  const { connectionOptions, namespace } = temporalConfiguration();
  const address = connectionOptions.address ?? 'localhost:7233';
  const options = {
    ...connectionOptions,
    channelArgs: LARGE_ANSWERS,
    interceptors: callInterceptors,
    ...(withinMs !== undefined && { connectTimeout: withinMs }),
  };
  const connection = lazily
    ? Connection.lazy(options)
    : await Connection.connect(options).catch((cause: unknown) => {
        throw failureToConnect(address, cause);
      });
  const client = (who: { identity?: string } = {}) =>
    new Client({
      connection,
      namespace: namespace ?? 'default',
      dataConverter: converting,
      interceptors: { workflow: [traceInterceptor] },
      ...who,
    });
  return {
    client: client(),
    as: (identity) => client({ identity }),
    close: () => connection.close(),
  };
}

// A page of a history can be far larger than what gRPC takes by default, 4 MB; the SDK's own setting lacks the prefix `grpc.`.
const LARGE_ANSWERS = { 'grpc.max_receive_message_length': 128 * 1024 * 1024 };

function temporalConfiguration(): ReturnType<typeof loadClientConnectConfig> {
  try {
    return loadClientConnectConfig();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`Temporal's configuration (TEMPORAL_*, its file) cannot be read: ${reason}`, { cause });
  }
}

const REFUSED: ReadonlySet<number> = new Set([grpcCodes.permissionDenied, grpcCodes.unauthenticated]);

function failureToConnect(address: string, cause: unknown): Error {
  const failure = grpcFailureOf(cause);
  if (failure && REFUSED.has(failure.code))
    return new Error(
      `Temporal at ${address} does not accept these credentials (${failure.details}); check TEMPORAL_API_KEY and TEMPORAL_TLS_*`,
      { cause },
    );
  return new TemporalUnreachable(
    `Temporal cannot be reached at ${address}; start Temporal, or set TEMPORAL_ADDRESS to where it runs; where it has TLS, check TEMPORAL_TLS_*`,
    { cause },
  );
}
