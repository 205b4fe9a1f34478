// The page docs/shipment-states.md: the shipment's chart as a diagram and as tables, computed from machines/.
// Words that explain are here; no state, event or transition is written by hand.

import { chartStateCodes, chartStates, type Edge, edges, isActive } from '../machines/chart.ts';
import { judge } from '../machines/observed.ts';

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

function transitions(): string[] {
  const rows = edges.map((edge) => {
    const from = edge.from === 'Booked' ? '' : `\`${edge.from}\``;
    const to = edge.from === edge.to ? 'stays' : `\`${edge.to}\``;
    return [edge.event ?? 'booked', from, condition(edge), to];
  });
  return table(['Event', 'From', 'When', 'To'], rows);
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
    '<!-- Written by `npm run docs` from machines/; a test fails when it is not current. -->',
    '',
    'One chart (`machines/shipment.ts`) is the only source of the rules: the locker service applies events to it, the',
    'orchestrator judges reported states by it.',
    '',
    ...diagram(),
    '',
    'A shipment that follows another is `Registered` until that one is picked up (a swap, a subsequent intake) or dropped',
    'off (circular stock). Swap, intake and circular stock of a chain share one locker; `machines/chain.ts` holds what',
    'happens between them.',
    '',
    '## Every transition',
    '',
    ...transitions(),
    '',
    'Anything else is refused. `IssuedFromStock` is not `ReceiverSet`: circular stock waits in `ReadyForPickup`, where',
    'SetShipmentReceiver is refused and issuing from stock is not. A change of `stateCode` makes one callback; what stays',
    'in its state makes none.',
    '',
    '## What an observer makes of a report',
    '',
    ...judgements(),
    '',
    '`next` and `skippedAhead` are applied, the others are not. A word that is no state code is `unknown`. A `stale` report',
    'that says it began more than a minute after the known state is `contradictory`: the chart has no way back, so a person',
    'must look. Otherwise stamps decide nothing, since the chart has no cycle and so orders two states by itself.',
    '',
  ].join('\n')}`;
}
