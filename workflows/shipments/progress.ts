// The answer to the query `progress`.
import type { Progress, ShipmentReport } from '../../contract/flows/flow-messages.ts';
import { type Declaration, legOf } from '../../flows/declaration.ts';
import { openDeadlines } from './deadlines.ts';
import { certainRoles } from './evidence.ts';
import type { Knowledge } from './knowledge.ts';
import { wholeLedger } from './ledger.ts';
import { isDone } from './legs-now.ts';
import { itemsLeft, legResult, unassigned } from './settlement.ts';
import { awaits, type Place, phaseOf } from './words.ts';

const activities: Readonly<Record<Place, Progress['activity']>> = {
  booking: 'Booking',
  bookingUnknown: 'NeedsPerson',
  booked: 'Following',
  following: 'Following',
  undoing: 'Undoing',
  stuck: 'NeedsPerson',
  ended: 'Ended',
};

export function progress(
  flow: Declaration,
  known: Knowledge,
  place: Place,
  late: readonly ShipmentReport[],
): Progress {
  return {
    flow: flow.name,
    version: known.start.version,
    phase: phaseOf(flow, known, place),
    activity: activities[place],
    awaits: awaits(flow, known, place),
    shipments: legs(flow, known),
    unassigned: unassigned(flow, known),
    deadlines: openDeadlines(flow, known).map((deadline) => ({
      ...deadline,
      until: new Date(deadline.until).toISOString(),
    })),
    itemsLeft: itemsLeft(flow, known),
    ledger: wholeLedger(known.ledger, known.held, late),
    resolutions: known.resolutions,
  };
}

function legs(flow: Declaration, known: Knowledge): Progress['shipments'] {
  const certain = certainRoles(flow, known);
  return Object.fromEntries(
    known.shipments.flatMap((shipment) => {
      const role = certain.get(shipment.shipmentUid);
      const leg = role && {
        ...legResult(flow, known, shipment),
        done: isDone(known, legOf(flow, role), shipment),
      };
      return leg ? [[role, leg]] : [];
    }),
  );
}
