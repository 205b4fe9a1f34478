// The chart that a process runs, for who wants to see it.
import type { ChartDrawing, ProcessDetails, ProcessStep, StatePath } from '../../process/process-view.ts';
import { Button } from '../parts/button.tsx';
import { addressWith, goTo } from '../shell/address.ts';
import { useJson } from '../shell/api.ts';
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
  const isShown = search.has('machine');
  const chart = useChart(path, isShown ? process.chartId : null, step);
  if (process.chartId === null) return null;
  return (
    <section class="machine" aria-label="The machine">
      <p class="row">
        <Button
          press={() => goTo(addressWith(search, { machine: isShown ? null : 'open' }), { replace: true })}
        >
          {isShown ? 'Hide the machine' : 'Show the machine'}
        </Button>
      </p>
      {chart && (
        <Chart drawing={chart} marks={marks} title="Chart" label={chartWords(process.flow, active, step)} />
      )}
    </section>
  );
}

function chartWords(flow: string, active: readonly string[], step: ProcessStep | undefined): string {
  const states = leavesOf(active).join(', ') || 'its beginning';
  return `The chart of ${flow}. The process ${step ? 'was' : 'is'} in ${states}.`;
}

/** Before a migration the process had another one. */
function useChart(path: string, now: string | null, step: ProcessStep | undefined): ChartDrawing | undefined {
  const isOther = step !== undefined && step.chartId !== now;
  const of = isOther ? `${path}/steps/${step.number}/drawing` : `${path}/drawing`;
  return useJson<ChartDrawing>(now === null ? undefined : of, now).data;
}
