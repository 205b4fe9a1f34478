// The connection to Temporal, by Temporal's own configuration (TEMPORAL_* variables or its TOML file): one way to say
// where Temporal is, for every process of ours and for the `temporal` command line alike.
import { Client, Connection } from '@temporalio/client';
import { loadClientConnectConfig } from '@temporalio/envconfig';

export interface TemporalClient {
  readonly client: Client;
  close(): Promise<void>;
}

export interface ConnectOptions {
  /** Milliseconds; the SDK's own time where it is absent. */
  readonly withinMs?: number;
}

/** Throws an Error that says where it looked when Temporal cannot be reached. */
export async function connectTemporal({ withinMs }: ConnectOptions = {}): Promise<TemporalClient> {
  const { connectionOptions, namespace } = loadClientConnectConfig();
  const address = connectionOptions.address ?? 'localhost:7233';
  const connecting = Connection.connect({
    ...connectionOptions,
    ...(withinMs !== undefined && { connectTimeout: withinMs }),
  });
  const connection = await connecting.catch((cause: unknown) => {
    throw new Error(`Temporal cannot be reached at ${address}; set TEMPORAL_ADDRESS, or start it`, { cause });
  });
  const client = new Client({ connection, namespace: namespace ?? 'default' });
  return { client, close: () => connection.close() };
}
