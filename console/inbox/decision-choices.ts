// What a person can decide for a process that does not know how to continue, each with what happens then.

import { riskInDoubt } from '../../client/command-line/waiting/decide.ts';
import type { FlowFileProgress } from '../../client/flow-files/flow-file-handle.ts';
import type { Role } from '../../contract/flows/flow-input.ts';
import type { BookingDoubt, Progress } from '../../contract/flows/flow-messages.ts';
import { flowRules } from '../../contract/flows/flow-rules.ts';
import { stateCodes } from '../../contract/wire/states.ts';
import type { InboxAction, InboxField } from './inbox-view.ts';
import { WHY } from './source.ts';

/** None where it needs no decision. */
export function decisionChoices(progress: Progress | FlowFileProgress): readonly InboxAction[] {
  if ('held' in progress) return progress.held ? heldChoices(progress.held.event) : [];
  if (progress.phase !== 'NeedsPerson') return [];
  if (progress.doubt) return doubtChoices(progress, progress.doubt);
  return progress.activity === 'NeedsPerson' ? stuckChoices(progress) : followingChoices(progress);
}

const heldChoices = (event: string): InboxAction[] => [
  {
    name: 'dropEvent',
    label: `Go on without ${event}`,
    consequence: `The process forgets the event ${event} and goes on as if it had never come.`,
    fields: [WHY],
    isGrave: true,
  },
  {
    name: 'giveUp',
    label: 'Give the process up',
    consequence: 'The process cancels what it has started, and fails. It cannot be continued.',
    fields: [WHY],
    isGrave: true,
  },
];

function doubtChoices(progress: Progress, { candidates, retryMayBookTwice }: BookingDoubt): InboxAction[] {
  const risk = riskInDoubt(retryMayBookTwice);
  return [
    {
      name: 'adopt',
      label: 'Adopt what was booked',
      consequence: 'The process goes on with the shipments that you name here. It books nothing.',
      fields: [...adoptFields(progress, candidates), WHY],
    },
    {
      name: 'retry',
      label: 'Book again',
      consequence: risk
        ? `The process books again. Careful: ${risk}.`
        : 'The process books again; nothing is booked twice.',
      fields: [WHY],
      ...(risk && { isGrave: true as const }),
    },
    {
      name: 'giveUp',
      label: 'Give the process up',
      consequence:
        'The process fails with OutcomeUnknown. If the booking was made after all, it stays: cancel it at the locker service.',
      fields: [WHY],
      isGrave: true,
    },
  ];
}

const stuckChoices = (progress: Progress): InboxAction[] => [
  {
    name: 'retry',
    label: 'Try to undo it again',
    consequence: 'The process tries at once to cancel what is left of its bookings.',
    fields: [WHY],
  },
  setState(progress),
  {
    name: 'giveUp',
    label: 'Leave it as it is',
    consequence: 'The process ends. What it could not cancel stays booked at the locker service.',
    fields: [WHY],
    isGrave: true,
  },
];

const followingChoices = (progress: Progress): InboxAction[] => [
  setState(progress),
  {
    name: 'adopt',
    label: 'Say which shipment is which',
    consequence: 'The process follows these shipments, each in the role that you give it.',
    fields: [
      ...adoptFields(
        progress,
        progress.unassigned.map(({ shipmentUid }) => shipmentUid),
      ),
      WHY,
    ],
  },
];

const setState = (progress: Progress): InboxAction => ({
  name: 'setState',
  label: 'Say what state it is in',
  consequence:
    'The process takes this as the state of the shipment, and goes on from there. The locker service is not told.',
  fields: [
    { name: 'role', label: 'Shipment', type: 'choice', choice: rolesIn(progress) },
    { name: 'stateCode', label: 'State', type: 'choice', choice: stateCodes },
    WHY,
  ],
});

function adoptFields(progress: Progress, candidates: readonly string[]): InboxField[] {
  return rolesIn(progress).map((role) => {
    const known =
      progress.shipments[role]?.shipmentUid ?? (candidates.length === 1 ? candidates[0] : undefined);
    return {
      name: `shipment.${role}`,
      label: `shipmentUid of ${role}`,
      type: 'text',
      ...(known !== undefined && { suggested: known }),
    };
  });
}

/** In the order of the chain. */
export function rolesIn({ flow, shipments }: Progress): readonly Role[] {
  const rules: Readonly<Record<string, { readonly roles: readonly Role[] }>> = flowRules;
  return rules[flow]?.roles ?? (Object.keys(shipments) as Role[]);
}
