// A batch that the page starts and looks at: it goes on without the page, which asks where it is and, at its end, what has become
// of each process.
import type { BatchView, BulkAction, BulkOutcome, OutcomesView } from '../../processes/processes-view.ts';
import { getJson, postJson, postQuietly } from '../api.ts';
import { MAX_SHOWN } from './bulk-outcomes.tsx';

/** Gives its id. Throws RequestError. */
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

/** Throws RequestError. */
export const controlBatch = (id: string, what: Control): Promise<BatchView> =>
  postJson<BatchView>(`${pathOf(id)}/${what}`, {});

/** Gives the id of the batch that takes it back: asked again, it is the same one. Throws RequestError. */
export const undoBatch = async (id: string, why?: string): Promise<string> =>
  (await postJson<{ readonly id: string }>(`${pathOf(id)}/undo`, why ? { why } : {})).id;

const pathOf = (id: string): string => `/v1/batches/${encodeURIComponent(id)}`;

const LOOK_EVERY_MS = 700;
/** A message that was not taken is sent again for hours, and a process may wait as long for a locker. */
const SENT_EVERY_MS = 5_000;

const after = (ms: number) => new Promise((later) => setTimeout(later, ms));

interface Follow<What> {
  /** Whether nobody looks at it any more. */
  isGone(): boolean;
  look(what: What): void;
}

/** To its end, or until nobody looks: undefined. Throws RequestError. */
export async function followBatch(
  id: string,
  { isGone, look }: Follow<BatchView>,
): Promise<BatchView | undefined> {
  while (!isGone()) {
    const batch = await getJson<BatchView>(pathOf(id));
    look(batch);
    if (batch.closedAt !== null) return batch;
    await after(LOOK_EVERY_MS);
  }
  return undefined;
}

/** What became of each, until it stays so, or nobody looks. Throws RequestError. */
export async function followOutcomes(id: string, { isGone, look }: Follow<BulkOutcome[]>): Promise<void> {
  for (;;) {
    const all = await outcomesOf(id);
    if (isGone()) return;
    look(all);
    if (!all.some(({ now }) => now?.isOpen)) return;
    await after(SENT_EVERY_MS);
  }
}

/** As many as are shown; first those that were not done. Throws RequestError. */
async function outcomesOf(id: string): Promise<BulkOutcome[]> {
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
