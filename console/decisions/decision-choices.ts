// What a person can decide for a process that does not know how to continue, each with what happens then: as the process
// page and the inbox show it. The process itself decides again when the decision comes.

import type { FlowFileProgress } from '../../client/flow-files/flow-file-handle.ts';
import type { Role } from '../../contract/flows/flow-input.ts';
import type { BookingDoubt, Progress, Resolve } from '../../contract/flows/flow-messages.ts';
import { flowRules } from '../../contract/flows/flow-rules.ts';
import { stateCodes } from '../../contract/wire/states.ts';
import { riskWords } from '../../processes/commands/resolve.ts';
import type { Choice, ChoiceField } from './choice-view.ts';

export const WHY: ChoiceField = {
  ...{ name: 'why', label: 'Why', kind: 'lines' },
  hint: 'It is kept, with your name.',
};

/** How the field of a shipment to adopt is named; its role follows. */
export const SHIPMENT = 'shipments.';

/** The choices of a flow: in doubt about its booking, while it is undone, or while it follows its shipments. */
export function resolveChoices(progress: Progress): readonly (Choice & { readonly id: Resolve['action'] })[] {
  if (progress.doubt) return doubtChoices(progress, progress.doubt);
  if (progress.activity === 'Following') return followingChoices(progress);
  return progress.activity === 'NeedsPerson' ? undoingChoices(progress) : [];
}

/** The choices of a flow-file process whose step for this event cannot be taken. */
export const heldChoices = ({ event }: NonNullable<FlowFileProgress['held']>): readonly Choice[] => [
  {
    ...{ id: 'dropEvent', label: `Go on without ${event}`, fields: [WHY], isDestructive: true },
    consequence: `The event ${event}, whose step cannot be taken, is dropped. The process goes on as if it had never come.`,
  },
  {
    ...{ id: 'giveUp', label: 'Give the process up', fields: [WHY], isDestructive: true },
    consequence: 'The process cancels what it has started, and fails. It cannot be continued.',
  },
];

type Decisions = ReturnType<typeof resolveChoices>;

function doubtChoices(progress: Progress, { candidates, retryMayBookTwice }: BookingDoubt): Decisions {
  const risk = retryMayBookTwice === false ? null : riskWords(retryMayBookTwice);
  return [
    {
      ...{ id: 'retry', label: 'Book again', fields: [WHY], ...(risk !== null && { isDestructive: true }) },
      consequence:
        risk === null
          ? 'The process books again. It books nothing twice: the service tells whether the booking was made.'
          : `The process books again. Careful: ${risk}.`,
    },
    {
      ...{ id: 'adopt', label: 'Adopt what was booked', fields: [...adoptFields(progress, candidates), WHY] },
      consequence:
        'The process goes on with the shipments that you name here. It books nothing. Look at the wall or ask the service first: a shipment of somebody else would be cancelled with this process.',
    },
    {
      ...{ id: 'giveUp', label: 'Give the process up', fields: [WHY], isDestructive: true },
      consequence:
        'The process fails with OutcomeUnknown. If the booking was made after all, it stays: cancel it at the locker service.',
    },
  ];
}

const undoingChoices = (progress: Progress): Decisions => [
  {
    ...{ id: 'retry', label: 'Try to undo it again', fields: [WHY] },
    consequence: 'The process tries at once to cancel what is left of its bookings.',
  },
  ...setState(progress),
  {
    ...{ id: 'giveUp', label: 'Leave it as it is', fields: [WHY], isDestructive: true },
    consequence: 'The process ends. What it could not cancel stays booked at the locker service.',
  },
];

const followingChoices = (progress: Progress): Decisions => [
  ...setState(progress),
  {
    ...{ id: 'adopt', label: 'Say which shipment is which' },
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

/** Only of a shipment whose role is known. */
function setState(progress: Progress): Decisions {
  const roles = rolesOf(progress).filter((role) => progress.shipments[role] !== undefined);
  if (roles.length === 0) return [];
  return [
    {
      ...{ id: 'setState', label: 'Say what state it is in' },
      consequence:
        'The process takes this as the state of the shipment, and goes on from there. Nothing changes in the locker service or in the locker.',
      fields: [
        { name: 'role', label: 'Shipment', kind: 'select', options: roles },
        { name: 'stateCode', label: 'State', kind: 'select', options: stateCodes },
        WHY,
      ],
    },
  ];
}

function adoptFields(progress: Progress, candidates: readonly string[]): ChoiceField[] {
  const roles = rolesOf(progress);
  return roles.map((role) => {
    const known = progress.shipments[role]?.shipmentUid;
    const likely = known === undefined ? candidates : [known];
    // One found shipment of several roles may be any of them.
    const suggested = known ?? (roles.length === 1 && candidates.length === 1 ? candidates[0] : undefined);
    return {
      ...{ name: `${SHIPMENT}${role}`, label: `shipmentUid of ${role}`, kind: 'text' },
      ...(likely.length > 0 && { hint: `It may be ${likely.join(' or ')}.` }),
      ...(suggested !== undefined && { suggested }),
    };
  });
}

/** In the order of the chain. */
function rolesOf({ flow, shipments }: Progress): readonly Role[] {
  const rules: Readonly<Record<string, { readonly roles: readonly Role[] }>> = flowRules;
  return rules[flow]?.roles ?? (Object.keys(shipments) as Role[]);
}
