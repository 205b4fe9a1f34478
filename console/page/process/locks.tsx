// The locks and rate limits of a process: what it holds, and whose turn comes before its own.
import type { PermitQueueView, Shown } from '../../process/process-view.ts';
import { Side } from '../parts/side.tsx';
import { Time } from '../parts/time.tsx';
import { useLive } from '../shell/live.ts';

type Permit = NonNullable<Extract<Shown, { readonly permits?: unknown }>['permits']>[number];

export interface LocksProps {
  /** The key of the process. */
  readonly of: string;
  readonly permits: readonly Permit[];
  /** As it stands, and not as it stood after one of its steps. */
  readonly isNow: boolean;
}

export function Locks({ of, permits, isNow }: LocksProps) {
  if (permits.length === 0) return null;
  return (
    <Side title="Locks and rate limits">
      <ul>
        {permits.map((permit) => (
          <li key={permit.id}>
            {permit.heldSince === null ? (
              <Waits of={of} permit={permit} isNow={isNow} />
            ) : (
              <>
                holds {permit.key} since <Time at={permit.heldSince} />
              </>
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
  const before = queue?.waiting.findIndex(({ process }) => process === of) ?? -1;
  return (
    <>
      waits for {key} since <Time at={since} />
      {before > 0 && `, ${before} before it`}
      {queue && queue.holders.length > 0 && (
        <p class="soft">
          held by{' '}
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
