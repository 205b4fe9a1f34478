// What is silent and since when, on every page: what is shown below may be old.
import type { HealthPart, HealthView } from '../../processes/processes-view.ts';
import { Ago, InWords, Time } from '../parts/time.tsx';
import { useLive } from './live.ts';

export const HEALTH = '/v1/health';

export const useHealth = (): HealthView | undefined => useLive<HealthView>(HEALTH).data;

const names: Readonly<Record<HealthPart, string>> = {
  temporal: 'Temporal',
  worker: 'Workers',
  service: 'Locker service',
  walls: 'Walls',
  callbacks: 'Callbacks',
};

/** In a few words, for the pill. */
export const silentNames = ({ silent }: HealthView): string =>
  silent.map(({ part }) => names[part].toLowerCase().replace('temporal', 'Temporal')).join(', ');

export function HealthStrip() {
  const health = useHealth();
  if (!health || health.silent.length === 0) return null;
  return (
    <section class="strip" aria-label="What is silent" role="status">
      {health.silent.map(({ part, since, words }) => (
        <p key={part} data-part={part}>
          <strong>{names[part]}</strong> silent since <Time at={since} /> (<Ago at={since} />
          ): <InWords text={words} />
        </p>
      ))}
    </section>
  );
}
