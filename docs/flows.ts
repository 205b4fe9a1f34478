// The page docs/flows.md: what each flow is for, its legs, the outline of its chart, computed from flows/ and workflows/.
// Words that explain are here; no leg, state or deadline is written by hand.

import { mermaid } from '../client/command-line/drawing/mermaid.ts';
import { type Declaration, type Leg, legOf, rolesOf } from '../flows/declaration.ts';
import { declarations } from '../flows/flows.ts';
import { charts } from '../workflows/charts.ts';
import { drawingOf } from './drawing/chart-drawing.ts';
import { outline } from './drawing/outline.ts';

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

function done({ done: states, doneWith }: Leg): string {
  const also = doneWith ? `; with ${code(doneWith.field)} at ${code(doneWith.stateCode)} too` : '';
  return `${states.map(code).join(', ')}${also}`;
}

/** The outline of the chart that runs. */
export function diagramOf(flow: string): string {
  const chart = charts[flow];
  if (!chart) throw new TypeError(`there is no chart of ${flow}`);
  return mermaid(drawingOf(outline(chart)));
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
    '',
    `Books with ${code(flow.operation)}.`,
    '',
    table(['Leg', 'Begins as', 'Done at', 'Deadlines for', 'When undone'], legs),
    '',
    '```mermaid',
    diagramOf(flow.name),
    '```',
    '',
    `The whole chart: [picture](charts/svg/${flow.name}.svg), [JSON](charts/json/${flow.name}.json).`,
  ].join('\n');
}

const introduction = `# The flows

<!-- Written by \`npm run docs\` from flows/ and workflows/; a test fails when it is not current. -->

Each shipment flow is one workflow type of this name. It books with one operation, follows every shipment of the
booking as a leg, and ends when each leg is done or has ended otherwise. \`OnboardAccount\` has no legs: it finds or
creates an account, then sets its pick up point and mutation configuration where they differ, and its details where the
caller says so ([more](integrate.md#accounts)).

| Outcome | means |
| --- | --- |
| \`Done\` | every leg has met its done rule |
| \`Overdue\` | a deadline with \`onOverdue\` \`cancel\` has ended it |
| \`Cancelled\` | any other end with a leg cancelled; a workflow that was itself cancelled has no result |

| Phase (\`LockerPhase\`) | what to do |
| --- | --- |
| \`Open\` | nothing: the details tell what is awaited |
| \`Overdue\` | a deadline has passed; extend it (\`extendDeadline\`), cancel the flow, or wait |
| \`NeedsPerson\` | the flow cannot know something; the details tell what, \`resolve\` decides it |

Each diagram is the outline of the chart that runs: the states that a leg goes through by itself. The whole chart also has
what is skipped, cancelled, superseded or corrected, and the changes of a receiver; \`npx lockerflow flows Issue --chart svg\`
(or \`json\`, \`mermaid\`) prints it. A leg begins in \`RoleUnknown\` until it is known which shipment it is, and a report
of its shipment is an event of its name: \`issue.ReadyForPickup\`.

What a person may decide with \`resolve\` (who and why are kept): a booking of which it is not known whether it was made
(\`retry\`, \`adopt\` the shipments, \`giveUp\`), a report that contradicts what is known (\`setState\`), shipments whose legs
are not known (\`adopt\`), a shipment that could not be undone (\`retry\`, \`setState\`, \`giveUp\`).`;

export function flowsPage(): string {
  return `${[introduction, ...declarations.map(section)].join('\n\n')}\n`;
}
