// The ledger of a flow: each distinct report once, with what became of it and how often it came.
import type { LedgerEntry, ShipmentReport, Verdict } from '../../contract/flows/flow-messages.ts';

/** Distinct reports; a flow has some ten. A peer gone wild must not fill the carried state. */
const LONGEST_LEDGER = 300;

/** The same once more only counts: what became of it is what became of the first. */
export function entered(
  ledger: readonly LedgerEntry[],
  { shipmentUid, stateCode, stateStart, receivedAt }: ShipmentReport,
  verdict: Verdict,
): readonly LedgerEntry[] {
  const isSame = (entry: LedgerEntry) =>
    entry.shipmentUid === shipmentUid && entry.stateCode === stateCode && entry.stateStart === stateStart;
  if (ledger.some(isSame))
    return ledger.map((entry) => (isSame(entry) ? { ...entry, times: entry.times + 1 } : entry));
  const entry: LedgerEntry = { shipmentUid, stateCode, stateStart, receivedAt, verdict, times: 1 };
  return [...ledger, entry].slice(-LONGEST_LEDGER);
}

/** As a whole: also what the flow did not judge, because it did not know its shipments yet or had ended. */
export function wholeLedger(
  judged: readonly LedgerEntry[],
  held: readonly ShipmentReport[],
  late: readonly ShipmentReport[],
): readonly LedgerEntry[] {
  const withHeld = held.reduce((ledger, report) => entered(ledger, report, 'held'), judged);
  return late.reduce((ledger, report) => entered(ledger, report, 'afterTheEnd'), withHeld);
}
