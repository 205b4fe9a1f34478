// What a person may do to a process as it stands: read from the chart that runs and from the progress, so that only what the
// process would take is offered. The process itself decides again when it comes.

import type { FlowFileProgress, OpenQuestion } from '../../client/flow-files/flow-file-handle.ts';
import type { Progress } from '../../contract/flows/flow-messages.ts';
import { flowRules } from '../../contract/flows/flow-rules.ts';
import { type FlowType, flowTypes } from '../../contract/flows/flow-types.ts';
import { hasEnded } from '../../contract/wire/states.ts';
import { cancel, cancellationOf } from '../../processes/commands/cancel.ts';
import type { Choice, ChoiceField } from '../decisions/choice-view.ts';
import { heldChoices, resolveChoices, WHY } from '../decisions/decision-choices.ts';
import { RESOLVE } from '../decisions/do-decision.ts';
import { questionChoice } from '../decisions/question-choices.ts';
import type { ChartViewTransition, ProcessStatus } from './process-view.ts';

export function choicesOf({ isOpen, flow, progress, next }: ProcessStatus): Choice[] {
  if (!isOpen) return [];
  if (progress && 'shipments' in progress)
    return ordered(progress, [
      ...deadlines(flow, progress),
      ...receivers(progress),
      ...decisions(progress, next),
      cancelChoice(progress),
    ]);
  if (progress && 'questions' in progress) return [...ofFile(progress), cancelChoice(null)];
  return flowTypes.includes(flow as FlowType) || progress ? [cancelChoice(null)] : [];
}

/** A flow that waits for a decision has the decisions first. */
const ordered = ({ phase }: Progress, choices: readonly Choice[]): Choice[] =>
  phase === 'NeedsPerson'
    ? choices.toSorted((one, other) => Number(isDecision(other)) - Number(isDecision(one)))
    : [...choices];

const isDecision = ({ id }: Choice): boolean => id.startsWith(RESOLVE);

/** The actions of `resolve` that the present state takes. */
function possible(next: readonly ChartViewTransition[]): ReadonlySet<string> {
  const guards = next.filter(({ event }) => event === 'resolve').map(({ guard }) => guard ?? '');
  return new Set(guards.flatMap((guard) => /^canResolve\((.*)\)$/.exec(guard)?.[1]?.split(', ') ?? []));
}

function decisions(progress: Progress, next: readonly ChartViewTransition[]): Choice[] {
  const actions = possible(next);
  return resolveChoices(progress)
    .filter(({ id }) => actions.has(id))
    .map((choice) => ({ ...choice, id: `${RESOLVE}${choice.id}` }));
}

function deadlines(flow: string, progress: Progress): Choice[] {
  if (progress.activity !== 'Following' || !(flow in flowRules)) return [];
  const stages = flowRules[flow as keyof typeof flowRules].deadlines
    .filter(({ role }) => !hasEnded(progress.shipments[role]?.stateCode))
    .map(({ role, stage }) => `${role}.${stage}`);
  if (stages.length === 0) return [];
  return [
    {
      ...{ id: 'extend', label: 'Extend a deadline' },
      consequence:
        'The stage may last until the new end. A deadline that has passed is open again, and the flow is no longer overdue. A stage that has not begun keeps the new end for later.',
      fields: [
        {
          ...{ name: 'deadline', label: 'Deadline', kind: 'select', options: stages },
          ...(stages[0] !== undefined && { suggested: stages[0] }),
        },
        { name: 'until', label: 'Until', kind: 'instant', hint: 'In your own time zone.' },
      ],
    },
  ];
}

function receivers({ activity, shipments }: Progress): Choice[] {
  if (activity !== 'Following') return [];
  const roles = Object.entries(shipments).flatMap(([role, { stateCode }]) =>
    stateCode === 'ReadyForPickup' || hasEnded(stateCode) ? [] : [role],
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
    ...questions.map(answer),
    ...(held ? heldChoices(held) : []),
    ...(events.length > 0 && !held ? [tell(events)] : []),
  ];
}

/** Nothing else on the page tells the question. */
function answer(asked: OpenQuestion): Choice {
  const choice = questionChoice(asked);
  return { ...choice, consequence: `${asked.question} ${choice.consequence}` };
}

const tell = (events: readonly string[]): Choice => ({
  ...{ id: 'event', label: 'Tell an event' },
  consequence:
    'The process takes the event as if somebody outside had told it. A guard of the flow may still be against it; then nothing changes.',
  fields: [
    { name: 'type', label: 'Event', kind: 'select', options: events },
    {
      ...{ name: 'data', label: 'Data', kind: 'json', optional: true },
      hint: 'As JSON, like { "cost": 12 }. Leave it empty if the event has none.',
    },
  ],
});

const cancelChoice = (progress: Progress | null): Choice => ({
  ...{ id: 'cancel', label: 'Cancel', isDestructive: true, fields: [WHY] },
  consequence: cancel.would(cancellationOf(progress ?? { activity: '' })),
});
