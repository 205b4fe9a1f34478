// What a person may do to a process as it stands: read from the chart that runs and from the progress, so that only what the
// process would take is offered. The process itself decides again when it comes.

import type { FlowFileProgress } from '../../client/flow-files/flow-file-handle.ts';
import type { Progress } from '../../contract/flows/flow-messages.ts';
import { flowRules } from '../../contract/flows/flow-rules.ts';
import { type FlowType, flowTypes } from '../../contract/flows/flow-types.ts';
import { stateCodes } from '../../contract/wire/states.ts';
import type { Choice, ChoiceField } from './choices-view.ts';
import { retryConsequence, undoneWords } from './consequences.ts';
import type { ChartViewTransition, ProcessStanding } from './process-view.ts';
import { answerChoices } from './question-choices.ts';

export const WHY: ChoiceField = {
  ...{ name: 'why', label: 'Why', kind: 'lines' },
  hint: 'It is kept with the process, with your name.',
};

export function choicesOf({ isOpen, flow, progress, next }: ProcessStanding): Choice[] {
  if (!isOpen) return [];
  if (progress && 'shipments' in progress)
    return ordered(progress, [
      ...deadlines(flow, progress),
      ...receivers(progress),
      ...decisions(progress, next),
      cancel(progress),
    ]);
  if (progress && 'questions' in progress) return [...ofFile(progress), cancel(null)];
  return flowTypes.includes(flow as FlowType) || progress ? [cancel(null)] : [];
}

/** A flow that waits for a decision has the decisions first. */
const ordered = ({ phase }: Progress, choices: readonly Choice[]): Choice[] =>
  phase === 'NeedsPerson'
    ? choices.toSorted((one, other) => Number(isDecision(other)) - Number(isDecision(one)))
    : [...choices];

const isDecision = ({ id }: Choice): boolean => id.startsWith('resolve.');

/** The actions of `resolve` that the present state takes. */
function possible(next: readonly ChartViewTransition[]): ReadonlySet<string> {
  const guards = next.filter(({ event }) => event === 'resolve').map(({ guard }) => guard ?? '');
  return new Set(guards.flatMap((guard) => /^canResolve\((.*)\)$/.exec(guard)?.[1]?.split(', ') ?? []));
}

function decisions(progress: Progress, next: readonly ChartViewTransition[]): Choice[] {
  const actions = possible(next);
  const roles = Object.keys(progress.shipments);
  const wanted = rolesOf(progress);
  const all: (Choice & { readonly action: string })[] = [
    {
      ...{ action: 'retry', id: 'resolve.retry', label: 'Try again', fields: [WHY] },
      consequence: retryConsequence(progress),
    },
    {
      ...{ action: 'adopt', id: 'resolve.adopt', label: 'Adopt shipments' },
      consequence:
        'The flow takes these as the shipments that it has booked, and follows them. Look at the wall or ask the service first: a shipment of somebody else would be cancelled with this flow.',
      fields: [...wanted.map((role) => adoptField(role, progress)), WHY],
    },
    {
      ...{ action: 'setState', id: 'resolve.setState', label: 'Set a state' },
      consequence:
        'The flow takes the shipment to be in this state and goes on from there. Nothing changes in the service or in the locker.',
      fields: [
        { name: 'role', label: 'Shipment', kind: 'select', options: roles },
        { name: 'stateCode', label: 'State', kind: 'select', options: stateCodes },
        WHY,
      ],
    },
    {
      ...{ action: 'giveUp', id: 'resolve.giveUp', label: 'Give up', isDanger: true, fields: [WHY] },
      consequence: `The flow ends without its result. ${undoneWords(progress)}`,
    },
  ];
  return all
    .filter(({ action }) => actions.has(action) && (action !== 'setState' || roles.length > 0))
    .map(({ action: _, ...choice }) => choice);
}

const rolesOf = ({ flow, shipments }: Progress): readonly string[] =>
  flow in flowRules ? flowRules[flow as keyof typeof flowRules].roles : Object.keys(shipments);

function adoptField(role: string, { doubt, shipments }: Progress): ChoiceField {
  const known = shipments[role as keyof Progress['shipments']]?.shipmentUid;
  const candidates = known === undefined ? (doubt?.candidates ?? []) : [known];
  const hint = candidates.length > 0 ? `It may be ${candidates.join(' or ')}.` : 'Its shipmentUid.';
  return { name: `shipments.${role}`, label: `${role}: shipment`, kind: 'text', hint };
}

function deadlines(flow: string, progress: Progress): Choice[] {
  if (progress.activity !== 'Following' || !(flow in flowRules)) return [];
  const ended = new Set(['Completed', 'Cancelled']);
  const stages = flowRules[flow as keyof typeof flowRules].deadlines
    .filter(({ role }) => !ended.has(progress.shipments[role]?.stateCode ?? ''))
    .map(({ role, stage }) => `${role}.${stage}`);
  if (stages.length === 0) return [];
  return [
    {
      ...{ id: 'extend', label: 'Extend a deadline' },
      consequence:
        'The stage may last until the new end. A deadline that has passed is open again, and the flow is no longer overdue. A stage that has not begun keeps the new end for later.',
      fields: [
        { name: 'deadline', label: 'Deadline', kind: 'select', options: stages },
        { name: 'until', label: 'Until', kind: 'instant', hint: 'In your own time zone.' },
      ],
    },
  ];
}

function receivers({ activity, shipments }: Progress): Choice[] {
  if (activity !== 'Following') return [];
  const fixed = new Set(['ReadyForPickup', 'Completed', 'Cancelled']);
  const roles = Object.entries(shipments).flatMap(([role, { stateCode }]) =>
    fixed.has(stateCode ?? '') ? [] : [role],
  );
  if (roles.length === 0) return [];
  const role: ChoiceField = { name: 'role', label: 'Shipment', kind: 'select', options: roles };
  return [
    {
      ...{ id: 'setReceiver', label: 'Set the receiver' },
      consequence:
        'The service sets this account as the receiver, and tells the person when the item can be fetched. It refuses if the shipment has a receiver already.',
      fields: [
        role,
        { name: 'toUserUid', label: 'Account', kind: 'text', hint: 'The userUid of the receiver.' },
        {
          ...{ name: 'caseReferenceNew', label: 'New case number', kind: 'text', optional: true },
          hint: 'Leave it empty to keep the case number.',
        },
      ],
    },
    {
      ...{ id: 'removeReceiver', label: 'Remove the receiver' },
      consequence: 'The shipment waits for another receiver then; this person can no longer fetch the item.',
      fields: [role],
    },
  ];
}

function ofFile({ held, events, questions }: FlowFileProgress): Choice[] {
  return [
    ...answerChoices(questions),
    ...(held
      ? [
          {
            ...{ id: 'dropEvent', label: 'Go on without the event', fields: [WHY] },
            consequence: `The event ${held.event}, whose step cannot be taken, is dropped. The process goes on as if it had never come.`,
          },
          {
            ...{ id: 'giveUp', label: 'Give up', isDanger: true as const, fields: [WHY] },
            consequence: 'The process cancels what it has begun, and fails. It cannot be taken back.',
          },
        ]
      : []),
    ...(events.length > 0 && !held
      ? [
          {
            ...{ id: 'event', label: 'Tell an event' },
            consequence:
              'The process takes the event as if somebody outside had told it. A guard of the flow may still be against it; then nothing changes.',
            fields: [
              { name: 'type', label: 'Event', kind: 'select' as const, options: events },
              {
                ...{ name: 'data', label: 'Data', kind: 'json' as const, optional: true as const },
                hint: 'As JSON, like { "cost": 12 }. Leave it empty if the event has none.',
              },
            ],
          },
        ]
      : []),
  ];
}

const cancel = (progress: Progress | null): Choice => ({
  ...{ id: 'cancel', label: 'Cancel', isDanger: true, fields: [WHY] },
  consequence: progress
    ? `The flow undoes what it has booked, and ends as cancelled. ${undoneWords(progress)}`
    : 'The process hears that it is to end. It undoes what its flow says, and ends; this cannot be taken back.',
});
