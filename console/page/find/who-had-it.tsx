// Who had an item, and from when to when, the last first; reservations that came to nothing; and how it came into lockers and out.

import { t } from '../../../shared/texts/text.ts';
import type { ItemView } from '../../find/person-view.ts';
import type { ProcessPage, ProcessRow } from '../../processes/processes-view.ts';
import { inFigures } from '../parts/format.ts';
import { Table } from '../parts/frames.tsx';
import { NotYet } from '../parts/refusal-note.tsx';
import { Time } from '../parts/time.tsx';
import { PickUpPoint } from '../process/answers.tsx';
import { End } from '../processes/process-row.tsx';
import { useLive } from '../shell/live.ts';
import { cameToNothing } from './came-to-nothing.ts';
import { PersonLink } from './person-link.tsx';

export function WhoHadIt({ item }: { readonly item: ItemView }) {
  const { reference, holders, movements, people } = item;
  const wanted = { item: reference, state: 'all' };
  const read = new URLSearchParams({ ...wanted, size: '50' });
  const { data, refusal } = useLive<ProcessPage>(`/v1/processes?${read}`);
  const rows = data?.items ?? [];
  const nothing = cameToNothing(rows, holders, movements);
  return (
    <>
      <section aria-label={t`Who had it`}>
        <h2>{t`Who had it, ${inFigures(holders.length)}`}</h2>
        {holders.length === 0 && <p>{t`Nobody has taken it out of a locker.`}</p>}
        {holders.length > 0 && (
          <Table head={[t`Who`, t`From`, t`Until`, t`Case`]}>
            {holders.map(({ shipmentUid, userUid, from, until }) => (
              <tr key={`${shipmentUid} ${from}`}>
                <th scope="row">
                  <PersonLink userUid={userUid} people={people} />
                </th>
                <td>
                  <Time at={from} />
                </td>
                <td>{until === null ? t`now` : <Time at={until} />}</td>
                <td>
                  <CaseOf shipmentUid={shipmentUid} rows={rows} since={from} />
                </td>
              </tr>
            ))}
          </Table>
        )}
        {!data && <NotYet refusal={refusal} />}
        {data?.next && (
          <a href={`/processes?${new URLSearchParams(wanted)}`}>{t`All ${inFigures(data.count)}`}</a>
        )}
      </section>
      {nothing.length > 0 && (
        <section aria-label={t`Came to nothing`}>
          <h2>{t`Came to nothing, ${inFigures(nothing.length)}`}</h2>
          <Table head={[t`For`, t`From`, t`Until`, t`How it ended`, t`Case`]}>
            {nothing.map((row) => (
              <Nothing key={row.runId} row={row} />
            ))}
          </Table>
        </section>
      )}
      <Movements movements={movements} rows={rows} />
    </>
  );
}

/** The case that had the shipment then: stock passes from one to the next. */
function CaseOf({
  shipmentUid,
  rows,
  since,
}: {
  readonly shipmentUid: string;
  readonly rows: readonly ProcessRow[];
  readonly since: string;
}) {
  const its = rows.filter((row) => row.shipmentUids.includes(shipmentUid));
  const row = its.find(({ startedAt }) => (startedAt ?? '') <= since) ?? its[0];
  return row ? <Case row={row} /> : <>–</>;
}

const Case = ({ row: { key, flowName } }: { readonly row: ProcessRow }) => (
  <>
    <a href={`/process/${encodeURIComponent(key)}`}>{key}</a> · {flowName}
  </>
);

function Nothing({ row }: { readonly row: ProcessRow }) {
  const people = (row.about?.people ?? []).map(({ userUid, name }) => ({ userUid, name: name ?? userUid }));
  return (
    <tr>
      <th scope="row">
        {people.map(({ userUid }, index) => (
          <span key={userUid}>
            {index > 0 && ', '}
            <PersonLink userUid={userUid} people={people} />
          </span>
        ))}
      </th>
      <td>
        <Time at={row.startedAt} />
      </td>
      <td>
        <Time at={row.closedAt} />
      </td>
      <td>
        <End row={row} />
      </td>
      <td>
        <Case row={row} />
      </td>
    </tr>
  );
}

interface MovementsProps extends Pick<ItemView, 'movements'> {
  readonly rows: readonly ProcessRow[];
}

function Movements({ movements, rows }: MovementsProps) {
  if (movements.length === 0) return null;
  return (
    <section aria-label={t`Movements`}>
      <h2>{t`Movements, ${inFigures(movements.length)}`}</h2>
      <Table head={[t`What`, t`When`, t`Case`]}>
        {movements.map(({ shipmentUid, at, words, pupUid }) => (
          <tr key={`${shipmentUid} ${at} ${words}`}>
            <th scope="row">
              {words}
              {pupUid && (
                <>
                  , <PickUpPoint pupUid={pupUid} />
                </>
              )}
            </th>
            <td>
              <Time at={at} />
            </td>
            <td>
              <CaseOf shipmentUid={shipmentUid} rows={rows} since={at} />
            </td>
          </tr>
        ))}
      </Table>
    </section>
  );
}
