// What all activities of a worker share, like a pace: made once for each client of Temporal, inside an activity.
import { getClient } from '@temporalio/activity';

type Client = ReturnType<typeof getClient>;

export function perClient<Shared>(make: (client: Client) => Shared): () => Shared {
  const made = new WeakMap<Client, Shared>();
  return () => {
    const client = getClient();
    const shared = made.get(client) ?? make(client);
    made.set(client, shared);
    return shared;
  };
}
