// Shares an object, such as a rate limiter, between all activities of a worker: one for each Temporal client.
import { getClient } from '@temporalio/activity';

type Client = ReturnType<typeof getClient>;

/** Call the returned function within an activity. */
export function perClient<Shared>(make: (client: Client) => Shared): () => Shared {
  const instances = new WeakMap<Client, Shared>();
  return () => {
    const client = getClient();
    const shared = instances.get(client) ?? make(client);
    instances.set(client, shared);
    return shared;
  };
}
