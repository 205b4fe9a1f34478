// The two answers to what everybody asks first: where the item is, and what is next and by when.
import type { ComponentChildren } from 'preact';
import { t } from '../../../shared/texts/text.ts';
import type { PersonShown, ProcessOverview } from '../../process/overview/overview-view.ts';
import type { ProcessDetails } from '../../process/process-view.ts';
import { Icon } from '../parts/icon.tsx';
import { Ago, Late, TextWithTimes, Time } from '../parts/time.tsx';
import { usePickUpPointNames } from '../shell/pick-up-points.ts';
import { Name } from './process-head.tsx';

interface AnswersProps {
  readonly process: ProcessDetails;
  /** Null: it is not known, or not for this person. */
  readonly holder: PersonShown | null;
  /** What a person may do. */
  readonly children: ComponentChildren;
}

export function Answers({ process, holder, children }: AnswersProps) {
  const { overview, clockAheadMs, closedAt } = process;
  const { where, itemNow, movedTo, next, status } = overview;
  return (
    <div class="answers">
      <div>
        <h2>{titleOf(process)}</h2>
        {movedTo === null ? (
          <Places
            where={where}
            isKnown={process.progress !== null}
            hasLocker={hasLocker(process)}
            hasEnded={closedAt !== null && itemNow === null}
            holder={holder}
          />
        ) : (
          <p class="big">
            {t`Moved to`} <a href={`/process/${encodeURIComponent(movedTo)}`}>{movedTo}</a>
          </p>
        )}
        {itemNow && (
          <p>
            {closedAt === null && t`by `}
            <a href={`/process/${encodeURIComponent(itemNow)}`}>{itemNow}</a>
            {closedAt !== null && t` has it now`}
          </p>
        )}
      </div>
      {closedAt && next.length === 0 ? (
        <div>
          <h2>{t`How it ended`}</h2>
          <p class="big">{status.words}</p>
          <p class="soft">
            <Time at={closedAt} /> (<Ago at={closedAt} />)
          </p>
        </div>
      ) : (
        <div>
          <h2>{t`What happens next`}</h2>
          {next.length === 0 && <p class="soft">{t`Not known now`}</p>}
          {next.length > 0 && <Next next={next} clockAheadMs={clockAheadMs} />}
        </div>
      )}
      <div class="row answers-actions">{children}</div>
    </div>
  );
}

/** Until it books one, it has none; what it has started may have one, and cannot always be read. */
const hasLocker = ({ progress, children, overview }: ProcessDetails): boolean =>
  (progress?.bookings.length ?? 0) > 0 || children.length > 0 || overview.unread.length > 0;

function titleOf(process: ProcessDetails): string {
  const { closedAt, parts } = process;
  if (closedAt && hasLocker(process)) return t`What became of the item`;
  return parts.length > 0 ? t`How far it is` : t`Where the item is`;
}

interface PlacesProps extends Pick<ProcessOverview, 'where'> {
  readonly isKnown: boolean;
  readonly hasLocker: boolean;
  readonly hasEnded: boolean;
  readonly holder: PersonShown | null;
}

function Places({ where, isKnown, hasLocker: hasOne, hasEnded, holder }: PlacesProps) {
  if (where.length === 0 && !isKnown) return <p class="is-offline tone">{t`Could not be read`}</p>;
  if (where.length === 0 && !hasOne) return <p class="soft">{t`This case has no locker`}</p>;
  if (where.length === 0)
    return <p class="soft">{hasEnded ? t`In none of its lockers` : t`In no locker of this case`}</p>;
  return (
    <>
      {where.map(({ words, pupUid, isWithPerson, booked }, index) => (
        <p key={words} class={index === 0 ? 'big' : undefined}>
          {isWithPerson && holder ? (
            <>
              {hasEnded ? t`Still out, with` : t`With`} <Name {...holder} />
              {booked && (
                <>
                  ; <Where words={booked} pupUid={pupUid} />
                </>
              )}
            </>
          ) : (
            <Where words={words} pupUid={pupUid} />
          )}
        </p>
      ))}
    </>
  );
}

export const Where = ({ words, pupUid }: ProcessOverview['where'][number]) => (
  <span>
    <TextWithTimes text={words} />
    {pupUid && (
      <>
        , <PickUpPoint pupUid={pupUid} />
      </>
    )}
  </span>
);

// Nobody can read one.
const IS_UUID = /[\da-f]{8}-[\da-f]{4}-/;

export function PickUpPoint({ pupUid }: { readonly pupUid: string }) {
  const names = usePickUpPointNames();
  return (
    <a href={`/walls/${encodeURIComponent(pupUid)}`}>
      {names.get(pupUid) ?? (IS_UUID.test(pupUid) ? t`the pick up point` : pupUid)}
    </a>
  );
}

const Next = ({
  next,
  clockAheadMs,
}: Pick<ProcessOverview, 'next'> & Pick<ProcessDetails, 'clockAheadMs'>) => (
  <ul class="plain">
    {next.map(({ code, words, until, isOverdue }, index) => (
      <li key={words}>
        <p class={index === 0 ? 'big' : undefined}>
          <TextWithTimes text={words} />
        </p>
        {until && isOverdue && (
          <p class="is-late tone">
            <Icon name="clock" /> <Late since={until} aheadMs={clockAheadMs} />, {t`since`}{' '}
            <Time at={until} aheadMs={clockAheadMs} />
          </p>
        )}
        {until && !isOverdue && (
          <p class="soft">
            <Until at={until} isMoment={code === 'Time'} aheadMs={clockAheadMs} />
          </p>
        )}
      </li>
    ))}
  </ul>
);

interface UntilProps {
  readonly at: string;
  readonly isOverdue?: boolean;
  /** It happens then, and not before. */
  readonly isMoment?: boolean;
  readonly aheadMs: number;
}

const HOUR_MS = 3_600_000;

/** An end: with the days until it, or with the hours of one that is near. */
export function Until({ at, isOverdue = false, isMoment = false, aheadMs }: UntilProps) {
  const isNear = Math.abs(Date.parse(at) - aheadMs - Date.now()) < 24 * HOUR_MS;
  return (
    <>
      {isOverdue ? t`overdue since` : !isMoment && t`until`}{' '}
      <Time at={at} withDays={!isNear} aheadMs={aheadMs} />
      {isNear && (
        <>
          {' '}
          (<Ago at={at} aheadMs={aheadMs} />)
        </>
      )}
    </>
  );
}
