// The batches that run or have run, and one of them with what has become of each process.
import { useEffect, useState } from 'preact/hooks';
import { t } from '../../../shared/texts/text.ts';
import type { BatchView, BulkOutcome } from '../../processes/processes-view.ts';
import { type RequestError, requestErrorOf } from '../api.ts';
import { Table } from '../parts/frames.tsx';
import { NotYet, RefusalNote } from '../parts/refusal-note.tsx';
import { Time } from '../parts/time.tsx';
import { useLive } from '../shell/live.ts';
import type { ViewProps } from '../shell/view.ts';
import { actedOn, BatchControls, BatchProgress, formatProgress } from './batch-progress.tsx';
import { Outcomes } from './bulk-outcomes.tsx';
import { titleOfCommand } from './bulk-verbs.ts';
import { followOutcomes } from './follow-batch.ts';
import { UndoBatch } from './undo-batch.tsx';

const pathOf = (id: string): string => `/batches/${encodeURIComponent(id)}`;

/** Like "Extend the next deadline of 300 processes". */
export function titleOf({ command, id, status }: BatchView): string {
  if (command === 'migrate') return id;
  return t`${titleOfCommand(command)} ${status?.total ?? ''} cases`;
}

export function Batches() {
  const { data, refusal } = useLive<{ readonly batches: readonly BatchView[] }>('/v1/batches');
  return (
    <>
      <h1>{t`Batches`}</h1>
      {!data && <NotYet refusal={refusal} />}
      {data?.batches.length === 0 && <p>{t`Nothing has been done for many yet. Choose some in the list.`}</p>}
      {data && data.batches.length > 0 && (
        <Table head={[t`What`, t`Who, and why`, t`Since`, t`Progress`]}>
          {data.batches.map((batch) => (
            <tr key={batch.id} data-batch={batch.id}>
              <th scope="row">
                <a href={pathOf(batch.id)}>{titleOf(batch)}</a>
              </th>
              <td>
                <Who batch={batch} />
              </td>
              <td>
                <Time at={batch.startedAt} />
              </td>
              <td>{formatProgress(batch)}</td>
            </tr>
          ))}
        </Table>
      )}
    </>
  );
}

const Who = ({ batch: { by, onBehalfOf, why } }: { readonly batch: BatchView }) => (
  <>
    {onBehalfOf ?? by} {why && <q class="soft">{why}</q>}
  </>
);

export function Batch({ params: { id = '' }, user }: ViewProps) {
  const { data: batch, refusal } = useLive<BatchView>(`/v1/batches/${encodeURIComponent(id)}`);
  const ended = batch?.closedAt ?? null;
  const { outcomes, refusal: unread } = useOutcomes(id, `${ended} ${batch?.status?.done}`, ended !== null);
  if (!batch) return <NotYet refusal={refusal} />;
  return (
    <>
      <h1>{titleOf(batch)}</h1>
      <p>
        <Who batch={batch} />, <Time at={batch.startedAt} />
      </p>
      <BatchProgress batch={batch} outcomes={outcomes} />
      {batch.undoes && (
        <p>
          <a href={pathOf(batch.undoes)}>{t`What it takes back`}</a>
        </p>
      )}
      {batch.undoneBy && (
        <p>
          {t`It has been taken back:`} <a href={pathOf(batch.undoneBy)}>{t`what became of that`}</a>
        </p>
      )}
      {user.roles.includes('decide') && (
        <div class="row">
          <BatchControls batch={batch} done={() => undefined} />
          <UndoBatch batch={batch} pathOf={pathOf} />
        </div>
      )}
      {unread && <RefusalNote refusal={unread} />}
      <Outcomes outcomes={outcomes} total={actedOn(batch)} isHarm={false} />
      <p>
        <a href="/batches">{t`All batches`}</a>
      </p>
    </>
  );
}

/** At the end of the batch. */
function useOutcomes(id: string, of: string, isEnded: boolean) {
  const [outcomes, setOutcomes] = useState<readonly BulkOutcome[]>([]);
  const [refusal, setRefusal] = useState<RequestError>();
  useEffect(() => {
    if (!isEnded) return undefined;
    let isGone = false;
    followOutcomes(id, { isGone: () => isGone, look: setOutcomes }).catch(
      (error) => isGone || setRefusal(requestErrorOf(error)),
    );
    return () => {
      isGone = true;
    };
  }, [id, of, isEnded]);
  return { outcomes, refusal };
}

/** Above the list of processes: those that run, and those that can be taken back still. */
export function RunningBatches() {
  const { data } = useLive<{ readonly batches: readonly BatchView[] }>('/v1/batches');
  const batches = (data?.batches ?? []).filter(
    ({ closedAt, undoUntil }) => closedAt === null || undoUntil !== null,
  );
  if (batches.length === 0) return null;
  return (
    <ul class="plain" aria-label={t`Batches that run, or can be taken back`}>
      {batches.map((batch) => (
        <li key={batch.id}>
          <a href={pathOf(batch.id)}>{titleOf(batch)}</a>{' '}
          <span class="soft">
            {formatProgress(batch)}
            {batch.undoUntil && (
              <>
                {'; '}
                {t`can be taken back until`} <Time at={batch.undoUntil} />
              </>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}
