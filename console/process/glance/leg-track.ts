// The track of a built-in flow: a lane for each of its shipments, with the stages that such a shipment goes through. What they
// are comes from the declaration of the flow; what the process says of its shipments decides which of them are over.
import { nameOf } from '../../../contract/flows/attribution.ts';
import type { Progress } from '../../../contract/flows/flow-answers.ts';
import type { Role } from '../../../contract/flows/flow-input.ts';
import { type Declaration, type Leg, legOf, rolesOf } from '../../../flows/built-in/declaration.ts';
import { flows } from '../../../flows/built-in/flows.ts';
import { formatRole } from '../../../processes/views/format-names.ts';
import type { Lane, Stage, Track } from './glance-view.ts';

interface LegTrackParts {
  readonly progress: Progress;
  /** It has ended without a result: why. */
  readonly failure: string | null;
}

/** Undefined for a flow that this console does not know. */
export function legTrack({ progress, failure }: LegTrackParts): Track | undefined {
  const versions = Object.hasOwn(flows, progress.flow)
    ? flows[progress.flow as keyof typeof flows]
    : undefined;
  const flow = (versions as Readonly<Record<number, Declaration>> | undefined)?.[progress.version];
  if (!flow) return undefined;
  const roles = rolesOf(flow);
  return roles.map((role, index) => ({
    title: roles.length > 1 ? formatRole(role) : null,
    stages: new LegStages(flow, role, progress, failure).stages(index === 0),
  }));
}

/** In the order in which a shipment goes through them. */
const ORDER = ['Registered', 'ReadyForDropoff', 'WaitForReceiver', 'ReadyForPickup', 'Completed'] as const;
type Passed = (typeof ORDER)[number];

const isPassed = (code: string | null): code is Passed =>
  (ORDER as readonly (string | null)[]).includes(code);

/** What is said of a stage before it is over, and after. */
const titles: Readonly<Record<Passed, readonly [before: string, after: string]>> = {
  Registered: ['Booked ahead', 'Booked'],
  ReadyForDropoff: ['To be dropped off', 'Dropped off'],
  WaitForReceiver: ['Waits for a receiver', 'Receiver known'],
  ReadyForPickup: ['To be picked up', 'Picked up'],
  Completed: ['Done', 'Done'],
};

/** Those that such a shipment goes through if all goes well. */
function expected(leg: Leg): Set<Passed> {
  const { begins, follows, deadlines } = leg;
  const all = new Set<Passed>();
  if (begins === 'Registered') all.add('Registered');
  if (begins === 'ReadyForDropoff' || follows?.link === 'subsequentIntake') all.add('ReadyForDropoff');
  if (isStock(leg) || deadlines.includes('pickUp')) all.add('ReadyForPickup');
  if (!isStock(leg)) all.add('Completed');
  return all;
}

/** It is done once the item is in its locker, for whoever gets it later. */
const isStock = ({ done }: Leg): boolean => done.includes('ReadyForPickup');

const NOTHING = { since: null, until: null, isOverdue: false, reason: null } as const;
const stage = (title: string, status: Stage['status'], more: Partial<Stage> = {}): Stage => ({
  ...NOTHING,
  title,
  status,
  ...more,
});

class LegStages {
  readonly #leg: Leg;
  readonly #role: Role;
  readonly #progress: Progress;
  readonly #failure: string | null;

  constructor(flow: Declaration, role: Role, progress: Progress, failure: string | null) {
    this.#leg = legOf(flow, role);
    this.#role = role;
    this.#progress = progress;
    this.#failure = failure;
  }

  /** @param isFirst it shows the booking, which is of all shipments of the flow */
  stages(isFirst: boolean): Lane['stages'] {
    const { shipments, unassigned } = this.#progress;
    const known = shipments[this.#role];
    const own = known ? this.#of(known.shipmentUid) : this.#unknown(unassigned.length > 0);
    return [...(isFirst ? [this.#booking()] : []), ...own, ...this.#undoing(isFirst)];
  }

  #booking(): Stage {
    const { activity, shipments, unassigned } = this.#progress;
    if (Object.keys(shipments).length + unassigned.length > 0) return stage('Booked', 'past');
    const doubt = this.#decision('BookingUnknown', 'LegsUnmatched');
    if (doubt) return stage('Booking in doubt', 'failed', doubt);
    if (activity === 'Ended') return stage('Not booked', 'failed', { reason: this.#failure });
    const since = this.#progress.awaits.find(({ kind }) => kind === 'booking')?.since ?? null;
    return stage('Being booked', 'present', { since });
  }

  /** It is not known which shipment this leg is. */
  #unknown(hasAny: boolean): Stage[] {
    const future = [...expected(this.#leg)].map((code) => stage(this.#title(code, 'before'), 'future'));
    if (this.#progress.activity === 'Ended') return [];
    if (!hasAny) return future;
    const doubt = this.#decision('LegsIndistinct');
    const title = 'Not known yet which shipment it is';
    return [doubt ? stage(title, 'failed', doubt) : stage(title, 'present'), ...future];
  }

  #of(uid: string): Stage[] {
    const { stateCode = null, done = false, stateStart = null } = this.#progress.shipments[this.#role] ?? {};
    const reached = this.#reached(uid);
    if (!isPassed(stateCode)) return this.#stopped(stateCode, reached, stateStart);
    const at = ORDER.indexOf(stateCode);
    const wanted = new Set<Passed>([...expected(this.#leg), ...reached.keys(), stateCode]);
    return ORDER.filter((code) => wanted.has(code)).map((code): Stage => {
      const since = reached.get(code) ?? null;
      const place = ORDER.indexOf(code);
      if (place < at || (place === at && done)) return stage(this.#title(code, 'after'), 'past', { since });
      if (place > at) return stage(this.#title(code, 'before'), 'future');
      return this.#present(code, uid, stateStart ?? since);
    });
  }

  #present(code: Passed, uid: string, since: string | null): Stage {
    const { activity, awaits } = this.#progress;
    const title = this.#title(code, 'before');
    if (activity === 'Ended') {
      const isWell = this.#failure === null;
      return stage(isWell ? this.#title(code, 'after') : title, isWell ? 'past' : 'failed', {
        since,
        reason: this.#failure,
      });
    }
    const contradiction = awaits.find(
      ({ kind, reason, shipmentUid }) =>
        kind === 'decision' && reason === 'Contradiction' && shipmentUid === uid,
    );
    if (contradiction) return stage(title, 'failed', { since, reason: contradiction.why ?? null });
    const awaited = awaits.find(({ kind, role }) => kind === 'leg' && role === this.#role);
    const { until = null, isOverdue = false } = awaited ?? {};
    return stage(title, 'present', { since, until, isOverdue });
  }

  /** It was cancelled, or no report has told its state. */
  #stopped(stateCode: string | null, reached: ReadonlyMap<Passed, string>, since: string | null): Stage[] {
    const codes = ORDER.filter((code) => reached.has(code));
    const last = codes.at(-1);
    const past = codes.map((code) =>
      // The last one did not come to its end.
      stage(this.#title(code, code === last ? 'before' : 'after'), 'past', {
        since: reached.get(code) ?? null,
      }),
    );
    if (stateCode === 'Cancelled')
      return [...past, stage('Cancelled', 'failed', { since, reason: this.#whyCancelled() })];
    if (this.#progress.activity === 'Ended') return past;
    return [...past, stage('State not known yet', 'present')];
  }

  #whyCancelled(): string | null {
    const { outcome, resolutions } = this.#progress;
    const gaveUp = resolutions.findLast(({ action }) => action === 'giveUp');
    if (gaveUp) return `${nameOf(gaveUp)} gave it up: ${gaveUp.why}`;
    return outcome === 'Overdue' ? 'Its deadline passed.' : null;
  }

  #undoing(isFirst: boolean): Stage[] {
    if (!isFirst) return [];
    const failed = this.#decision('NotUndone');
    if (failed) return [stage('Could not be undone', 'failed', failed)];
    return this.#progress.activity === 'Undoing' ? [stage('Being undone', 'present')] : [];
  }

  #decision(...reasons: readonly string[]): Pick<Stage, 'reason' | 'since'> | undefined {
    const found = this.#progress.awaits.find(
      ({ kind, reason }) => kind === 'decision' && reason !== undefined && reasons.includes(reason),
    );
    return found && { reason: found.why ?? null, since: found.since };
  }

  /** When a report of each state came that moved the shipment. */
  #reached(uid: string): Map<Passed, string> {
    const reached = new Map<Passed, string>();
    for (const { shipmentUid, stateCode, stateStart, receivedAt, verdict } of this.#progress.ledger)
      if (shipmentUid === uid && isPassed(stateCode) && MOVING.has(verdict) && !reached.has(stateCode))
        reached.set(stateCode, stateStart ?? receivedAt);
    return reached;
  }

  #title(code: Passed, when: 'before' | 'after'): string {
    return titleIn(this.#leg, code, when);
  }
}

function titleIn(leg: Leg, code: Passed, when: 'before' | 'after'): string {
  if (isStock(leg) && code === 'ReadyForPickup') return 'In stock';
  return titles[code][when === 'before' ? 0 : 1];
}

const MOVING: ReadonlySet<string> = new Set(['next', 'skippedAhead', 'pickedUp']);
