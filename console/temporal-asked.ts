// Questions to Temporal with a limit: a page must learn soon that Temporal is gone, and not wait for it.
import { CancelledFailure } from '@temporalio/common';
import { grpcCodes, grpcFailureOf, isOutOfTime } from '../client/grpc-failure.ts';
import type { ConsoleParts } from './console-parts.ts';
import { ConsoleRefusal } from './refusal.ts';

const WITHIN_MS = 4_000;

/** For calls that Temporal itself answers, without a worker. Throws ConsoleRefusal (503) when it does not. */
export async function askedTemporal<Answer>(
  { client }: Pick<ConsoleParts, 'client'>,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await client.withDeadline(Date.now() + WITHIN_MS, ask);
  } catch (error) {
    const failure = grpcFailureOf(error);
    const isGone = failure && (failure.code === grpcCodes.unavailable || isOutOfTime(failure));
    if (!isGone && !(error instanceof CancelledFailure)) throw error;
    throw new ConsoleRefusal(
      503,
      'TemporalUnreachable',
      'Temporal does not answer. The console goes on by itself when it is back.',
    );
  }
}
