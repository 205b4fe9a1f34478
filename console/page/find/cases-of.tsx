// The cases of a person or of an item: those that are open, with the codes of their lockers on request, those that have failed and that
// nobody has seen to, and those before.

import { t } from '../../../shared/texts/text.ts';
import type { PersonView } from '../../find/person-view.ts';
import type { ProcessPage, ProcessRow } from '../../processes/processes-view.ts';
import { MessageButton } from '../outreach/message-button.tsx';
import { inFigures } from '../parts/format.ts';
import { NotYet } from '../parts/refusal-note.tsx';
import { PickUpPoint } from '../process/answers.tsx';
import { caseRows } from '../processes/case-rows.ts';
import { countCases } from '../processes/format-found.ts';
import { ProcessTable } from '../processes/process-table.tsx';
import { useLive } from '../shell/live.ts';
import { useReach } from '../shell/reach.ts';
import { Codes } from '../walls/locker-access.tsx';
import { WithoutCase } from './without-case.tsx';

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
  /** What the locker service has of them: what none of the cases has stands beside these. */
  readonly shipments?: PersonView['shipments'];
}

export function OpenCases({ wanted, codes = false, messagesTo, shipments = [] }: OpenCasesProps) {
  const open = useLive<ProcessPage>(pathOf(wanted, { state: 'open', sort: 'due' }));
  return (
    <>
      <Cases title={t`Open`} none={t`No case is open.`} {...open} wanted={wanted} />
      {open.data?.next === null && <WithoutCase shipments={shipments} rows={open.data.items} />}
      {codes && open.data && <CodesOf rows={open.data.items} />}
      {messagesTo && open.data && <MessagesTo userUid={messagesTo} rows={open.data.items} />}
    </>
  );
}

/** What has failed and was not started again: somebody must see to it, so it is not over. */
export function FailedCases({ wanted }: CasesOfProps) {
  const failed = useFailed(wanted);
  if (failed.data?.count === 0 || (!failed.data && !failed.refusal)) return null;
  return <Cases title={t`Failed`} none="" {...failed} wanted={{ ...wanted, state: 'failed' }} />;
}

export function EndedCases({ wanted }: CasesOfProps) {
  const ended = useLive<ProcessPage>(pathOf(wanted, { state: 'closed' }));
  const { data: failed } = useFailed(wanted);
  return (
    <Cases
      title={t`Before`}
      none={t`No case has ended.`}
      {...ended}
      data={ended.data && failed && without(ended.data, failed)}
      wanted={{ ...wanted, state: 'closed' }}
    />
  );
}

const useFailed = (wanted: CasesOfProps['wanted']) =>
  useLive<ProcessPage>(pathOf(wanted, { state: 'failed' }));

function without(page: ProcessPage, others: ProcessPage): ProcessPage {
  const runs = new Set(others.items.map(({ runId }) => runId));
  const items = page.items.filter(({ runId }) => !runs.has(runId));
  return { ...page, items, count: Math.max(items.length, page.count - others.count) };
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
        {data && `, ${countCases(data)}`}
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

/** A message is about a case, and stands in its timeline: one for each, whatever it has started. */
function MessagesTo({ userUid, rows }: { readonly userUid: string; readonly rows: readonly ProcessRow[] }) {
  const { message } = useReach();
  const isTheirs = ({ about }: ProcessRow) => about?.people.some((each) => each.userUid === userUid) === true;
  const theirs = caseRows(rows).flatMap(({ row, parts }) => [row, ...parts].find(isTheirs) ?? []);
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
          (summary?.states ?? []).filter(isInUse).map(({ shipmentUid, pupUid, words }) => (
            <li key={shipmentUid} class="row">
              <span>
                {about?.item ?? key}: {words}
                {pupUid && (
                  <>
                    {t` at `}
                    <PickUpPoint pupUid={pupUid} />
                  </>
                )}
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
