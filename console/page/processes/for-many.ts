// A dry run for many processes, or the undo of what was done to them: a request for each, some at a time and so many in a second,
// with an outcome for each. What changes many by one command is a batch.
import { useEffect, useRef, useState } from 'preact/hooks';
import { t } from '../../../shared/texts/text.ts';
import type { BulkAction, BulkOutcome } from '../../processes/processes-view.ts';
import { postQuietly, type Refusal, refusalOf } from '../api.ts';

/** A browser has six connections to a server: some are left to the page itself. */
const AT_ONCE = 4;
/** Workers and the locker service have other work too; a dry run only asks. */
const PER_SECOND = 20;
const DRY_RUNS_PER_SECOND = 200;
/** The outcomes that are there: each by itself would draw thousands of rows anew. */
const SHOWN_EVERY_MS = 300;

interface Came {
  readonly came: readonly BulkOutcome[];
  /** What is wrong for every process: those that had begun before have come. */
  readonly refusal?: Refusal;
}

/** By the key of the process. */
type ActionOf = (key: string) => BulkAction;

/** The outcomes come while it runs. `run` throws Refusal for what is wrong for every process. */
export function useForMany() {
  const [outcomes, setOutcomes] = useState<readonly BulkOutcome[]>([]);
  const isStopped = useRef(false);
  const stop = () => {
    isStopped.current = true;
  };
  // Nobody sees any more what becomes of them.
  useEffect(() => stop, []);
  const run = async (keys: readonly string[], actionOf: ActionOf, dryRun: boolean): Promise<Came> => {
    isStopped.current = false;
    setOutcomes([]);
    const came: BulkOutcome[] = [];
    const showing = setInterval(() => setOutcomes([...came]), SHOWN_EVERY_MS);
    try {
      const options = { dryRun, isStopped: () => isStopped.current };
      await forMany(keys, actionOf, { ...options, came: (outcome) => came.push(outcome) });
      return { came };
    } catch (error) {
      return { came, refusal: refusalOf(error) };
    } finally {
      clearInterval(showing);
      setOutcomes(came);
    }
  };
  return { outcomes, run, show: setOutcomes, stop };
}

interface ForMany {
  readonly dryRun: boolean;
  /** It begins no more. */
  isStopped(): boolean;
  /** In the order in which they come. */
  came(outcome: BulkOutcome): void;
}

async function forMany(
  keys: readonly string[],
  actionOf: ActionOf,
  { dryRun, isStopped, came }: ForMany,
): Promise<void> {
  const everyMs = 1_000 / (dryRun ? DRY_RUNS_PER_SECOND : PER_SECOND);
  const running = new Set<Promise<void>>();
  let failure: unknown;
  for (const key of keys) {
    if (isStopped() || failure !== undefined) break;
    const one = outcomeOf(key, actionOf(key), dryRun)
      .then(came, (error) => {
        failure ??= error;
      })
      .finally(() => running.delete(one));
    running.add(one);
    if (running.size >= AT_ONCE) await Promise.race(running);
    await new Promise((later) => setTimeout(later, everyMs));
  }
  await Promise.all(running);
  if (failure !== undefined) throw failure;
}

/** Done again, it may be done twice. */
const NOT_KNOWN = t`No answer came: it is not known whether it was done. Look at the process first.`;

async function outcomeOf(
  key: string,
  { command, fields }: BulkAction,
  dryRun: boolean,
): Promise<BulkOutcome> {
  const path = `/v1/processes/${encodeURIComponent(key)}/commands/${command}`;
  try {
    return await postQuietly<BulkOutcome>(dryRun ? `${path}?dryRun=true` : path, fields);
  } catch (error) {
    const { status, error: code, message: said } = refusalOf(error);
    const isUnknown = !dryRun && (status === 0 || status >= 500);
    const message = isUnknown ? NOT_KNOWN : said;
    // The request is wrong, or who makes it may not.
    if ([400, 401, 403].includes(status)) throw error;
    return { key, isDone: false, refusal: { code, message }, consequence: null, words: null };
  }
}
