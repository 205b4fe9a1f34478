// What people are told of a process at which a worker fails again and again, and what they can do.
import { workerFailureBehind } from '../client/worker-failure.ts';
import { t } from '../shared/texts/text.ts';
import { CommandError } from './outcome.ts';
import type { TemporalContext } from './temporal-context.ts';

export const formatWorkerFailure = (reason: string): string =>
  t`a worker failed at it: ${reason}. It is tried again and again: deploy workers with the defect mended, and it goes on; or end it with temporal workflow terminate, which undoes nothing`;

/** What the process was asked, or told, in vain. Throws CommandError that says why. */
export async function explainingWorkerFailure<Value>(
  { client }: Pick<TemporalContext, 'client'>,
  key: string,
  act: () => Promise<Value>,
): Promise<Value> {
  try {
    return await act();
  } catch (cause) {
    const reason = await workerFailureBehind(cause, client, key);
    if (reason === null) throw cause;
    throw new CommandError('unreachable', 'WorkerFails', formatWorkerFailure(reason), { cause });
  }
}
