// Queries, which a worker answers. The SDK's worker (1.24) loses one now and then where two come at the moment at which their
// workflow ends; whoever asked would wait in vain, by default for the 30 s of Temporal. So one that is lost is asked again.
import type { Client } from '@temporalio/client';
import { grpcFailureOf, isOutOfTime } from './grpc-failure.ts';

/** Enough for a worker that replays a long history first; without a limit a query may wait for ever for a worker. */
export const ANSWER_WITHIN_MS = 10_000;

// Longer than a worker takes that has the workflow in its memory.
const FIRST_TRY_MS = 2_000;

/** Each try lasts twice as long as the one before. A deadline around it does not count: the one of each try does. */
export async function queried<Answer>(
  { client }: { readonly client: Pick<Client, 'withDeadline'> },
  query: () => Promise<Answer>,
  withinMs = ANSWER_WITHIN_MS,
  firstTryMs = FIRST_TRY_MS,
): Promise<Answer> {
  const endsAt = Date.now() + withinMs;
  for (let tryMs = firstTryMs; ; tryMs *= 2) {
    try {
      return await client.withDeadline(Math.min(Date.now() + tryMs, endsAt), query);
    } catch (error) {
      const failure = grpcFailureOf(error);
      if (Date.now() >= endsAt || !failure || !isOutOfTime(failure)) throw error;
    }
  }
}
