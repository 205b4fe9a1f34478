// The chart that a process runs, for who wants to see it: first with the states that matter now, on request whole.
import { useMemo } from 'preact/hooks';
import type { ChartDrawing, ProcessDetails, ProcessStep, StatePath } from '../../process/process-view.ts';
import { Button } from '../parts/button.tsx';
import { addressWith, goTo } from '../shell/address.ts';
import { useJson } from '../shell/api.ts';
import { useKeys } from '../shell/keys.ts';
import { common, currentMessages } from '../shell/locale.ts';
import { Chart, type Marks } from './chart.tsx';
import { leavesOf } from './marks.ts';

export interface MachineProps {
  readonly path: string;
  readonly process: Pick<ProcessDetails, 'flow' | 'chartId'>;
  /** Undefined: now. */
  readonly step: ProcessStep | undefined;
  readonly active: readonly StatePath[];
  readonly marks: Marks;
  readonly search: URLSearchParams;
}

export function Machine({ path, process, step, active, marks, search }: MachineProps) {
  const shown = search.get('machine');
  const isWhole = shown === 'whole';
  const chart = useChart(path, shown === null ? null : process.chartId, { step, active, isWhole });
  const show = (how: string | null) => goTo(addressWith(search, { machine: how }), { replace: true });
  const words = currentMessages().process.machine;
  const keys = useMemo(
    () => [{ key: 'm', words: words.key, run: () => show(shown === null ? 'open' : null) }],
    [shown, search],
  );
  useKeys(keys);
  if (process.chartId === null) return null;
  return (
    <section class="machine" aria-label={words.title}>
      <p class="row">
        <Button
          press={() => show(shown === null ? 'open' : null)}
          title={currentMessages().process.happened.pressKey('m')}
        >
          {shown === null ? common().showMachine : words.hide}
        </Button>
        {shown !== null && (
          <Button press={() => show(isWhole ? 'open' : 'whole')}>{isWhole ? words.part : words.whole}</Button>
        )}
      </p>
      {chart && (
        <Chart
          drawing={chart}
          marks={marks}
          title={words.chart}
          label={chartWords(process.flow, active, step)}
          isFitted={!isWhole}
        />
      )}
    </section>
  );
}

function chartWords(flow: string, active: readonly string[], step: ProcessStep | undefined): string {
  const { isIn, wasIn, beginning } = currentMessages().process.machine;
  return (step ? wasIn : isIn)(flow, leavesOf(active).join(', ') || beginning);
}

interface ChartOptions extends Pick<MachineProps, 'step' | 'active'> {
  readonly isWhole: boolean;
}

/** Before a migration the process had another one, and without the inner states it depends on where the process is. */
function useChart(
  path: string,
  now: string | null,
  { step, active, isWhole }: ChartOptions,
): ChartDrawing | undefined {
  const isOther = step !== undefined && (step.chartId !== now || !isWhole);
  const of = step ? `${path}/steps/${step.number}/drawing` : `${path}/drawing`;
  const { data: former } = useJson<ChartDrawing>(
    isOther && now !== null ? `${of}?whole=${isWhole}` : undefined,
  );
  const { data } = useJson<ChartDrawing>(
    now === null || isOther ? undefined : `${path}/drawing?whole=${isWhole}`,
    isWhole ? now : `${now} ${active.join(' ')}`,
  );
  return isOther ? former : data;
}
