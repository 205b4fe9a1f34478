// A batch that the page starts and looks at: it goes on without the page, which asks where it is and, at its end, what has become
// of each process.
import type { BatchView, BulkAction, BulkOutcome, OutcomesView } from '../../processes/processes-view.ts';
import { getJson, postJson, postQuietly } from '../api.ts';
import { MAX_SHOWN } from './bulk-outcomes.tsx';

/** Gives its id. Throws Refusal. */
export async function startBatch(keys: readonly string[], { command, fields }: BulkAction): Promise<string> {
  const { why, ...own } = fields as Readonly<Record<string, unknown>>;
  const { id } = await postQuietly<{ readonly id: string }>('/v1/batches', {
    command,
    keys,
    fields: own,
    why,
  });
  return id;
}

export type Control = 'pause' | 'resume' | 'cancel' | 'retry-failed';

/** Throws Refusal. */
export const controlBatch = (id: string, what: Control): Promise<BatchView> =>
  postJson<BatchView>(`${pathOf(id)}/${what}`, {});

/** Gives the id of the batch that takes it back: asked again, it is the same one. Throws Refusal. */
export const undoBatch = async (id: string, why?: string): Promise<string> =>
  (await postJson<{ readonly id: string }>(`${pathOf(id)}/undo`, why ? { why } : {})).id;

const pathOf = (id: string): string => `/v1/batches/${encodeURIComponent(id)}`;

const LOOK_EVERY_MS = 700;

interface Follow {
  /** Whether nobody looks at it any more. */
  isGone(): boolean;
  look(batch: BatchView): void;
}

/** To its end, or until nobody looks: undefined. Throws Refusal. */
export async function followBatch(id: string, { isGone, look }: Follow): Promise<BatchView | undefined> {
  while (!isGone()) {
    const batch = await getJson<BatchView>(pathOf(id));
    look(batch);
    if (batch.closedAt !== null) return batch;
    await new Promise((later) => setTimeout(later, LOOK_EVERY_MS));
  }
  return undefined;
}

/** As many as are shown; first those that were not done. Throws Refusal. */
export async function outcomesOf(id: string): Promise<BulkOutcome[]> {
  const all: BulkOutcome[] = [];
  for (const only of ['refused', 'unknown', 'done']) {
    const size = MAX_SHOWN - all.length;
    if (size === 0) break;
    const { outcomes } = await getJson<OutcomesView>(
      `${pathOf(id)}/outcomes?only=${only}&size=${size}&about=true`,
    );
    for (const { outcome, ...each } of outcomes) all.push({ ...each, isDone: outcome === 'done' });
  }
  return all;
}
