// Names the flows that an event of one type may start. Publishing a file adds it. The memo has the names, so that sending an event
// needs no worker; the current files say whether they still start.
import { condition, defineUpdate, setCurrentDetails, setHandler, upsertMemo } from '@temporalio/workflow';
import { STARTED_FLOWS_MEMO, startsUpdate } from '../../flows/language/correlation.ts';
import { shownAsText } from '../../shared/markdown/shown-as-text.ts';

const add = defineUpdate<void, [flow: string]>(startsUpdate);

export async function EventStarts(): Promise<void> {
  const flows = new Set<string>();
  setHandler(add, (flow) => {
    flows.add(flow);
    const names = [...flows].sort();
    upsertMemo({ [STARTED_FLOWS_MEMO]: names });
    setCurrentDetails(names.map((name) => `- may start ${shownAsText(name)}`).join('\n'));
  });
  await condition(() => false);
}
