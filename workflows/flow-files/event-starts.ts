// The flows that an event of one type may start: one small workflow for each type, which publishing a file tells of it. Its memo names
// them, so that sending an event needs no worker. Their newest files say whether they still do.
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
