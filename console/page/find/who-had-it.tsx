// Who had an item, and from when to when: its cases, the newest first.

import { t } from '../../../shared/texts/text.ts';
import type { ProcessPage, ProcessRow } from '../../processes/processes-view.ts';
import { inFigures } from '../parts/format.ts';
import { Table } from '../parts/frames.tsx';
import { NotYet } from '../parts/refusal-note.tsx';
import { Time } from '../parts/time.tsx';
import { End } from '../processes/process-row.tsx';
import { useLive } from '../shell/live.ts';

export function WhoHadIt({ reference }: { readonly reference: string }) {
  const wanted = { item: reference, state: 'all' };
  const read = new URLSearchParams({ ...wanted, size: '50' });
  const { data, refusal } = useLive<ProcessPage>(`/v1/processes?${read}`);
  return (
    <section aria-label={t`Who had it`}>
      <h2>
        {t`Who had it`}
        {data && `, ${inFigures(data.count)}`}
      </h2>
      {!data && <NotYet refusal={refusal} />}
      {data?.count === 0 && <p>{t`No case has been about it.`}</p>}
      {data && data.items.length > 0 && (
        <Table head={[t`For`, t`From`, t`Until`, t`How it ended`, t`Case`]}>
          {data.items.map((row) => (
            <Row key={row.runId} row={row} />
          ))}
        </Table>
      )}
      {data?.next && (
        <a href={`/processes?${new URLSearchParams(wanted)}`}>{t`All ${inFigures(data.count)}`}</a>
      )}
    </section>
  );
}

function Row({ row }: { readonly row: ProcessRow }) {
  const { key, flowName, about, startedAt, closedAt, phase } = row;
  return (
    <tr>
      <th scope="row">{about ? <People people={about.people} /> : '–'}</th>
      <td>
        <Time at={startedAt} />
      </td>
      <td>{closedAt === null ? t`now` : <Time at={closedAt} />}</td>
      <td>{phase === null ? <End row={row} /> : t`open`}</td>
      <td>
        <a href={`/process/${encodeURIComponent(key)}`}>{key}</a> · {flowName}
      </td>
    </tr>
  );
}

type About = NonNullable<ProcessRow['about']>;

const People = ({ people }: Pick<About, 'people'>) =>
  people.length === 0
    ? '–'
    : people.map(({ userUid, name }, index) => (
        <span key={userUid}>
          {index > 0 && ', '}
          <a href={`/people/${encodeURIComponent(userUid)}`}>{name ?? userUid}</a>
        </span>
      ));
