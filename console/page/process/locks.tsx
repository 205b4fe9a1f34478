// The locks and rate limits of a process: what it holds, and whose turn comes before its own.
import type { AnyProgress, PermitQueueView } from '../../process/process-view.ts';
import { Filled } from '../parts/filled.tsx';
import { Side } from '../parts/frames.tsx';
import { Time } from '../parts/time.tsx';
import { locksOf } from '../processes/locks.tsx';
import { useLive } from '../shell/live.ts';
import { common, currentMessages } from '../shell/locale.ts';

type Permit = NonNullable<Extract<AnyProgress, { readonly permits?: unknown }>['permits']>[number];

interface LocksProps {
  /** The key of the process. */
  readonly of: string;
  readonly permits: readonly Permit[];
  /** As it stands, and not as it stood after one of its steps. */
  readonly isNow: boolean;
}

export function Locks({ of, permits, isNow }: LocksProps) {
  if (permits.length === 0) return null;
  return (
    <Side title={common().locks}>
      <ul>
        {permits.map((permit) => (
          <li key={permit.id}>
            {permit.heldSince === null ? (
              <Waits of={of} permit={permit} isNow={isNow} />
            ) : (
              <Filled text={currentMessages().process.locks.holds}>
                <a href={locksOf(permit.key)}>{permit.key}</a>
                <Time at={permit.heldSince} />
              </Filled>
            )}
          </li>
        ))}
      </ul>
    </Side>
  );
}

function Waits({ of, permit: { src, key, since }, isNow }: Omit<LocksProps, 'permits'> & { permit: Permit }) {
  const { data } = useLive<{ readonly items: readonly PermitQueueView[] }>(
    isNow ? `/v1/locks?key=${encodeURIComponent(key)}` : undefined,
  );
  const queue = data?.items.find((each) => each.src === src);
  const words = currentMessages().process.locks;
  const before = queue?.waiting.findIndex(({ process }) => process === of) ?? -1;
  return (
    <>
      <Filled text={words.waits}>
        <a href={locksOf(key)}>{key}</a>
        <Time at={since} />
      </Filled>
      {before > 0 && `, ${words.before(String(before))}`}
      {queue && queue.holders.length > 0 && (
        <p class="soft">
          {words.heldBy}{' '}
          {queue.holders.map(({ process }, index) => (
            <>
              {index > 0 && ', '}
              <a href={`/process/${encodeURIComponent(process)}`}>{process}</a>
            </>
          ))}
        </p>
      )}
    </>
  );
}
