// What the processes of a batch do now that it has started again or moved: one that waits for a locker, or has failed again, was done
// as the batch has it, and is not as somebody wanted it.
import type { BatchOutcome } from '../../contract/flows/batches.ts';
import { t } from '../../shared/texts/text.ts';
import { commandErrorOf } from '../outcome.ts';
import { callTemporal, type TemporalContext } from '../temporal-context.ts';
import type { Failure, ProcessFailures } from '../views/failures.ts';
import { type FoundFlow, statusOf } from '../views/found-flows.ts';
import { runsByKey } from '../views/newest-runs.ts';
import { sentence } from '../views/readable.ts';
import { formatNext } from '../views/row-words.ts';
import type { ProcessSummaries, RowSummary } from '../views/summaries.ts';

export const processStates = ['starting', 'waitsForLocker', 'goesOn', 'failedAgain', 'ended'] as const;

export interface ProcessNow {
  readonly state: (typeof processStates)[number];
  /** Until when it waits for a locker. */
  readonly until: string | null;
  readonly words: string;
}

export interface NowReaders {
  readonly summaries: Pick<ProcessSummaries, 'current'>;
  readonly failures: Pick<ProcessFailures, 'of'>;
  /** The name of a pick up point. */
  nameOf(pupUid: string): Promise<string>;
}

/** The commands after which another run goes on. */
const begun = (): Readonly<Record<string, (now: string) => string>> => ({
  startAgain: (now) => t`started again; ${now}`,
  move: (now) => t`moved; ${now}`,
});

/** By the key of the outcome. What cannot be read is left out: it hides no outcome. */
export async function processesNow(
  parts: TemporalContext,
  command: string,
  outcomes: readonly BatchOutcome[],
  readers: NowReaders,
): Promise<ReadonlyMap<string, ProcessNow>> {
  const begin = begun()[command];
  if (!begin) return new Map();
  const done = outcomes.flatMap((each) =>
    each.outcome === 'done' ? [{ of: each.key, ...startedIn(each) }] : [],
  );
  try {
    const runs = await callTemporal(parts, () =>
      runsByKey(
        parts.client,
        done.map(({ key }) => key),
      ),
    );
    const found = done.map((each) => ({ ...each, flow: newestSince(runs.get(each.key) ?? [], each.runId) }));
    const flows = found.flatMap(({ flow }) => flow ?? []);
    const open = flows.filter((flow) => statusOf(flow) === 'Running');
    const [answers, failures] = await Promise.all([
      readers.summaries.current(
        open.map(({ workflowId: key, runId }) => ({ key, runId })),
        0,
      ),
      readers.failures.of(flows),
    ]);
    const all = found.map(async ({ of, flow }) => {
      const { runId = '' } = flow ?? {};
      const now = await nowOf(flow, answers.get(runId), failures.get(runId), readers);
      const isBegun = now.state !== 'failedAgain' && now.words !== '';
      return [of, { ...now, words: now.words && sentence(isBegun ? begin(now.words) : now.words) }] as const;
    });
    return new Map(await Promise.all(all));
  } catch (error) {
    if (commandErrorOf(error)) return new Map();
    throw error;
  }
}

function startedIn({ key, result }: BatchOutcome & { readonly outcome: 'done' }) {
  const { key: other = key, runId } = (result ?? {}) as { readonly key?: string; readonly runId?: string };
  return { key: other, runId };
}

/** Undefined: the search does not know yet that it was started. */
const newestSince = ([newest, ...older]: readonly FoundFlow[], runId: string | undefined) =>
  newest && (runId === undefined || [newest, ...older].some((run) => run.runId === runId))
    ? newest
    : undefined;

async function nowOf(
  flow: FoundFlow | undefined,
  said: RowSummary | undefined,
  failure: Failure | undefined,
  { nameOf }: Pick<NowReaders, 'nameOf'>,
): Promise<ProcessNow> {
  const nothing = { until: null, words: '' };
  const status = flow && statusOf(flow);
  if (status === 'Failed')
    return {
      ...nothing,
      state: 'failedAgain',
      words: `${t`failed again.`} ${failure?.words ?? ''}`.trim(),
    };
  if (status && status !== 'Running') return { ...nothing, state: 'ended', words: t`it has ended since` };
  // The search does not know yet that it has ended.
  if (!said || said.hasEnded) return { ...nothing, state: 'starting' };
  const { summary } = said;
  const { code, until = null } = summary.next ?? {};
  if (code === 'FreeLocker') {
    const words = until === null ? t`it waits for a locker` : t`it waits for a locker until ${until}`;
    return { state: 'waitsForLocker', until, words };
  }
  if (code === 'Booking') return { ...nothing, state: 'starting', words: t`it is being booked` };
  const { lockerName, pupUid } = summary.states.find((leg) => leg.lockerName !== null) ?? {};
  if (lockerName && pupUid)
    return { ...nothing, state: 'goesOn', words: t`it has locker ${lockerName} of ${await nameOf(pupUid)}` };
  return { ...nothing, state: 'goesOn', words: t`next: ${formatNext(summary)}` };
}
