// That people of the same cases were told something today: who comes after must not send the same again.
import { useEffect, useState } from 'preact/hooks';
import { t } from '../../../shared/texts/text.ts';
import type { BatchView, OutcomesView } from '../../processes/processes-view.ts';
import { getJson } from '../api.ts';
import { Time } from '../parts/time.tsx';
import { useLive } from '../shell/live.ts';
import type { Step } from './bulk-step.ts';
import type { Verb } from './bulk-verbs.ts';

/** @param of how many there are */
export const ToldBefore = ({ told, of }: { readonly told: Told; readonly of: number }) => (
  <p class="note">
    {t`${told.count} of ${of} were told:`} <Time at={told.at} />
    {told.by !== null && t`, by ${told.by}`} (
    <a href={`/batches/${encodeURIComponent(told.id)}`}>{t`what each was told`}</a>).
  </p>
);

interface ToldBeforeStepProps {
  readonly keys: readonly string[];
  readonly verb: Verb;
  readonly step: Step;
}

/** Before messages are sent. */
export function ToldBeforeStep({ keys, verb, step }: ToldBeforeStepProps) {
  const told = useTold(keys, verb === 'message' && BEFORE.has(step));
  return told && <ToldBefore told={told} of={keys.length} />;
}

const BEFORE: ReadonlySet<Step> = new Set(['asking', 'previewing', 'previewed']);

interface Told {
  readonly id: string;
  readonly at: string;
  readonly by: string | null;
  /** How many of these were. */
  readonly count: number;
}

const DAY_MS = 86_400_000;
/** As many as one page of outcomes has. */
const MOST_TOLD = 200;

/** By the newest batch of messages of the last day that told some of them. Null: none did. */
export function useTold(keys: readonly string[], isAsked: boolean): Told | null {
  const { data: list } = useLive<{ readonly batches: readonly BatchView[] }>(
    isAsked ? '/v1/batches' : undefined,
  );
  const [told, setTold] = useState<Told | null>(null);
  const recent = (list?.batches ?? []).filter(
    ({ command, startedAt }) => command === 'message' && Date.now() - Date.parse(startedAt) < DAY_MS,
  );
  const of = JSON.stringify([keys, recent.map(({ id, status }) => [id, status?.done])]);
  useEffect(() => {
    let isOld = false;
    void newestOf(recent, new Set(keys)).then(
      (found) => isOld || setTold(found),
      () => undefined,
    );
    return () => {
      isOld = true;
    };
  }, [of]);
  return told;
}

async function newestOf(batches: readonly BatchView[], keys: ReadonlySet<string>): Promise<Told | null> {
  for (const { id, startedAt: at, onBehalfOf, by } of batches) {
    const path = `/v1/batches/${encodeURIComponent(id)}/outcomes?only=done&size=${MOST_TOLD}`;
    const { outcomes } = await getJson<Pick<OutcomesView, 'outcomes'>>(path);
    const count = outcomes.filter(({ key, now }) => !now?.isBad && keys.has(key)).length;
    if (count > 0) return { id, at, by: onBehalfOf ?? by, count };
  }
  return null;
}
