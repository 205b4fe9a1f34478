// What is silent and since when, on every page: what is shown below may be old.
import type { HealthView } from '../../processes/processes-view.ts';
import { Ago, InWords, Time } from '../parts/time.tsx';
import { useLive } from './live.ts';
import { currentMessages } from './locale.ts';

const HEALTH = '/v1/health';

export const useHealth = (): HealthView | undefined => useLive<HealthView>(HEALTH).data;

/** In a few words, for the pill. */
export const silentNames = ({ silent }: HealthView): string =>
  silent.map(({ part }) => currentMessages().shell.parts[part]).join(', ');

export function HealthStrip() {
  const health = useHealth();
  const { shell: words } = currentMessages();
  if (!health || health.silent.length === 0) return null;
  return (
    <section class="strip" aria-label={words.whatIsSilent} role="status">
      {health.silent.map(({ part, since, words: why }) => (
        <p key={part} data-part={part}>
          <strong>{words.parts[part]}</strong> {words.silentSince} <Time at={since} /> (<Ago at={since} />
          ): <InWords text={why} />
        </p>
      ))}
    </section>
  );
}
