// A look at one process beside the list, without leaving it.
import type { ProcessPreview, ProcessRow } from '../../processes/processes-view.ts';
import { Button } from '../parts/button.tsx';
import { Fact } from '../parts/frames.tsx';
import { RefusalNote } from '../parts/refusal-note.tsx';
import { Ago, InWords, Time } from '../parts/time.tsx';
import { useLive } from '../shell/live.ts';
import { common, currentMessages, inOwnWords } from '../shell/locale.ts';
import { usePickUpPointNames } from '../shell/pick-up-points.ts';
import { PhasePill } from './process-table.tsx';

interface PeekProps {
  readonly row: ProcessRow;
  readonly close: () => void;
}

export function Peek({ row, close }: PeekProps) {
  const { key, flowName, summary, caseNo, pickUpPoint, parent, startedAt, closedAt } = row;
  const { data, refusal } = useLive<ProcessPreview>(`/v1/processes/${encodeURIComponent(key)}`);
  const names = usePickUpPointNames();
  const awaits = data?.progress?.awaits ?? [];
  const all = currentMessages().list;
  const words = all.peek;
  return (
    <aside class="card peek" aria-label={words.title(key)}>
      <header class="row between">
        <h2>
          <a href={`/process/${encodeURIComponent(key)}`}>{key}</a>
        </h2>
        <Button press={close} title={words.closeEsc}>
          {currentMessages().shell.close}
        </Button>
      </header>
      <p>
        {flowName} <PhasePill row={row} />
      </p>
      {data?.failure && (
        <p class="refusal">
          <InWords text={data.failure.message} />
        </p>
      )}
      {summary && (
        <ul class="states">
          {summary.states.map((each) => (
            <li key={each.words} class={each.isDone ? 'soft' : undefined}>
              {inOwnWords(each.words)}
            </li>
          ))}
        </ul>
      )}
      {awaits.length > 0 && (
        <>
          <h3>{common().next}</h3>
          <ul>
            {awaits.map(({ words: awaited, until }) => (
              <li key={awaited}>
                <InWords text={awaited} />
                {until && summary && (
                  <span class="soft">
                    {' '}
                    · <Ago at={until} aheadMs={summary.clockAheadMs} />
                  </span>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
      <dl class="facts">
        <Fact label={words.deadline}>
          {summary?.until && (
            <>
              <Time at={summary.until} /> (<Ago at={summary.until} aheadMs={summary.clockAheadMs} />)
            </>
          )}
        </Fact>
        <Fact label={common().point}>
          {pickUpPoint && (
            <a href={`/walls/${encodeURIComponent(pickUpPoint)}`}>{names.get(pickUpPoint) ?? pickUpPoint}</a>
          )}
        </Fact>
        <Fact label={words.case}>{caseNo}</Fact>
        <Fact label={words.partOf}>
          {parent && <a href={`/process/${encodeURIComponent(parent)}`}>{parent}</a>}
        </Fact>
        <Fact label={all.started}>
          <Time at={startedAt} />
        </Fact>
        <Fact label={all.ended}>{closedAt && <Time at={closedAt} />}</Fact>
      </dl>
      {refusal && <RefusalNote refusal={refusal} />}
      <p>
        <a class="button main" href={`/process/${encodeURIComponent(key)}`}>
          {common().open}
        </a>
      </p>
    </aside>
  );
}
