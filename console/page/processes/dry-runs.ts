// A dry run for many processes: a request for each, some at a time and so many in a second, with an outcome for each. What changes
// many is a batch.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { BulkAction, BulkOutcome } from '../../processes/processes-view.ts';
import { postQuietly, type RequestError, requestErrorOf } from '../api.ts';
import { NOTHING_PROPOSED } from '../outreach/outreach-dialog.tsx';
import { doneWithPart } from './done-with-part.ts';

/** A browser has six connections to a server: some are left to the page itself. */
const AT_ONCE = 4;
/** Workers and the locker service have other work too. */
const PER_SECOND = 200;
/** The outcomes that are there: each by itself would draw thousands of rows anew. */
const SHOWN_EVERY_MS = 300;

interface DryRun {
  readonly outcomes: readonly BulkOutcome[];
  /** What is wrong for every process: those that had begun before have come. */
  readonly refusal?: RequestError;
}

/** The outcomes come while it runs; `show` puts others in their place. */
export function useDryRuns() {
  const [outcomes, setOutcomes] = useState<readonly BulkOutcome[]>([]);
  const isGone = useRef(false);
  // Nobody sees any more what would become of them.
  useEffect(
    () => () => {
      isGone.current = true;
    },
    [],
  );
  const run = async (keys: readonly string[], action: BulkAction): Promise<DryRun> => {
    setOutcomes([]);
    const came: BulkOutcome[] = [];
    const showing = setInterval(() => setOutcomes([...came]), SHOWN_EVERY_MS);
    try {
      await dryRuns(keys, action, { isGone: () => isGone.current, came: (outcome) => came.push(outcome) });
      return { outcomes: came };
    } catch (error) {
      return { outcomes: came, refusal: requestErrorOf(error) };
    } finally {
      clearInterval(showing);
      setOutcomes(came);
    }
  };
  return { outcomes, run, show: setOutcomes };
}

interface DryRunOptions {
  /** It begins no more. */
  isGone(): boolean;
  /** In the order in which they come. */
  came(outcome: BulkOutcome): void;
}

async function dryRuns(
  keys: readonly string[],
  action: BulkAction,
  { isGone, came }: DryRunOptions,
): Promise<void> {
  const running = new Set<Promise<void>>();
  let failure: unknown;
  for (const key of keys) {
    if (isGone() || failure !== undefined) break;
    const one = outcomeOf(key, action)
      .then(
        (outcome) => came(doneWithPart(outcome, keys)),
        (error) => {
          failure ??= error;
        },
      )
      .finally(() => running.delete(one));
    running.add(one);
    if (running.size >= AT_ONCE) await Promise.race(running);
    await new Promise((later) => setTimeout(later, 1_000 / PER_SECOND));
  }
  await Promise.all(running);
  if (failure !== undefined) throw failure;
}

async function outcomeOf(key: string, { command, fields }: BulkAction): Promise<BulkOutcome> {
  try {
    const path = `/v1/processes/${encodeURIComponent(key)}/commands/${command}?dryRun=true`;
    const outcome = await postQuietly<BulkOutcome>(path, fields);
    const { text } = (outcome.consequence ?? {}) as { readonly text?: string | null };
    // Sent without one, it would be refused.
    const refusal = text === null ? { code: 'NothingProposed', message: NOTHING_PROPOSED } : outcome.refusal;
    return { ...outcome, key, refusal };
  } catch (error) {
    const { status, error: code, message } = requestErrorOf(error);
    // The request is wrong, or who makes it may not.
    if ([400, 401, 403].includes(status)) throw error;
    return { key, isDone: false, refusal: { code, message }, consequence: null, words: null };
  }
}
