// Whether what is on the screen is up to date.
import { useConnection } from './live.ts';
import { currentMessages } from './locale.ts';

export function LivePill() {
  const { connection, refusal } = useConnection();
  const { shell: words } = currentMessages();
  if (connection === 'lost')
    return (
      <span class="pill bad" role="status">
        {words.notLive}
      </span>
    );
  if (connection === 'connecting')
    return (
      <span class="pill" role="status">
        {words.connecting}
      </span>
    );
  if (refusal)
    return (
      <span class="pill bad" role="status" title={refusal.message}>
        {words.notUpToDate(refusal.message)}
      </span>
    );
  return (
    <span class="pill good" role="status">
      {words.live}
    </span>
  );
}
