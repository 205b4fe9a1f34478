// The page docs/flows.md: what each flow is for, its legs, the outline of its chart, computed from flows/built-in/ and workflows/.
// Words that explain are here; no leg, state or deadline is written by hand.

import { type Leg, legOf, rolesOf } from '../flows/built-in/declaration.ts';
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

const PERSON_ASSIGNS =
  'At a service that has nothing but the interface, callbacks alone do not show when it is done: a process that cannot know ' +
  'asks a person which shipment is which leg (`adopt`).';

const overview = table(
  ['Flow', 'What happens', 'Books with'],
  declarations.map(({ name, meaning, operation, personAssignsLegs }) => [
    `[${name}](charts/${name}.svg)`,
    personAssignsLegs ? `${meaning} ${PERSON_ASSIGNS}` : meaning,
    code(operation),
  ]),
);

/** The name of a flow stands in the first row of its legs. */
const legs = table(
  ['Flow', 'Leg', 'Begins as', 'Done at', 'Deadlines for', 'When undone'],
  declarations.flatMap((flow) =>
    rolesOf(flow).map((role, index) => {
      const leg = legOf(flow, role);
      return [
        index === 0 ? flow.name : '',
        code(role),
        begins(leg),
        done(leg),
        list(leg.deadlines, 'none'),
        undoings[leg.undo],
      ];
    }),
  ),
);

const introduction = `# The flows

<!-- Written by \`npm run docs\` from flows/built-in/ and workflows/; a test fails when it is not current. -->

Each shipment flow is one workflow type. It books with one operation, follows every shipment of the booking as a leg, and ends
when each leg is done or has ended in another way. \`OnboardAccount\` has no legs: it finds or creates an account, then sets its
pick up point, its mutation configuration and, if asked, its details ([accounts](integrate.md#accounts)).`;

const afterOverview = `Each name links to the outline of its chart: the states that a leg goes through by itself. The whole chart, which
\`npx lockerflow flows Issue --chart svg\` prints, also has skipped, cancelled, superseded and corrected states, and the changes
of a receiver. A leg is in \`RoleUnknown\` until the flow knows which shipment it is. The event \`issue.ReadyForPickup\` says that
the shipment of that leg is now in that state.

## The legs`;

const outcomes = `## How a flow ends, and what it waits for

The outcome is \`Done\` if every leg has met its done rule, even after a deadline had passed; \`Overdue\` if a deadline with
\`onOverdue\` \`cancel\` has ended it; else \`Cancelled\`. A workflow that was cancelled itself has no result.

Until then its phase (\`LockerPhase\`) is \`Open\`; \`Overdue\` when a deadline has passed: extend it (\`extendDeadline\`), cancel the
flow, or wait; or \`NeedsPerson\` when the flow cannot decide how to go on. The details say what it waits for, and why.

A person decides in these cases ([what to do](operate.md#a-flow-is-stuck-and-it-is-night)); the flow keeps who decided, and why:

| case | decisions |
| --- | --- |
| it is not known whether a booking was made | \`retry\`, \`adopt\` its shipments, \`giveUp\` |
| a report contradicts what the flow knows | \`setState\` |
| it is not known which shipment is which leg | \`adopt\` |
| a shipment could not be undone | \`retry\`, \`setState\`, \`giveUp\` |

## Kept booked

With \`keepBookedAfterPickUp\` a locker stays booked after each pick-up. Such a flow is \`Done\` when somebody cancels the shipment or
the flow, whether or not anything was picked up. If nobody picks up before the deadline, \`onOverdue\` \`cancel\` cancels the shipment
(\`Overdue\`); with \`wait\` the phase is \`Overdue\` until somebody does, and \`overdue\` in the result names the deadline.

The first pick-up meets the deadline, which then cannot be extended; the flow goes on. \`progress\` has the last pick-up
(\`pickedUpAt\` of the leg), and each one in its report history. A flow learns of pick-ups from the message ShipmentAccess
([messages of pick-ups](callbacks.md#messages-of-pick-ups)), or from the reconciler if that was lost. Against a service that
sends no such message, a start with such a deadline is refused with \`InvalidRequest\`: by the client if it knows the service
(\`LOCKER_CAPABILITIES\`, or \`lockerCapabilities\` of \`LockerFlows\`), else by the flow before it books. Without a deadline the
flow runs there too.

## Issued from stock

A flow that issues stock gives it the caller's case number, or its own key, so that callbacks find it. If the flow is undone
while the item is still to be dropped off, the stock becomes what it was: without a receiver, and with its former case number. At
a service without a listing (\`getShipments\`) nobody can read that number, so the flow's number stays. With \`issue: null\`, or
\`referenceCaseNo: null\` in it, the flow never changes the stock's case number.`;

export function flowsPage(): string {
  return `${[introduction, overview, afterOverview, legs, outcomes].join('\n\n')}\n`;
}
