// Queries, which a worker answers. The SDK's worker (1.24) now and then loses one of two that arrive while their workflow ends; the
// caller would wait until Temporal's timeout, by default 30 s. So a query without an answer is repeated.
import type { Client } from '@temporalio/client';
import { grpcFailureOf, isOutOfTime } from './grpc-failure.ts';

/** Enough for a worker that first replays a long history. Without a limit a query might wait for a worker for ever. */
export const ANSWER_WITHIN_MS = 10_000;

// Longer than a worker needs that has the workflow in memory.
const FIRST_TRY_MS = 2_000;

/** Each try has twice the time of the one before. It has its own deadline, whatever deadline the caller has set. */
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
