// The locks and rate limits of flow files: who holds each, who waits in which order, and since when.
import type { PermitQueueView } from '../../process/process-view.ts';
import { Filled } from '../parts/filled.tsx';
import { Table } from '../parts/frames.tsx';
import { NotYet } from '../parts/refusal-note.tsx';
import { Time } from '../parts/time.tsx';
import { useLive } from '../shell/live.ts';
import { common, currentMessages } from '../shell/locale.ts';
import type { ViewProps } from '../shell/view.ts';

export function LockList({ search }: ViewProps) {
  const key = search.get('key');
  const { data, refusal } = useLive<{ readonly items: readonly PermitQueueView[] }>(
    key === null ? '/v1/locks' : `/v1/locks?key=${encodeURIComponent(key)}`,
  );
  const words = currentMessages().list.locks;
  return (
    <>
      <h1>{key === null ? common().locks : key}</h1>
      {key !== null && (
        <p>
          <a href="/locks">{words.all}</a>
        </p>
      )}
      {!data && <NotYet refusal={refusal} words={words.asking} />}
      {data?.items.length === 0 && <p class="soft">{key === null ? words.none : words.noneOf(key)}</p>}
      {data && data.items.length > 0 && (
        <Table head={[common().key, words.kind, words.heldBy, words.waiting]}>
          {data.items.map((queue) => (
            <Row key={`${queue.src} ${queue.key}`} queue={queue} isAlone={key !== null} />
          ))}
        </Table>
      )}
    </>
  );
}

// In the list of all locks; that of one has all that the queue says.
const SHOWN = 3;

function Row({ queue, isAlone }: { readonly queue: PermitQueueView; readonly isAlone: boolean }) {
  const { src, key, holders, given = 0, waiting, waitingCount } = queue;
  const shown = isAlone ? waiting : waiting.slice(0, SHOWN);
  const more = waitingCount - shown.length;
  const words = currentMessages().list.locks;
  return (
    <tr>
      <th scope="row">{isAlone ? key : <a href={locksOf(key)}>{key}</a>}</th>
      <td>{src === 'rate' ? words.rate : words.lock}</td>
      <td>{src === 'rate' ? words.given(String(given)) : <Places of={holders} />}</td>
      <td>
        <Places of={shown} />
        {more > 0 && <p class="soft">{words.more(String(more))}</p>}
      </td>
    </tr>
  );
}

function Places({ of }: { readonly of: PermitQueueView['holders'] }) {
  if (of.length === 0) return <>–</>;
  return (
    <ol class="plain">
      {of.map(({ process, invoke, since }) => (
        <li key={`${process} ${invoke}`}>
          <a href={`/process/${encodeURIComponent(process)}`}>{process}</a>{' '}
          <span class="soft">
            <Filled text={common().since}>
              <Time at={since} />
            </Filled>
          </span>
        </li>
      ))}
    </ol>
  );
}

/** Where a lock is shown by itself. */
export const locksOf = (key: string): string => `/locks?${new URLSearchParams({ key })}`;
