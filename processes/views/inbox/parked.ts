// Callbacks that no process waits for, and messages of types that lockerflow does not know: to be claimed or dropped.

import { type Choice, WHY_FIELD } from '../../action-forms/action-form.ts';
import { onTaskQueue } from '../flow-query.ts';
import { foundPage } from '../found-flows.ts';
import { type ParkedRow, parkedQuery, parkedRows } from '../parked.ts';
import type { InboxEntry } from './inbox-entry.ts';
import type { InboxParts, InboxSource, SourceRead } from './source.ts';

const MAX_SHOWN = 100;

export const parked: InboxSource = { kind: 'parked', what: 'parked callbacks', read };

async function read(parts: InboxParts): Promise<SourceRead> {
  const query = `${parkedQuery({})} AND ${onTaskQueue(parts.taskQueue)}`;
  const { flows, next } = await foundPage(parts.client, query, { size: MAX_SHOWN });
  const rows = await parkedRows(parts, flows);
  return {
    entries: rows.map(entryOf),
    ...(next && { incomplete: `only the newest ${MAX_SHOWN} are shown` }),
  };
}

function entryOf({ workflowId, input, since, givenUp, newest }: ParkedRow): InboxEntry {
  const what =
    input.kind === 'shipment' ? `the shipment ${input.shipmentUid}` : `the type ${input.messageType}`;
  const latest = newest
    ? ` The newest says ${newest.stateCode}${newest.case ? `, case ${newest.case}` : ''}.`
    : '';
  const lost = givenUp > 0 ? ` ${givenUp} older ones were given up.` : '';
  return {
    id: `parked:${workflowId}`,
    kind: 'parked',
    since,
    clockAheadMs: 0,
    title:
      input.kind === 'shipment'
        ? 'A callback without a process'
        : `Messages of the type ${input.messageType}`,
    why:
      input.kind === 'shipment'
        ? `The locker service reports on ${what}, and no open process has it.${latest}${lost}`
        : `Messages of ${what} came, which lockerflow does not know.${lost}`,
    ifNothing: `They are kept for ${input.parkFor} from their arrival, and then closed as not claimed.`,
    toDo:
      input.kind === 'shipment'
        ? 'If a process should have this shipment, give the reports to it. If another system booked it, drop them.'
        : 'Read them with lockerflow parked show; drop them if nobody needs them.',
    key: null,
    pupUid: newest?.pickUpPoint ?? null,
    lockerName: null,
    shipmentUid: input.kind === 'shipment' ? input.shipmentUid : null,
    actions: [
      ...(input.kind === 'shipment' ? [claim(workflowId, newest?.case ?? undefined)] : []),
      drop(workflowId),
    ],
  };
}

const requestOf = (id: string, command: 'claim' | 'drop') => ({
  path: `/v1/parked/${encodeURIComponent(id)}/${command}`,
  body: {},
});

const claim = (id: string, suggested: string | undefined): Choice => ({
  id: 'claim',
  label: 'Give them to a process',
  consequence:
    'The process gets the reports as if they had just come. It must be open and have this shipment.',
  fields: [
    { name: 'to', label: 'Business key of the process', kind: 'text', ...(suggested && { suggested }) },
    WHY_FIELD,
  ],
  request: requestOf(id, 'claim'),
});

const drop = (id: string): Choice => ({
  id: 'drop',
  label: 'Drop them',
  consequence: 'The reports are closed, and no process gets them. Later ones are parked again.',
  fields: [WHY_FIELD],
  request: requestOf(id, 'drop'),
  isDestructive: true,
});
