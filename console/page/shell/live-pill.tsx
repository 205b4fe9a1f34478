// Whether what is on the screen is up to date.
import { silentNames, useHealth } from './health-strip.tsx';
import { useConnection } from './live.ts';

export function LivePill() {
  const { connection, refusal } = useConnection();
  const health = useHealth();
  if (connection === 'lost')
    return (
      <span class="pill bad" role="status">
        Not live: the console does not answer. It connects again by itself.
      </span>
    );
  if (connection === 'connecting')
    return (
      <span class="pill" role="status">
        Connecting…
      </span>
    );
  if (refusal)
    return (
      <span class="pill bad" role="status" title={refusal.message}>
        Not up to date: {refusal.message}
      </span>
    );
  if (health && health.silent.length > 0)
    return (
      <span class="pill bad" role="status">
        Not all answer: {silentNames(health)}
      </span>
    );
  return (
    <span class="pill good" role="status">
      Live
    </span>
  );
}
