// What has become of each process of a batch, page by page, and what it does since.
import type { BatchMemo, BatchOutcome, OutcomePage, OutcomesWanted } from '../../contract/flows/batches.ts';
import { BATCH } from '../../contract/flows/flow-types.ts';
import { t } from '../../shared/texts/text.ts';
import { commands, type DescribedName } from '../commands/commands.ts';
import { callTemporal, queryMany, type TemporalContext } from '../temporal-context.ts';
import { type DeliveryOutcome, deliveryOutcomes } from '../views/deliveries.ts';
import { type NowReaders, type ProcessNow, processesNow } from './outcomes-now.ts';
import { batchHandle, describeBatch } from './read-batches.ts';

/** What has become of a process, as it is shown. */
export interface OutcomeView {
  readonly key: string;
  readonly outcome: BatchOutcome['outcome'];
  /** Why it was not done, or is not known to be. */
  readonly refusal: { readonly code: string; readonly message: string } | null;
  /** As the command itself answers. */
  readonly consequence: unknown;
  /** What became of a message that was sent; null: none was, or it is not known any more. */
  readonly delivery: DeliveryOutcome['state'] | null;
  /** What the process does since then, or what was sent; null: there is nothing to say, or it cannot be read. */
  readonly now: OutcomeNow | null;
  readonly words: string;
}

interface OutcomeNow {
  readonly state: ProcessNow['state'] | DeliveryOutcome['state'];
  readonly until: string | null;
  /** It may be otherwise the next time that it is read. */
  readonly isOpen: boolean;
  readonly isBad: boolean;
  /** To count those alike: "waiting for a locker"; null: it is as it should be. */
  readonly short: string | null;
}

export interface OutcomesView {
  readonly outcomes: readonly OutcomeView[];
  readonly next: number | null;
}

/** A migration keeps none for each process: `lockerflow migrate` shows its groups. Throws CommandError. */
export async function readOutcomes(
  temporal: TemporalContext,
  id: string,
  wanted: OutcomesWanted,
  readers: NowReaders,
): Promise<OutcomesView> {
  const { memo, type } = await describeBatch(temporal, id);
  if (type !== BATCH) return { outcomes: [], next: null };
  const { batch } = memo as BatchMemo;
  const { outcomes, next } = await outcomePage(temporal, id, wanted);
  const ids = outcomes.flatMap((each) => deliveryIn(each) ?? []);
  const [deliveries, processes] = await Promise.all([
    callTemporal(temporal, () => deliveryOutcomes(temporal.client, ids, ids.length)),
    processesNow(temporal, batch.command, outcomes, readers),
  ]);
  const views = outcomes.map((each) =>
    outcomeView(batch.command as DescribedName, each, {
      delivery: deliveries.get(deliveryIn(each) ?? ''),
      process: processes.get(each.key),
    }),
  );
  return { outcomes: views, next };
}

// A page of what has become of each.
const PAGE = 1_000;

export async function allOutcomes(temporal: TemporalContext, id: string): Promise<readonly BatchOutcome[]> {
  const all: BatchOutcome[] = [];
  for (let from: number | null = 0; from !== null; ) {
    const { outcomes, next } = await outcomePage(temporal, id, { from, size: PAGE });
    all.push(...outcomes);
    from = next;
  }
  return all;
}

const outcomePage = (temporal: TemporalContext, id: string, wanted: OutcomesWanted): Promise<OutcomePage> =>
  queryMany(temporal)(() =>
    batchHandle(temporal, id).query<OutcomePage, [OutcomesWanted]>('outcomes', wanted),
  );

/** The id of the delivery that a command has begun. */
function deliveryIn(each: BatchOutcome): string | undefined {
  const { delivery } = ((each.outcome === 'done' && each.result) || {}) as { readonly delivery?: unknown };
  return typeof delivery === 'string' ? delivery : undefined;
}

interface SinceThen {
  readonly delivery: DeliveryOutcome | undefined;
  readonly process: ProcessNow | undefined;
}

function outcomeView(
  command: DescribedName,
  each: BatchOutcome,
  { delivery, process }: SinceThen,
): OutcomeView {
  const { key, outcome } = each;
  const nothing = { delivery: null, now: null };
  if (each.outcome !== 'done') {
    const { code, message } = each;
    return { ...nothing, key, outcome, refusal: { code, message }, consequence: null, words: message };
  }
  const since = delivery ?? process;
  return {
    key,
    outcome,
    refusal: null,
    consequence: each.result,
    delivery: delivery?.state ?? null,
    now: since ? nowOf(since) : null,
    words: since?.words || commands[command].formatResult(each.result),
  };
}

const open: ReadonlySet<OutcomeNow['state']> = new Set(['trying', 'starting', 'waitsForLocker']);
const bad: ReadonlySet<OutcomeNow['state']> = new Set(['refused', 'failedAgain']);

const inShort = (): Readonly<Partial<Record<OutcomeNow['state'], string>>> => ({
  refused: t`could not be sent`,
  waitsForLocker: t`waiting for a locker`,
  failedAgain: t`failed again`,
});

const nowOf = ({ state, ...more }: DeliveryOutcome | ProcessNow): OutcomeNow => ({
  state,
  until: 'until' in more ? more.until : null,
  isOpen: open.has(state),
  isBad: bad.has(state),
  short: inShort()[state] ?? null,
});
