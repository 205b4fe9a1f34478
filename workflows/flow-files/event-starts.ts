// The flows that an event of one type starts: one small workflow for each type. Its memo names them, so that reading it needs no
// worker. Publishing a file updates it, and waits for that: from then on an event starts the flow.
import {
  allHandlersFinished,
  condition,
  defineUpdate,
  setCurrentDetails,
  setHandler,
  upsertMemo,
} from '@temporalio/workflow';
import { STARTED_FLOWS_MEMO, STARTS_UPDATE } from '../../flows/language/correlation.ts';

const starts = defineUpdate<void, [flow: string, isStarted: boolean]>(STARTS_UPDATE);

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
