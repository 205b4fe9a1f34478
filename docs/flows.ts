// The page docs/flows.md: what each flow is for, its legs, the outline of its chart, computed from flows/built-in/ and workflows/.
// Words that explain are here; no leg, state or deadline is written by hand.

import { type Declaration, type Leg, legOf, rolesOf } from '../flows/built-in/declaration.ts';
import { declarations } from '../flows/built-in/flows.ts';

const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n');

const code = (word: string) => `\`${word}\``;
const list = (words: readonly string[], none: string) =>
  words.length > 0 ? words.map(code).join(', ') : none;

const undoings: Readonly<Record<Leg['undo'], string>> = {
  cancel: 'cancelled',
  removeReceiver: 'given back without a receiver; cancelled where its item is in the locker already',
  leave: 'left to the flow that booked it',
};

function begins({ begins: state, isPrior, registeredWith, follows }: Leg): string {
  if (isPrior) return '`priorShipmentUid`, in the state that it is in';
  if (follows)
    return `${code('Registered')}, until ${code(follows.role)} is ${follows.link === 'circularStock' ? 'dropped off' : 'picked up'}`;
  const registered = registeredWith ? `; ${code('Registered')} with ${code(registeredWith)}` : '';
  return `${code(state ?? '')}${registered}`;
}

function done({ done: states, keptBookedBy }: Leg): string {
  const also = keptBookedBy
    ? `; with ${code(keptBookedBy)} at \`Cancelled\` too, unless a deadline has brought it there`
    : '';
  return `${states.map(code).join(', ')}${also}`;
}

function section(flow: Declaration): string {
  const legs = rolesOf(flow).map((role) => {
    const leg = legOf(flow, role);
    return [code(role), begins(leg), done(leg), list(leg.deadlines, 'none'), undoings[leg.undo]];
  });
  return [
    `## ${flow.name}`,
    '',
    flow.meaning,
    ...(flow.personAssignsLegs ? ['', PERSON_ASSIGNS] : []),
    '',
    `Books with ${code(flow.operation)}.`,
    '',
    table(['Leg', 'Begins as', 'Done at', 'Deadlines for', 'When undone'], legs),
    '',
    `![The chart of ${flow.name}](charts/${flow.name}.svg)`,
  ].join('\n');
}

const PERSON_ASSIGNS =
  'At a service that has nothing but the interface, callbacks alone do not show when it is done: a process that cannot know ' +
  'asks a person which shipment is which leg (`adopt`).';

const introduction = `# The flows

<!-- Written by \`npm run docs\` from flows/built-in/ and workflows/; a test fails when it is not current. -->

Each shipment flow is one workflow type with the flow's name. It books with one operation, follows every shipment of the
booking as a leg, and ends when each leg is done or has ended in another way. \`OnboardAccount\` has no legs: it finds or
creates an account, then sets its pick up point and mutation configuration if they differ, and its details if the caller
asks for it ([more](integrate.md#accounts)).

| Outcome | means |
| --- | --- |
| \`Done\` | every leg has met its done rule, also where a deadline had passed before |
| \`Overdue\` | a deadline with \`onOverdue\` \`cancel\` has ended it |
| \`Cancelled\` | any other end with a cancelled leg; a workflow that was cancelled itself has no result |

| Phase (\`LockerPhase\`) | what to do |
| --- | --- |
| \`Open\` | nothing: the details say what the flow waits for |
| \`Overdue\` | a deadline has passed; extend it (\`extendDeadline\`), cancel the flow, or wait |
| \`NeedsPerson\` | the flow does not know how to continue; the details say why, a person decides |

Each picture is the outline of the chart that runs: the states that a leg goes through by itself. The whole chart also has
skipped, cancelled, superseded and corrected states, and the changes of a receiver; \`npx lockerflow flows Issue --chart svg\`
(or \`json\`, \`mermaid\`) prints it. A leg is in \`RoleUnknown\` until the flow knows which shipment it is. The event
\`issue.ReadyForPickup\` says that the shipment of the leg is in that state from now on.

A person decides these cases; the flow keeps who decided and why:

- a booking that may or may not have been made (\`retry\`, \`adopt\` the shipments, \`giveUp\`)
- a report that contradicts what the flow knows (\`setState\`)
- shipments whose legs are not known (\`adopt\`)
- a shipment that could not be undone (\`retry\`, \`setState\`, \`giveUp\`)

## Kept booked

With \`keepBookedAfterPickUp\` a locker stays booked after each pick-up, until its shipment is cancelled. That is how such a
flow ends:

| What happens | Outcome |
| --- | --- |
| somebody cancels the shipment, or the flow, after a pick-up or without one | \`Done\` |
| no pick-up before the deadline, with \`onOverdue\` \`cancel\`: the flow cancels the shipment | \`Overdue\` |
| no pick-up before the deadline, with \`onOverdue\` \`wait\`: the phase is \`Overdue\` until somebody picks up | as above; \`overdue\` in the result names the deadline |

The first pick-up meets the deadline, which then cannot be extended; the flow goes on. \`progress\` has the last pick-up
(\`pickedUpAt\` of the leg) and each one in its ledger. The flow learns of a pick-up by the message ShipmentAccess
([messages of pick-ups](callbacks.md#messages-of-pick-ups)), or from the reconciler if the message was lost. If the service
sends no such message, the flow cannot know of a pick-up: then a start with such a deadline is refused with
\`InvalidRequest\`, by the client if it knows the service (\`LOCKER_CAPABILITIES\`, or \`lockerCapabilities\` of
\`LockerFlows\`), else by the flow before it books. Without a deadline the flow runs there too.

## Issued from stock

A flow that issues stock gives it the caller's case number, or its own key, so that callbacks find it. If the flow is undone
while the item is still to be dropped off, the stock is as it was: without a receiver, and with the case number that it had.
Two exceptions:

- With \`issue: null\`, or \`referenceCaseNo: null\` in it, the flow never changes the stock's case number.
- At a service without a listing (\`getShipments\`) nobody can read the case number that the stock had, and the one that the
  flow gave it stays. Give null there if the number matters.`;

export function flowsPage(): string {
  return `${[introduction, ...declarations.map(section)].join('\n\n')}\n`;
}
