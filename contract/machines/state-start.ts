// The time at which a state started, in the form of the wire. interface: Shipment, stateStart; assumptions: The wire:
// without an offset it means UTC. (A bare Date.parse would take it for the local time of the machine that runs it.)

const hasOffset = /(?:z|[+-]\d\d:?\d\d)$/i;

/** Milliseconds since the epoch: no shipment is older. Some services write 0001-01-01 for "none". */
const EARLIEST_INSTANT = Date.parse('1970-01-02T00:00:00Z');
/** The end of the last year with four digits: a sum with a later one may be no date at all. */
const LATEST_INSTANT = Date.parse('9999-12-31T23:59:59.999Z');

/** Milliseconds since the epoch, or null if the text is not usable. */
export function instantOf(stateStart: string | null | undefined): number | null {
  if (!stateStart) return null;
  const instant = Date.parse(hasOffset.test(stateStart) ? stateStart : `${stateStart}Z`);
  return instant >= EARLIEST_INSTANT && instant <= LATEST_INSTANT ? instant : null;
}
