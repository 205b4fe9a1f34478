// The locker service that the flows call may differ from our own (assumptions: A bare vendor): what it can
// do beyond the interface, its state codes, its code for "no locker free", its time zone. Every process reads these
// settings here.
import { z } from 'zod';
import { type StateCode, stateCodes } from './states.ts';

export const capabilities = ['getShipments', 'idempotencyKey', 'accessCodes', 'accessMessages'] as const;
/**
 * What the service offers beyond the interface: the listing, the header Idempotency-Key, GetShipmentAccessCode, and the message
 * ShipmentAccess when a kept-booked shipment is picked up.
 */
export type Capability = (typeof capabilities)[number];

export interface ServiceProfile {
  readonly capabilities: ReadonlySet<Capability>;
  /** Codes that mean NoLockerAvailable, beside that code itself. */
  readonly noLockerCodes: ReadonlySet<string>;
  /** The shipment with our state code in place of the service's, and its moments in UTC. */
  readonly normalize: <Shipment extends ReportedState>(shipment: Shipment) => Shipment;
}

interface ReportedState {
  readonly stateCode: string | null;
  readonly stateStart: string | null;
  /** Present for an access. */
  readonly occurredAt?: string | null;
  readonly lastPickUpAt?: string | null;
}

const moments = ['stateStart', 'occurredAt', 'lastPickUpAt'] as const;

const commaSeparated = (text: string) =>
  text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');

const stateMap = z.string().transform((text, context) => {
  const map = new Map<string, StateCode>();
  for (const pair of commaSeparated(text)) {
    const [theirs, ours, ...rest] = pair.split('=').map((word) => word.trim());
    const known = stateCodes.find((code) => code === ours);
    if (theirs && known && rest.length === 0) map.set(theirs, known);
    else
      context.addIssue(
        `must have pairs like Available=ReadyForPickup, a state code of the service and one of ${stateCodes.join(', ')}; "${pair}" is no such pair`,
      );
  }
  return map;
});

/**
 * The settings of the service, without its address and credentials. The defaults fit our own service, but use none of its
 * additions.
 */
export const serviceProfileSettings = z.object({
  /** None by default: a flow that relies on the Idempotency-Key would book twice with a service that ignores it. */
  LOCKER_CAPABILITIES: z
    .string()
    .default('')
    .transform(commaSeparated)
    .pipe(z.array(z.enum(capabilities, `must be a list of ${capabilities.join(', ')}, separated by commas`))),
  /** Like Available=ReadyForPickup,Collected=Completed. Codes that are not listed mean the same as ours. */
  LOCKER_STATE_MAP: z.string().default('').pipe(stateMap),
  LOCKER_NO_LOCKER_CODES: z.string().default('').transform(commaSeparated),
  /** The time zone of a stateStart without an offset: UTC, or a name like Europe/Amsterdam. */
  LOCKER_TIME_ZONE: z
    .string()
    .default('UTC')
    .refine(isTimeZone, 'must be the name of a time zone, like UTC or Europe/Amsterdam'),
});

export function readServiceProfile(settings: z.output<typeof serviceProfileSettings>): ServiceProfile {
  const stateCodeOf = settings.LOCKER_STATE_MAP;
  const toUtc = utcOf(settings.LOCKER_TIME_ZONE);
  return {
    capabilities: new Set(settings.LOCKER_CAPABILITIES),
    noLockerCodes: new Set(['NoLockerAvailable', ...settings.LOCKER_NO_LOCKER_CODES]),
    normalize: (shipment) => ({
      ...shipment,
      stateCode: stateCodeOf.get(shipment.stateCode ?? '') ?? shipment.stateCode,
      ...Object.fromEntries(
        moments.flatMap((name) => (shipment[name] == null ? [] : [[name, toUtc(shipment[name])]])),
      ),
    }),
  };
}

/** Whether the IANA database has it. */
export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined;
  } catch {
    return false; // Intl throws RangeError for a name that it does not know.
  }
}

// Only the years 1900 to 8999: some services write 0001-01-01 for "none", and Intl formats years near 1 or 10000 in another
// way.
const localDateTime = /^(19|[2-8]\d)\d\d-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?$/;

/** A text with an offset, or one that is not a moment, stays as it came. */
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
    // The offset is computed twice: the first may be from the other side of a clock change.
    const nearby = asIfUtc - offsetAt(asIfUtc);
    return new Date(asIfUtc - offsetAt(nearby)).toISOString();
  };
}
