// The diagram of a flow in Mermaid, computed from its declaration and the chart of shipments.
import type { Role } from '../../contract/flows/flow-input.ts';
import type { StateCode } from '../../contract/wire/states.ts';
import { type Declaration, type Leg, legOf, rolesOf } from '../../flows/declaration.ts';
import { chartStateCodes } from '../../machines/chart.ts';
import { apply, type ShipmentEvent, type ShipmentFacts } from '../../machines/shipment.ts';

interface Arrow {
  readonly from: StateCode;
  readonly to: StateCode;
  readonly words: string;
}

const begins = {
  swap: 'SwapBegun',
  subsequentIntake: 'SubsequentIntakeBegun',
  circularStock: 'CircularStockBegun',
} as const;

export function diagram(flow: Declaration): string {
  const regions = rolesOf(flow).map((role) => region(flow, role));
  return [
    'stateDiagram-v2',
    '  [*] --> booking',
    '  booking --> following: booked',
    '  booking --> [*]: refused',
    '  state following {',
    regions.join('\n    --\n'),
    '  }',
    '  following --> [*]: every leg is done or has ended',
    '  following --> undoing: cancelled, or overdue with onOverdue cancel',
    '  undoing --> [*]: nothing is booked any more',
  ].join('\n');
}

function region(flow: Declaration, role: Role): string {
  const leg = legOf(flow, role);
  const name = (state: StateCode) => `${role}_${state}`;
  const arrows = arrowsOf(flow, role);
  const reached = chartStateCodes.filter((state) =>
    arrows.some(({ from, to }) => from === state || to === state),
  );
  const lines = [
    ...reached.map((state) => `${name(state)}: ${label(leg, state)}`),
    ...firstStates(leg).map((state) => `[*] --> ${name(state)}`),
    ...arrows.map(({ from, to, words }) => `${name(from)} --> ${name(to)}: ${words}`),
    ...reached.filter((state) => leg.done.includes(state)).map((state) => `${name(state)} --> [*]: done`),
  ];
  return [`    state ${role} {`, ...lines.map((line) => `      ${line}`), '    }'].join('\n');
}

function label(leg: Leg, state: StateCode): string {
  const stages = {
    ReadyForDropoff: 'dropOff',
    WaitForReceiver: 'receiver',
    ReadyForPickup: 'pickUp',
  } as const;
  const stage = stages[state as keyof typeof stages];
  return stage && leg.deadlines.includes(stage) ? `${state} (deadline ${stage})` : state;
}

/** Stock that is issued may be in any active state before; its receiver is set by the booking. */
function firstStates({ begins: first, registeredWith }: Leg): StateCode[] {
  if (first === null) return ['ReadyForDropoff', 'ReadyForPickup'];
  return registeredWith ? [first, 'Registered'] : [first];
}

/** By the chart, from the first states on, in every way that such a leg can go by itself. */
function arrowsOf(flow: Declaration, role: Role): Arrow[] {
  const leg = legOf(flow, role);
  const arrows: Arrow[] = [];
  const seen = new Set<StateCode>();
  const open = [...firstStates(leg)];
  for (let from = open.shift(); from; from = open.shift()) {
    if (seen.has(from)) continue;
    seen.add(from);
    if (leg.done.includes(from)) continue;
    const next = eventsOf(leg).flatMap((event) => arrowsBy(flow, role, event, from as StateCode));
    for (const arrow of next)
      if (!arrows.some(({ from: start, to }) => start === from && to === arrow.to)) arrows.push(arrow);
    open.push(...next.map(({ to }) => to));
  }
  return arrows;
}

interface NamedEvent {
  readonly type: ShipmentEvent['type'];
  readonly words: string;
}

function eventsOf({ follows, registeredWith }: Leg): NamedEvent[] {
  const begun = follows
    ? [
        {
          type: begins[follows.link],
          words: `${follows.role} ${follows.link === 'circularStock' ? 'dropped off' : 'picked up'}`,
        },
      ]
    : [];
  const swapped = registeredWith
    ? [{ type: 'SwapBegun' as const, words: 'the swapped shipment picked up' }]
    : [];
  return [
    ...begun,
    ...swapped,
    { type: 'ItemDroppedOff', words: 'dropped off' },
    { type: 'ReceiverSet', words: 'receiver set' },
    { type: 'ItemPickedUp', words: 'picked up' },
  ];
}

function arrowsBy(flow: Declaration, role: Role, event: NamedEvent, from: StateCode): Arrow[] {
  return factsOf(flow, role).flatMap((facts) => {
    const applied = apply({ ...facts, shipmentUid: role, stateCode: from }, { type: event.type });
    return applied.applied && applied.stateCodeChanged
      ? [{ from, to: applied.stateCode, words: event.words }]
      : [];
  });
}

function factsOf(flow: Declaration, role: Role): ShipmentFacts[] {
  const leg = legOf(flow, role);
  const facts: ShipmentFacts = {
    hasReceiver: !leg.done.includes('WaitForReceiver'),
    keepBookedAfterPickUp: false,
    circularStockPending: rolesOf(flow).some((other) => {
      const { follows } = legOf(flow, other);
      return follows?.role === role && follows.link === 'circularStock';
    }),
    followsPredecessor: false,
    isCollectOnly: false,
  };
  return leg.deadlines.includes('receiver') ? [facts, { ...facts, hasReceiver: false }] : [facts];
}
