// That people of the same cases were told something today: who comes after must not send the same again.
import { t } from '../../../shared/texts/text.ts';
import type { ToldCase } from '../../processes/processes-view.ts';
import { Ago } from '../parts/time.tsx';
import { useLive } from '../shell/live.ts';

/** By key, the last that was told of these cases within a day; the newest first. */
export type Told = ReadonlyMap<string, ToldCase>;

/** @param to one of their people; absent: whoever it was */
export function useTold(keys: readonly string[], isAsked: boolean, to?: string): Told {
  const { data } = useLive<{ readonly told: readonly ToldCase[] }>(isAsked ? '/v1/messages' : undefined);
  const wanted = new Set(keys);
  const told = new Map<string, ToldCase>();
  for (const each of data?.told ?? [])
    if (wanted.has(each.key) && !told.has(each.key) && (!to || each.to === to)) told.set(each.key, each);
  return told;
}

interface ToldBeforeProps {
  readonly told: Told;
  /** How many there are. */
  readonly of?: number;
  readonly kind?: 'soft' | 'note';
}

export function ToldBefore({ told, of = 1, kind = 'soft' }: ToldBeforeProps) {
  const [last] = told.values();
  return last ? (
    <span class={kind}>
      {of === 1 ? t`told` : t`told ${told.size} of ${of},`} <Ago at={last.at} /> {t`by ${last.by}`}
    </span>
  ) : null;
}
