// The flows that an event of one type starts: one small workflow for each type. Its memo names them, so that reading it needs no
// worker. Publishing a file tells it.
import {
  allHandlersFinished,
  condition,
  defineSignal,
  setCurrentDetails,
  setHandler,
  upsertMemo,
} from '@temporalio/workflow';
import { STARTED_FLOWS_MEMO, startsSignal } from '../../flow-files/correlation.ts';

const starts = defineSignal<[flow: string, isStarted: boolean]>(startsSignal);

export async function EventStarts(): Promise<void> {
  const flows = new Set<string>();
  let isEmpty = false;
  setHandler(starts, (flow, isStarted) => {
    if (isStarted) flows.add(flow);
    else flows.delete(flow);
    const names = [...flows].sort();
    upsertMemo({ [STARTED_FLOWS_MEMO]: names });
    setCurrentDetails(names.map((name) => `- starts \`${name}\``).join('\n'));
    isEmpty = names.length === 0;
  });
  await condition(() => isEmpty && allHandlersFinished());
}
