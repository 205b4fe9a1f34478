// The chart that a process runs, for who wants to see it: where it is, and what may come next.

import { t } from '../../../shared/texts/text.ts';
import type { ProcessDetails } from '../../process/process-view.ts';
import { Button } from '../parts/button.tsx';
import { Chart } from '../parts/chart.tsx';
import { addressWith, goTo } from '../shell/address.ts';

interface MachineProps {
  readonly path: string;
  readonly process: ProcessDetails;
  readonly search: URLSearchParams;
}

export function Machine({ path, process, search }: MachineProps) {
  const isShown = search.has('machine');
  const { chartMissing, flow, active, runId, cost } = process;
  if (chartMissing !== null) return null;
  const leaves = active.filter(
    (state) => state !== '' && !active.some((other) => other.startsWith(`${state}.`)),
  );
  return (
    <section class="machine" aria-label={t`The machine`}>
      <p class="row">
        <Button
          press={() => goTo(addressWith(search, { machine: isShown ? null : 'open' }), { replace: true })}
        >
          {isShown ? t`Hide the machine` : t`Show the machine`}
        </Button>
      </p>
      {isShown && (
        <Chart
          src={`${path}/chart.svg?at=${encodeURIComponent(`${runId} ${cost.events}`)}`}
          label={t`The chart of ${flow}. The process is in ${leaves.join(', ') || t`its beginning`}.`}
        />
      )}
    </section>
  );
}
