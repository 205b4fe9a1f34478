// One command for many processes: a request for each, some at a time and so many in a second, with an outcome for each.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { BulkAction, BulkOutcome } from '../../processes/processes-view.ts';
import { postQuietly, refusalOf } from '../shell/api.ts';

/** A browser has six connections to a server: some are left to the page itself. */
const AT_ONCE = 4;
/** Workers and the locker service have other work too; a dry run only asks. */
const PER_SECOND = 20;
const DRY_RUNS_PER_SECOND = 200;
/** The outcomes that are there: each by itself would draw thousands of rows anew. */
const SHOWN_EVERY_MS = 300;

/** The outcomes come while it runs. `run` throws Refusal for what is wrong for every process. */
export function useForMany() {
  const [outcomes, setOutcomes] = useState<readonly BulkOutcome[]>([]);
  const isStopped = useRef(false);
  const stop = () => {
    isStopped.current = true;
  };
  // Nobody sees any more what becomes of them.
  useEffect(() => stop, []);
  const run = async (keys: readonly string[], action: BulkAction, dryRun: boolean) => {
    isStopped.current = false;
    const came: BulkOutcome[] = [];
    const show = () => setOutcomes([...came]);
    const showing = setInterval(show, SHOWN_EVERY_MS);
    const left = keys.values();
    const pauseMs = (AT_ONCE * 1_000) / (dryRun ? DRY_RUNS_PER_SECOND : PER_SECOND);
    const oneAfterTheOther = async () => {
      for (const key of left) {
        if (isStopped.current) return;
        came.push(await outcomeOf(key, action, dryRun));
        await new Promise((later) => setTimeout(later, pauseMs));
      }
    };
    try {
      await Promise.all(Array.from({ length: AT_ONCE }, oneAfterTheOther));
      return came;
    } finally {
      stop();
      clearInterval(showing);
      show();
    }
  };
  return { outcomes, run, stop };
}

async function outcomeOf(
  key: string,
  { command, fields }: BulkAction,
  dryRun: boolean,
): Promise<BulkOutcome> {
  const path = `/v1/processes/${encodeURIComponent(key)}/commands/${command}`;
  try {
    return await postQuietly<BulkOutcome>(dryRun ? `${path}?dryRun=true` : path, fields);
  } catch (error) {
    const { status, error: code, message } = refusalOf(error);
    // The request is wrong, or who makes it may not.
    if ([400, 401, 403].includes(status)) throw error;
    return { key, isDone: false, refusal: { code, message }, consequence: null, words: null };
  }
}
