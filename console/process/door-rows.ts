// What happened at the doors of a process, for its timeline: who opened one and how, who saw its codes, and what was tried in vain.
// The service tells it, and it is evidence: a door that staff opened is never told as a person's pick-up.
import { CODE_COMPARISON } from '../../contract/flows/outreach.ts';
import type { Response } from '../../contract/operations/operations.ts';
import { sentence } from '../../processes/views/readable.ts';
import { t } from '../../shared/texts/text.ts';

type ShipmentEvent = Response<'GetShipmentEvents'>['items'][number];

/** A shipment of the process, in words. */
export interface ShownShipment {
  readonly shipmentUid: string;
  readonly lockerName: string | null;
  /** Null: whoever reads it may not know people. */
  readonly to: string | null;
  readonly from: string | null;
}

export interface DoorRow {
  readonly at: string | null;
  readonly words: string;
  readonly why: string | null;
  readonly isBad: boolean;
  /** A program read codes, and says of no person that it did so for them. */
  readonly isByProgram: boolean;
  readonly id: string;
}

/** By which staff opens a door without a code. */
const BY_STAFF = 'UnlockShipmentLocker';
/** By which staff says that a door was opened with a key. */
const BY_HAND = 'ReportShipmentAccess';
/** By which staff looks into a locker: it counts as nothing. */
const LOOK = 'OpenLocker';
const BY_CODE: ReadonlySet<string | null> = new Set(['codeTyped', 'SimulateLockerAccess']);
export const EMPTIED = 'SetLockerEmptied';
/** The service tells of it only where the shipment had the locker then. */
const OUT_OF_ORDER = 'SetLockerOutOfOrder';
const CODES_READ = 'GetShipmentAccessCode';
/** The outcomes of an opening that its wall told late: the door did open. */
const OPENED_LATE: ReadonlySet<string | null> = new Set(['Stale', 'Contradictory']);

export function doorRows(events: readonly ShipmentEvent[], shipment: ShownShipment): DoorRow[] {
  return events.flatMap((event, index) => {
    const said = wordsOf(event, shipment);
    if (!said) return [];
    const { isBad = false, isByProgram = false } = said;
    const { why } = event;
    const at = event.occurredAt && `${event.occurredAt}Z`;
    return [
      { at, words: sentence(said.words), why, isBad, isByProgram, id: `${shipment.shipmentUid} ${index}` },
    ];
  });
}

interface Said {
  readonly words: string;
  readonly isBad?: true;
  readonly isByProgram?: boolean;
}

function wordsOf(event: ShipmentEvent, shipment: ShownShipment): Said | null {
  const locker = t`locker ${shipment.lockerName ?? t`of the shipment`}`;
  const { kind, operation, outcome } = event;
  switch (kind) {
    case 'LockerOpened':
      if (operation === BY_HAND) return { words: saidOf(event, locker) };
      if (operation === LOOK) return { words: t`${whoIn(event)} opened ${locker} to look inside` };
      return operation === BY_STAFF
        ? { words: t`${whoIn(event)} opened ${locker} without a code${goalOf(event)}` }
        : { words: openedByCode(event, locker, shipment) };
    case 'CodeRefused':
      return outcome === 'InvalidAccessCode'
        ? { words: t`a wrong code was typed at ${locker}`, isBad: true }
        : { words: t`a code was typed at ${locker}, and did not open it`, isBad: true };
    case 'StayedShut':
      return { words: t`the right code was typed at ${locker}, and its door stayed shut`, isBad: true };
    case 'Requested':
      return requested(event, locker);
    default:
      return null;
  }
}

/** What opens no door and shows no code tells the process itself. */
function requested(event: ShipmentEvent, locker: string): Said | null {
  const { operation, outcome } = event;
  if (outcome === 'Success' && operation === EMPTIED)
    return { words: t`${whoIn(event)} reported ${locker} as empty` };
  if (outcome === 'Success' && operation === OUT_OF_ORDER)
    return { words: t`${whoIn(event)} took ${locker} out of order` };
  if (outcome === 'Success') return operation === CODES_READ ? codesRead(event, locker) : null;
  if (OPENED_LATE.has(outcome))
    return { words: t`${locker} opened, but its shipment had changed before`, isBad: true };
  const failure = failureOf(outcome);
  if (operation === BY_STAFF)
    return { words: t`${whoIn(event)} tried to open ${locker} without a code: ${failure}`, isBad: true };
  return BY_CODE.has(operation) ? { words: t`a code was tried at ${locker}: ${failure}`, isBad: true } : null;
}

/** Who read the codes of a shipment, the last one first: each once, with the last time. A comparison shows them to nobody. */
export function codesReadIn(
  events: readonly ShipmentEvent[],
): { readonly by: string; readonly at: string }[] {
  const read = new Map<string, string>();
  for (const event of events) {
    const { operation, outcome, onBehalfOf, occurredAt } = event;
    if (operation !== CODES_READ || outcome !== 'Success' || onBehalfOf === CODE_COMPARISON || !occurredAt)
      continue;
    read.set(whoIn(event), `${occurredAt}Z`);
  }
  return [...read].map(([by, at]) => ({ by, at })).sort((one, other) => other.at.localeCompare(one.at));
}

/** A program reads them to hand them on or to compare them: that a person saw them is not known. */
function codesRead(event: ShipmentEvent, locker: string): Said {
  if (event.onBehalfOf === CODE_COMPARISON)
    return {
      words: t`a message was compared with the codes of ${locker}: nobody saw them`,
      isByProgram: true,
    };
  return event.onBehalfOf === null
    ? { words: t`${whoIn(event)} read the codes of ${locker}`, isByProgram: true }
    : { words: t`${whoIn(event)} saw the codes of ${locker}` };
}

/** The person, else the program. */
const whoIn = ({ onBehalfOf, clientId }: ShipmentEvent): string =>
  onBehalfOf ?? (clientId ? t`the program ${clientId}` : t`somebody`);

/** For what the service took it. */
const goals = (): Readonly<Record<string, string>> => ({
  DropOff: t`; it counts as put in`,
  PickUp: t`; it counts as taken out`,
});
const goalOf = ({ accessGoal }: ShipmentEvent): string => goals()[accessGoal ?? ''] ?? t`, to look inside`;

/** It may have been open already: only what became of the item is known. */
const saidOf = (event: ShipmentEvent, locker: string): string =>
  event.accessGoal === 'DropOff'
    ? t`${whoIn(event)} says that the item was put into ${locker}, without a code`
    : t`${whoIn(event)} says that the item was taken out of ${locker}, without a code`;

function openedByCode({ accessGoal }: ShipmentEvent, locker: string, { to, from }: ShownShipment): string {
  if (accessGoal === 'DropOff') return t`${locker} was opened with the code ${ownedBy(from)}for putting in`;
  return t`${locker} was opened with the code ${ownedBy(to)}for taking out`;
}

const ownedBy = (name: string | null): string => (name === null ? '' : t`of ${name} `);

const failures = (): Readonly<Record<string, string>> => ({
  UnlockFailed: t`the door stayed shut`,
  UnlockNotAllowed: t`its state did not allow it`,
  InvalidAccessCode: t`the code was wrong`,
});
const failureOf = (code: string | null): string => failures()[code ?? ''] ?? t`refused (${code})`;
