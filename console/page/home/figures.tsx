// How much waits, as numbers that lead to it.

import { t } from '../../../shared/texts/text.ts';
import type { ProcessCounts, WorkView } from '../../processes/processes-view.ts';
import type { QueryResult } from '../api.ts';
import { iconOf, type State } from '../parts/badge.tsx';
import { inFigures } from '../parts/format.ts';
import { Icon } from '../parts/icon.tsx';
import type { ViewProps } from '../shell/view.ts';
import { questionsOf } from './questions-of.ts';

interface FiguresProps extends Pick<ViewProps, 'user'> {
  readonly counts: QueryResult<ProcessCounts>;
  readonly work: QueryResult<WorkView>;
}

export function Figures({ user, counts, work }: FiguresProps) {
  const { data } = counts;
  const failed = counts.refusal !== undefined;
  const { isOwn, count } = questionsOf(user);
  return (
    <nav class="card flush figures" aria-label={t`What waits`}>
      <Figure
        of={[t`needs us`, t`need us`]}
        count={data?.needsUs}
        isUnread={failed}
        to="/processes?needsUs=true"
        state="fault"
      />
      <Figure
        of={[t`is late`, t`are late`]}
        count={data?.overdue}
        isUnread={failed}
        to="/processes?phase=Overdue"
        state="late"
      />
      <Figure
        of={[t`failed`, t`failed`]}
        count={data?.failed}
        isUnread={failed}
        to="/processes?state=failed"
        state="fault"
      />
      <Figure
        of={isOwn ? [t`question for you`, t`questions for you`] : [t`question`, t`questions`]}
        count={work.data && count(work.data)}
        isUnread={work.refusal !== undefined}
        to="/inbox?only=question"
      />
    </nav>
  );
}

interface FigureProps {
  /** The words for one, and for several. */
  readonly of: readonly [string, string];
  /** Undefined: not known yet. */
  readonly count: number | undefined;
  readonly isUnread: boolean;
  readonly to: string;
  /** The state of what is counted, if there is any. */
  readonly state?: State;
}

export function Figure({ of, count, isUnread, to, state }: FigureProps) {
  const isNew = count !== undefined && !isUnread;
  const icon = isNew && count > 0 ? iconOf(state) : undefined;
  return (
    <a href={to} class={icon ? `is-${state}` : undefined}>
      <b class="tone">
        {icon && <Icon name={icon} />} {count === undefined ? '–' : inFigures(count)}
      </b>{' '}
      {of[count === 1 ? 0 : 1]}
      {isUnread && (
        <span class="is-offline tone unread">
          {t`could not be read`}
          {count !== undefined && t` now`}
        </span>
      )}
    </a>
  );
}
