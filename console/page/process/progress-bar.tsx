// The stages of a process, in one line: what is over, where it is, what is to come, and where it got no further.

import { t } from '../../../shared/texts/text.ts';
import type { ProgressBar, Stage } from '../../process/overview/overview-view.ts';
import { Time } from '../parts/time.tsx';
import { Until } from './answers.tsx';

interface StageBarProps {
  readonly progressBar: ProgressBar;
  /** Nothing counts down behind the end. */
  readonly isCounting: boolean;
  readonly clockAheadMs: number;
}

export function StageBar({ progressBar, ...props }: StageBarProps) {
  if (progressBar.length === 0) return null;
  return (
    <section class="stages" aria-label={t`Stages`}>
      {progressBar.map(({ title, stages }, lane) => (
        <div key={`${title} ${lane}`} class="lane" style={{ '--stages': stages.length }}>
          {title && <h3>{title}</h3>}
          <ol class="progress plain">
            {stages.map((stage, index) => (
              <StageItem key={`${stage.title} ${index}`} stage={stage} {...props} />
            ))}
          </ol>
        </div>
      ))}
    </section>
  );
}

const statusTexts = { past: t`over`, present: t`now`, future: t`to come`, failed: t`failed` };

function StageItem({
  stage,
  isCounting,
  clockAheadMs,
}: Omit<StageBarProps, 'progressBar'> & { stage: Stage }) {
  const { title, status, since, until, isOverdue } = stage;
  const isPresent = status === 'present';
  return (
    <li class={[status, ...stateOf(stage)].join(' ')} aria-current={isPresent ? 'step' : undefined}>
      {title}
      {/* Not by colour alone. */}
      <span class="unseen">: {statusTexts[status]}</span>
      {isPresent && until && isCounting ? (
        <small>
          <Until at={until} isOverdue={isOverdue} aheadMs={clockAheadMs} />
        </small>
      ) : (
        since &&
        status !== 'future' && (
          <small>
            {isPresent && t`since `}
            <Time at={since} />
          </small>
        )
      )}
    </li>
  );
}

function stateOf({ status, isOverdue }: Stage): readonly string[] {
  if (status === 'failed') return ['is-fault'];
  return isOverdue && status === 'present' ? ['is-late'] : [];
}
