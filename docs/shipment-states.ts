// The page docs/shipment-states.md: the shipment's chart as a diagram and as tables, computed from contract/machines/.
// Words that explain are here; no state, event or transition is written by hand.

import { chartStateCodes, chartStates, type Edge, edges, isActive } from '../contract/machines/chart.ts';
import { judge } from '../contract/machines/observed.ts';

const when: Record<string, string> = {
  followsPredecessor: 'it follows another',
  isCollectOnly: 'collect only',
  isCircularStockPending: 'circular stock pending',
  isKeptBooked: 'kept booked',
  hasReceiver: 'with a receiver',
  hasNoReceiver: 'without a receiver',
};

/** The condition in words; for the last of several ways, which needs none, "otherwise". */
function condition({ from, event, guard }: Edge): string {
  if (guard !== null) return when[guard] ?? guard;
  return edges.some((each) => each.from === from && each.event === event && each.guard) ? 'otherwise' : '';
}

function diagram(): string[] {
  const arrows = edges
    .filter(({ from, to }) => from !== to)
    .map((edge) => {
      const from = edge.from === 'Booked' ? '[*]' : edge.from;
      const label = [edge.event ?? 'booked', condition(edge)].filter(Boolean).join(', ');
      return `  ${from} --> ${edge.to}: ${label}`;
    });
  const ends = chartStateCodes.filter((state) => !isActive(state)).map((state) => `  ${state} --> [*]`);
  return ['```mermaid', 'stateDiagram-v2', ...arrows, ...ends, '```'];
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  return [row(head), row(head.map(() => '---')), ...rows.map(row)];
}

/** What the diagram does not draw: events that leave the state as it is. A row for each event and condition. */
function staying(): string[] {
  const rows = new Map<string, string[]>();
  for (const edge of edges.filter(({ from, to }) => from === to)) {
    const key = [`\`${edge.event}\``, condition(edge)].join(' | ');
    rows.set(key, [...(rows.get(key) ?? []), `\`${edge.from}\``]);
  }
  return table(
    ['Event', 'When', 'In'],
    [...rows].map(([key, states]) => [...key.split(' | '), states.join(', ')]),
  );
}

function judgements(): string[] {
  const rows = chartStates.map((known) => [
    known === 'Booked' ? 'nothing' : `\`${known}\``,
    ...chartStateCodes.map((stateCode) =>
      judge(known === 'Booked' ? null : { stateCode: known }, { stateCode }),
    ),
  ]);
  return table(['Known', ...chartStateCodes.map((state) => `\`${state}\``)], rows);
}

export function shipmentStatesPage(): string {
  return `${[
    '# The life of a shipment',
    '',
    '<!-- Written by `npm run docs` from contract/machines/; a test fails when it is not current. -->',
    '',
    'One chart (`contract/machines/shipment.ts`) is the only source of the rules: the locker service applies events to it, and the flows',
    'compare reported states with it.',
    '',
    ...diagram(),
    '',
    'A shipment that follows another is `Registered` until that one is picked up (a swap, a subsequent intake) or dropped off',
    '(circular stock). Swap, intake and circular stock of a chain share one locker; `contract/machines/chain.ts` has what happens between',
    'them.',
    '',
    'These events leave the state as it is. A change of `stateCode` makes one callback, and these make none:',
    '',
    ...staying(),
    '',
    'Every other event is refused. `IssuedFromStock` differs from `ReceiverSet` because circular stock waits in `ReadyForPickup`,',
    'where SetShipmentReceiver is refused and issuing from stock is allowed.',
    '',
    '## How a flow judges a report',
    '',
    ...judgements(),
    '',
    '`next` and `skippedAhead` are applied, the others are not. A word that is not a state code is `unknown`. A `stale` report is',
    '`contradictory` if its state began more than a minute after the known one: the chart has no way back, so a person must look.',
    'Otherwise times decide nothing, because the chart has no cycle: it alone puts two states in order.',
    '',
  ].join('\n')}`;
}
