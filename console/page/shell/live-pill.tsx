// Whether what is on the screen is up to date.
import { useConnection } from './live.ts';

export function LivePill() {
  const { connection, refusal } = useConnection();
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
  return (
    <span class="pill good" role="status">
      Live
    </span>
  );
}
