// The faults of one run. Each run has some of the kinds, each with a probability of its own: a run with all of them at once
// would hide what a few of them do. Each fault that happens has a name, so that a failing run can be repeated with fewer.
import type { Random } from '../kernel/random.ts';

export const faultKinds = {
  requestLost: 'a request never reaches the service',
  requestSlow: 'a request reaches the service after seconds, perhaps after its caller has given up',
  failsBefore: 'the service answers 500 and has done nothing',
  failsAfter: 'the service answers 503 and has done it',
  answerLost: 'the answer of the service is lost',
  callbackLost: 'a callback never reaches the receiver',
  callbackAnswerLost: 'the service never sees that a callback was taken',
  callbackDoubled: 'a callback comes a second time, perhaps after later ones',
  callbackForged: 'somebody sends a callback without the key',
  callbackForeign: 'a callback of a shipment that no flow has booked',
  workerKilled: 'a worker is killed and comes back after a while',
  runEvicted: 'a worker drops a run from its cache',
  receiverKilled: 'the receiver is killed and comes back after a while',
  serviceStopped: 'the service is away for a while',
  temporalAway: 'nobody reaches Temporal for a while',
} as const satisfies Readonly<Record<string, string>>;

export type FaultKind = keyof typeof faultKinds;

const kinds = Object.keys(faultKinds) as FaultKind[];
/** Those that befall a program at any step, and not a message. */
export const stepFaults = [
  'workerKilled',
  'runEvicted',
  'receiverKilled',
  'serviceStopped',
  'temporalAway',
  'callbackForged',
  'callbackForeign',
] as const satisfies readonly FaultKind[];

export interface Happened {
  /** The kind and the how manieth chance of it. */
  readonly name: string;
  readonly kind: FaultKind;
  readonly step: number;
  /** The states in which some shipment was then. */
  readonly during: readonly string[];
}

export class Faults {
  /** Milliseconds that a message needs at most where nothing is wrong. */
  readonly networkMs: number;
  readonly happened: Happened[] = [];
  readonly #probabilities: ReadonlyMap<FaultKind, number>;
  readonly #streams: ReadonlyMap<FaultKind, Random>;
  readonly #chances = new Map<FaultKind, number>();
  readonly #only: ReadonlySet<string> | null;
  readonly #step: () => number;
  readonly #states: () => readonly string[];
  #areOver = false;

  /** @param only the names of the faults that may happen; all if null */
  constructor(
    random: Random,
    {
      step,
      only,
      states,
    }: { step(): number; readonly only: ReadonlySet<string> | null; states(): readonly string[] },
  ) {
    const choice = random.stream('choice of faults');
    this.networkMs = choice.spread(2, 400);
    const share = choice.pick([0, 0.3, 0.6, 1]);
    this.#probabilities = new Map(
      kinds.map((kind) => [kind, choice.chance(share) ? choice.spread(1, 30) / 100 : 0]),
    );
    this.#streams = new Map(kinds.map((kind) => [kind, random.stream(`fault ${kind}`)]));
    this.#only = only;
    this.#step = step;
    this.#states = states;
  }

  get chosen(): readonly FaultKind[] {
    return kinds.filter((kind) => (this.#probabilities.get(kind) ?? 0) > 0);
  }

  /** From now on everything works. */
  end(): void {
    this.#areOver = true;
  }

  happens(kind: FaultKind): boolean {
    const chance = (this.#chances.get(kind) ?? 0) + 1;
    this.#chances.set(kind, chance);
    const isDrawn = (this.#streams.get(kind) as Random).chance(this.#probabilities.get(kind) ?? 0);
    const name = `${kind}#${chance}`;
    if (!isDrawn || this.#areOver || this.#only?.has(name) === false) return false;
    this.happened.push({ name, kind, step: this.#step(), during: this.#states() });
    return true;
  }
}
