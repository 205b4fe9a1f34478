// Items that somebody has and that no process waits for any more, until a person says what became of them.
import { ITEM_OUT } from '../../contract/flows/flow-types.ts';
import type { ItemBecame, ItemOut } from '../../contract/flows/item-out.ts';
import { t } from '../../shared/texts/text.ts';
import { type ActionForm, WHY_FIELD } from '../action-forms/question-forms.ts';
import { eachAtOnce } from '../at-once.ts';
import { onTaskQueue } from '../views/flow-query.ts';
import { type FoundFlow, foundPage } from '../views/found-flows.ts';
import { itemOutOf } from '../views/items-out.ts';
import type { InboxEntry, InboxParts, InboxSource, SourceRead } from './inbox-entry.ts';

const MAX_SHOWN = 100;

export const itemsOut: InboxSource = {
  kind: 'itemOut',
  what: () => t`items that nobody waits for`,
  read: readItemsOut,
};

async function readItemsOut(parts: InboxParts): Promise<SourceRead> {
  const query = `WorkflowType = '${ITEM_OUT}' AND ExecutionStatus = 'Running' AND ${onTaskQueue(parts.taskQueue)}`;
  const { flows, next } = await foundPage(parts.client, query, { size: MAX_SHOWN });
  const entries: InboxEntry[] = [];
  for await (const { item, outcome } of eachAtOnce(flows, (flow) => itemOutOf(parts.client, flow))) {
    if (!outcome.done) throw outcome.error;
    if (outcome.value.settled) continue;
    entries.push(entryOf(item, outcome.value));
  }
  return { entries, ...(next && { incomplete: t`only the newest ${MAX_SHOWN} are shown` }) };
}

const entryOf = ({ workflowId, startedAt }: FoundFlow, { key, shipmentUid }: ItemOut): InboxEntry => ({
  id: workflowId,
  kind: 'itemOut',
  since: startedAt,
  clockAheadMs: 0,
  title: t`The item of ${key} is still out`,
  why: t`${key} ended while somebody had its item. No locker is kept for it any more.`,
  ifNothing: t`Nobody waits for it, and nobody is reminded.`,
  toDo: t`Ask whoever has it to bring it back, and say so once it is there; or write it off.`,
  key,
  pupUid: null,
  lockerName: null,
  shipmentUid,
  actions: settleForms(shipmentUid),
});

const texts = (): Readonly<
  Record<ItemBecame, Pick<ActionForm, 'label' | 'consequence' | 'isDestructive'>>
> => ({
  Back: { label: t`It is back`, consequence: t`The entry ends. It is kept with your name.` },
  WrittenOff: {
    label: t`Write it off`,
    consequence: t`Nobody looks for it any more. It is kept with your name.`,
    isDestructive: true,
  },
});

export const settleForms = (shipmentUid: string): ActionForm[] => [
  settleForm(shipmentUid, 'Back'),
  settleForm(shipmentUid, 'WrittenOff'),
];

const settleForm = (shipmentUid: string, became: ItemBecame): ActionForm => ({
  ...texts()[became],
  id: became,
  fields: [WHY_FIELD()],
  request: { path: `/v1/items-out/${encodeURIComponent(shipmentUid)}/settled`, body: { became } },
});
