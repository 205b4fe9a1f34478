// How the service that is called may differ from our own (assumptions: A bare vendor): what it can do beyond the
// interface, its state codes, its code for "no locker free", its time zone. One reading of the settings for all who hear it.
import { z } from 'zod';
import { type StateCode, stateCodes } from './states.ts';

export const capabilities = ['getShipments', 'idempotencyKey', 'accessCodes'] as const;
/** What the service offers beside the interface: the listing, the header Idempotency-Key, GetShipmentAccessCode. */
export type Capability = (typeof capabilities)[number];

export interface Peer {
  readonly capabilities: ReadonlySet<Capability>;
  /** Codes that mean NoLockerAvailable; that one itself always does. */
  readonly noLockerCodes: ReadonlySet<string>;
  /** The shipment with our state code in place of theirs, and stateStart in UTC. */
  readonly inOurWords: <Shipment extends ReportedState>(shipment: Shipment) => Shipment;
}

interface ReportedState {
  readonly stateCode: string | null;
  readonly stateStart: string | null;
}

const words = (text: string) =>
  text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');

const stateMap = z.string().transform((text, context) => {
  const map = new Map<string, StateCode>();
  for (const pair of words(text)) {
    const [theirs, ours, ...rest] = pair.split('=').map((word) => word.trim());
    const known = stateCodes.find((code) => code === ours);
    if (theirs && known && rest.length === 0) map.set(theirs, known);
    else context.addIssue(`"${pair}" must be their state code, =, and one of ${stateCodes.join(', ')}`);
  }
  return map;
});

/** The settings, beside those of the address and the credentials; an empty environment is our own service, unproven. */
export const peerSettings = z.object({
  /** None by default: to claim idempotencyKey for a service that ignores it would book twice. */
  LOCKER_CAPABILITIES: z
    .string()
    .default('')
    .transform(words)
    .pipe(z.array(z.enum(capabilities, `must be a list of ${capabilities.join(', ')}, separated by commas`))),
  /** Like Available=ReadyForPickup,Collected=Completed. Codes that are not named are ours already. */
  LOCKER_STATE_MAP: z.string().default('').pipe(stateMap),
  LOCKER_NO_LOCKER_CODES: z.string().default('').transform(words),
  /** Of stateStart where it has no offset: UTC, or a name like Europe/Amsterdam. */
  LOCKER_TIME_ZONE: z
    .string()
    .default('UTC')
    .refine(isTimeZone, 'must be the name of a time zone, like UTC or Europe/Amsterdam'),
});

export function readPeer(settings: z.output<typeof peerSettings>): Peer {
  const stateCodeOf = settings.LOCKER_STATE_MAP;
  const toUtc = utcOf(settings.LOCKER_TIME_ZONE);
  return {
    capabilities: new Set(settings.LOCKER_CAPABILITIES),
    noLockerCodes: new Set(['NoLockerAvailable', ...settings.LOCKER_NO_LOCKER_CODES]),
    inOurWords: (shipment) => ({
      ...shipment,
      stateCode: stateCodeOf.get(shipment.stateCode ?? '') ?? shipment.stateCode,
      stateStart: shipment.stateStart === null ? null : toUtc(shipment.stateStart),
    }),
  };
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined;
  } catch {
    return false; // RangeError is how Intl says that it does not know the name.
  }
}

// Of the years 1900 to 8999: some write 0001-01-01 for none, and Intl writes years near it, or near 10000, otherwise.
const localDateTime = /^(19|[2-8]\d)\d\d-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?$/;

/** What has an offset, and what is no moment at all, stays as it came. */
function utcOf(timeZone: string): (stateStart: string) => string {
  const format = new Intl.DateTimeFormat('en', {
    timeZone,
    calendar: 'iso8601',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  const offsetAt = (instant: number): number => {
    const part = new Map(format.formatToParts(instant).map(({ type, value }) => [type, value]));
    const date = `${part.get('year')}-${part.get('month')}-${part.get('day')}`;
    const shown = Date.parse(`${date}T${part.get('hour')}:${part.get('minute')}:${part.get('second')}Z`);
    return shown - Math.floor(instant / 1_000) * 1_000;
  };
  return (stateStart) => {
    if (!localDateTime.test(stateStart)) return stateStart;
    const asIfUtc = Date.parse(`${stateStart}Z`);
    if (Number.isNaN(asIfUtc)) return stateStart;
    // The offset is asked for twice: the first answer may be of the other side of a change of the clocks.
    const nearby = asIfUtc - offsetAt(asIfUtc);
    return new Date(asIfUtc - offsetAt(nearby)).toISOString();
  };
}
