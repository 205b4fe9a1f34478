// The cases of a person or of an item: those that are open, with the codes of their lockers on request, and those before.

import { t } from '../../../shared/texts/text.ts';
import type { ProcessPage, ProcessRow } from '../../processes/processes-view.ts';
import { MessageButton } from '../outreach/message-button.tsx';
import { inFigures } from '../parts/format.ts';
import { NotYet } from '../parts/refusal-note.tsx';
import { ProcessTable } from '../processes/process-table.tsx';
import { useLive } from '../shell/live.ts';
import { useReach } from '../shell/reach.ts';
import { Codes } from '../walls/locker-access.tsx';

interface CasesOfProps {
  /** Parameters of the list. */
  readonly wanted: Readonly<Record<string, string>>;
}

const pathOf = (wanted: CasesOfProps['wanted'], more: Readonly<Record<string, string>>) =>
  `/v1/processes?${new URLSearchParams({ ...wanted, ...more, size: '50' })}`;

interface OpenCasesProps extends CasesOfProps {
  readonly codes?: boolean;
  /** The person to whom a message about one of them may be sent. */
  readonly messagesTo?: string;
}

export function OpenCases({ wanted, codes = false, messagesTo }: OpenCasesProps) {
  const open = useLive<ProcessPage>(pathOf(wanted, { state: 'open', sort: 'due' }));
  return (
    <>
      <Cases title={t`Open`} none={t`No case is open.`} {...open} wanted={wanted} />
      {codes && open.data && <CodesOf rows={open.data.items} />}
      {messagesTo && open.data && <MessagesTo userUid={messagesTo} rows={open.data.items} />}
    </>
  );
}

export function EndedCases({ wanted }: CasesOfProps) {
  const ended = useLive<ProcessPage>(pathOf(wanted, { state: 'closed' }));
  return (
    <Cases
      title={t`Before`}
      none={t`No case has ended.`}
      {...ended}
      wanted={{ ...wanted, state: 'closed' }}
    />
  );
}

interface CasesProps extends CasesOfProps {
  readonly title: string;
  readonly none: string;
  readonly data: ProcessPage | undefined;
  readonly refusal: Parameters<typeof NotYet>[0]['refusal'];
}

function Cases({ title, none, data, refusal, wanted }: CasesProps) {
  return (
    <section aria-label={title}>
      <h2>
        {title}
        {data && `, ${inFigures(data.count)}`}
      </h2>
      {!data && <NotYet refusal={refusal} />}
      {data?.count === 0 && <p>{none}</p>}
      {data && data.items.length > 0 && <ProcessTable rows={data.items} />}
      {data?.next && (
        <a href={`/processes?${new URLSearchParams(wanted)}`}>{t`All ${inFigures(data.count)}`}</a>
      )}
    </section>
  );
}

/** A message is about a case, and stands in its timeline. */
function MessagesTo({ userUid, rows }: { readonly userUid: string; readonly rows: readonly ProcessRow[] }) {
  const { message } = useReach();
  const theirs = rows.filter(({ about }) => about?.people.some((each) => each.userUid === userUid));
  if (!message || theirs.length === 0) return null;
  return (
    <section class="card" aria-label={t`Messages`}>
      <h2>{t`Messages`}</h2>
      <ul class="plain">
        {theirs.map(({ key, about }) => (
          <li key={key} class="row">
            <span>
              {t`About`} {about?.item ?? key}
            </span>
            <MessageButton processKey={key} to={userUid} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Shown only when they are asked for: each time is in the log. */
function CodesOf({ rows }: { readonly rows: readonly ProcessRow[] }) {
  const withLocker = rows.filter(({ summary }) => summary?.states.some(isInUse));
  if (withLocker.length === 0) return null;
  return (
    <section class="card" aria-label={t`Codes`}>
      <h2>{t`Codes`}</h2>
      <ul class="plain">
        {withLocker.flatMap(({ key, about, summary }) =>
          (summary?.states ?? []).filter(isInUse).map(({ shipmentUid, words }) => (
            <li key={shipmentUid} class="row">
              <span>
                {about?.item ?? key}: {words}
              </span>
              {shipmentUid && <Codes shipmentUid={shipmentUid} />}
            </li>
          )),
        )}
      </ul>
    </section>
  );
}

type Leg = NonNullable<ProcessRow['summary']>['states'][number];

const isInUse = ({ shipmentUid, lockerName, isDone }: Leg): boolean =>
  shipmentUid !== null && lockerName !== null && !isDone;
