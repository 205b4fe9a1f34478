// The stages of a process: what is over, where it is, what is to come, and where it got no further.
import type { Stage, Track } from '../../process/glance/glance-view.ts';
import { Time } from '../parts/time.tsx';
import { Until } from './process-head.tsx';

interface StageTrackProps {
  readonly track: Track;
  /** Nothing counts down behind the end. */
  readonly isCounting: boolean;
  readonly clockAheadMs: number;
}

export function StageTrack({ track, ...props }: StageTrackProps) {
  if (track.length === 0) return null;
  return (
    <section class="card tracks" aria-label="Stages">
      {track.map(({ title, stages }, lane) => (
        <div key={`${title} ${lane}`} class="lane">
          {title && <h2>{title}</h2>}
          <ol class="track plain">
            {stages.map((stage, index) => (
              <StageItem key={`${stage.title} ${index}`} stage={stage} {...props} />
            ))}
          </ol>
        </div>
      ))}
    </section>
  );
}

const statusTexts = { past: 'over', present: 'now', future: 'to come', failed: 'failed' };

function StageItem({ stage, isCounting, clockAheadMs }: Omit<StageTrackProps, 'track'> & { stage: Stage }) {
  const { title, status, since, until, isOverdue } = stage;
  const isPresent = status === 'present';
  return (
    <li
      class={isOverdue && isPresent ? `${status} overdue` : status}
      aria-current={isPresent ? 'step' : undefined}
    >
      <strong>{title}</strong>
      {/* Not by colour alone. */}
      <span class="unseen">: {statusTexts[status]}</span>
      {since && status !== 'future' && (
        <p class="soft">
          {isPresent && 'since '}
          <Time at={since} />
        </p>
      )}
      {isPresent && until && isCounting && (
        <p class="soft until">
          <Until at={until} isOverdue={isOverdue} aheadMs={clockAheadMs} />
        </p>
      )}
    </li>
  );
}
