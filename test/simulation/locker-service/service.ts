// The locker service as a model: the real rules of chains and shipments, the real contract, and around them the least that
// bookings, keys, listings and an outbox of callbacks need. A request is one transaction: done as a whole, or not at all.
import {
  ContractError,
  encodeAnswer,
  encodeFailure,
  IDEMPOTENCY_KEY_HEADER,
  type OperationName,
  operationNames,
  operationRow,
  parseRequest,
} from '../../../contract/index.ts';
import { applyToChain, type ChainEvent } from '../../../machines/chain.ts';
import {
  type Chain,
  type ChainShipment,
  holderOf,
  type Link,
  type NewShipment,
} from '../../../machines/chain-shipments.ts';
import type { Random } from '../kernel/random.ts';
import type { Simulator } from '../kernel/simulator.ts';

export interface Details {
  referenceNo: string | null;
  referenceCaseNo: string | null;
  description: string | null;
}

export interface StoredShipment extends Details {
  readonly shipmentUid: string;
  readonly chain: StoredChain;
  readonly role: string;
  readonly createdAt: number;
  stateStart: number;
  /** Every state that it has had, in order. */
  readonly states: { readonly stateCode: string; readonly at: number }[];
  /** In the order in which they are due; the first is delivered until it is taken. */
  readonly outbox: Callback[];
}

export interface StoredChain {
  shipments: Chain;
  readonly locker: string;
  readonly shipmentUids: string[];
}

export interface Callback {
  readonly shipmentUid: string;
  readonly stateCode: string;
  readonly body: string;
}

/** A booking that was made, for whoever wants to know the truth. */
export interface Booked {
  readonly operation: OperationName;
  readonly key: string | null;
  readonly caseNo: string | null;
  readonly at: number;
  /** By role. */
  readonly shipments: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly status: number;
  readonly body: string;
}

const DISPATCHER = 'dispatcher';

class Refused extends Error {
  override readonly name = 'Refused';
  readonly code: 'InvalidShipmentState' | 'NoLockerAvailable' | 'InvalidShipment';

  constructor(code: Refused['code']) {
    super(code);
    this.code = code;
  }
}

type Fields = Readonly<Record<string, unknown>>;

export class LockerService {
  readonly shipments = new Map<string, StoredShipment>();
  readonly bookings: Booked[] = [];
  readonly #lockers: ReadonlyMap<string, { holder: StoredChain | null }>;
  readonly #answered = new Map<string, { readonly body: string; readonly answer: Answer }>();
  readonly #simulator: Simulator;
  readonly #random: Random;
  readonly #honoursKeys: boolean;
  readonly #changed: (shipment: StoredShipment) => void;
  #count = 0;

  constructor(
    simulator: Simulator,
    {
      lockers,
      honoursKeys,
      changed,
    }: {
      readonly lockers: number;
      readonly honoursKeys: boolean;
      /** Called after each change of a state. */
      changed(shipment: StoredShipment): void;
    },
  ) {
    this.#simulator = simulator;
    this.#random = simulator.random.stream('service');
    this.#honoursKeys = honoursKeys;
    this.#changed = changed;
    this.#lockers = new Map(
      Array.from({ length: lockers }, (_, index) => [`locker-${index + 1}`, { holder: null }]),
    );
  }

  get held(): readonly StoredChain[] {
    return [...this.#lockers.values()].flatMap(({ holder }) => holder ?? []);
  }

  /** The whole handling of a request, at once. */
  handle(path: string, headers: Readonly<Record<string, string>>, body: string): Answer {
    const name = byPath.get(path);
    if (!name) return failure(404, 'UnknownOperation');
    const key = this.#honoursKeys ? headers[IDEMPOTENCY_KEY_HEADER.toLowerCase()] : undefined;
    const before = key === undefined ? undefined : this.#answered.get(key);
    if (before) return before.answer;
    let answer: Answer;
    try {
      const request = parseRequest(name, JSON.parse(body)) as Fields;
      const response = this.#do(name, request, headers[IDEMPOTENCY_KEY_HEADER.toLowerCase()] ?? null);
      answer = { status: 200, body: JSON.stringify(encodeAnswer(name, response as never)) };
      if (key !== undefined) this.#answered.set(key, { body, answer });
    } catch (error) {
      if (error instanceof ContractError) return failure(400, 'InvalidRequest', error.message);
      if (error instanceof Refused) return failure(error.code === 'InvalidShipment' ? 404 : 409, error.code);
      throw error;
    }
    return answer;
  }

  stateOf(shipmentUid: string): ChainShipment | undefined {
    return this.shipments.get(shipmentUid)?.chain.shipments.find((each) => each.shipmentUid === shipmentUid);
  }

  /** What a person does at the door; false where the shipment is not in that state any more. */
  access(shipmentUid: string, type: 'ItemDroppedOff' | 'ItemPickedUp'): boolean {
    const { chain } = this.#stored(shipmentUid);
    const outcome = applyToChain(chain.shipments, { type, shipmentUid });
    if (!outcome.applied) return false;
    this.#store(chain, outcome.chain);
    return true;
  }

  /** Those in which some shipment is now. */
  states(): string[] {
    return [...new Set([...this.shipments.values()].flatMap(({ states }) => states.at(-1)?.stateCode ?? []))];
  }

  transitions(): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const { states } of this.shipments.values())
      for (const [index, { stateCode }] of states.entries()) {
        const transition = `${states[index - 1]?.stateCode ?? 'booked'} → ${stateCode}`;
        counts[transition] = (counts[transition] ?? 0) + 1;
      }
    return counts;
  }

  /** What nobody may see: a locker of two, a chain that no locker has. */
  wrong(): string[] {
    const active = [...new Set([...this.shipments.values()].map(({ chain }) => chain))].filter(
      ({ shipments }) => holderOf(shipments),
    );
    const twice = active.filter(
      ({ locker }, index) => active.findIndex((each) => each.locker === locker) !== index,
    );
    return twice.map(({ locker }) => `${locker} has two bookings`);
  }

  #do(name: OperationName, request: Fields, key: string | null): unknown {
    if (name in planned) return this.#book(name as BookingName, request, key);
    switch (name) {
      case 'GetShipments':
        return this.#listed(request);
      case 'CancelShipment':
        this.#apply(String(request.shipmentUid), {
          type: 'Cancelled',
          shipmentUid: String(request.shipmentUid),
        });
        return {};
      case 'SetShipmentReceiver': {
        const shipmentUid = String(request.shipmentUid);
        const { toUserUid, removeReceiver } = request;
        this.#apply(
          shipmentUid,
          removeReceiver
            ? { type: 'ReceiverRemoved', shipmentUid }
            : { type: 'ReceiverSet', shipmentUid, toUserUid: String(toUserUid) },
        );
        return {};
      }
      case 'SetShipmentDetails': {
        const stored = this.#stored(String(request.shipmentUid));
        Object.assign(stored, detailsOf(request));
        return {};
      }
      default:
        throw new TypeError(`the model of the service does not know ${name}`);
    }
  }

  /** Throws where there is none. */
  of(shipmentUid: string): StoredShipment {
    return this.#stored(shipmentUid);
  }

  #stored(shipmentUid: string): StoredShipment {
    const stored = this.shipments.get(shipmentUid);
    if (!stored) throw new Refused('InvalidShipment');
    return stored;
  }

  #apply(shipmentUid: string, ...events: ChainEvent[]): void {
    const { chain } = this.#stored(shipmentUid);
    const outcome = applyToChain(chain.shipments, ...events);
    if (!outcome.applied) throw new Refused('InvalidShipmentState');
    this.#store(chain, outcome.chain);
  }

  #book(name: BookingName, request: Fields, key: string | null): unknown {
    const prior = request.priorShipmentUid == null ? null : this.#stored(String(request.priorShipmentUid));
    const plan = planned[name](request, prior ? String(prior.shipmentUid) : '');
    const news = plan.shipments.map((given): NewShipment & { role: string; details: Details } => {
      this.#count += 1;
      return {
        ...{
          shipmentType: 'LocalPupShipment',
          fromUserUid: DISPATCHER,
          toUserUid: DISPATCHER,
          predecessor: null,
        },
        ...{ fromFollowsPredecessorReceiver: false, keepBookedAfterPickUp: false },
        shipmentUid: `s${this.#count}-${this.#random.next().toString(16).slice(0, 4)}`,
        ...given,
      };
    });
    const linked = news.map(({ role: _, details: __, after, ...shipment }: Planned & NewShipment) => ({
      ...shipment,
      predecessor: after
        ? {
            link: after.link,
            shipmentUid: after.role === PRIOR ? (prior?.shipmentUid ?? '') : uidOf(news, after.role),
          }
        : null,
    })) as NewShipment[];
    const chain = prior?.chain ?? this.#newChain();
    const events: ChainEvent[] = [
      ...plan.events,
      ...(linked.length > 0
        ? [
            {
              type: 'Booked' as const,
              shipments: linked,
              ...(plan.goesTo && { predecessorGoesTo: plan.goesTo }),
            },
          ]
        : []),
    ];
    const outcome = applyToChain(chain.shipments, ...events);
    if (!outcome.applied) throw new Refused('InvalidShipmentState');
    for (const { shipmentUid, role, details } of news) {
      chain.shipmentUids.push(shipmentUid);
      this.shipments.set(shipmentUid, {
        ...{
          shipmentUid,
          chain,
          role,
          ...details,
          createdAt: this.#simulator.now,
          stateStart: this.#simulator.now,
        },
        ...{ states: [], outbox: [] },
      });
    }
    if (prior && plan.priorCaseNo !== undefined) prior.referenceCaseNo = plan.priorCaseNo;
    const before = new Set(news.map(({ shipmentUid }) => shipmentUid));
    this.#store(chain, outcome.chain, before);
    const uids = [...(plan.events.length > 0 && prior ? [prior.shipmentUid] : []), ...before];
    const shipments = Object.fromEntries([
      ...(prior && plan.events.length > 0 ? [[plan.priorRole ?? 'issue', prior.shipmentUid]] : []),
      ...news.map(({ role, shipmentUid }) => [role, shipmentUid]),
    ]);
    const caseNo =
      news.find(({ details }) => details.referenceCaseNo)?.details.referenceCaseNo ??
      plan.priorCaseNo ??
      null;
    this.bookings.push({ operation: name, key, caseNo, at: this.#simulator.now, shipments });
    this.#simulator.note(`service: ${name} for ${caseNo} books ${uids.join(', ')} in ${chain.locker}`);
    return { shipmentUids: this.#random.shuffled(uids) };
  }

  #newChain(): StoredChain {
    const free = [...this.#lockers].filter(([, { holder }]) => holder === null);
    if (free.length === 0) throw new Refused('NoLockerAvailable');
    const [locker] = this.#random.pick(free);
    return { shipments: [], locker, shipmentUids: [] };
  }

  /** A callback for each change of a state; none for a booking. */
  #store(chain: StoredChain, now: Chain, booked: ReadonlySet<string> = new Set()): void {
    const before = chain.shipments;
    chain.shipments = now;
    const locker = this.#lockers.get(chain.locker);
    if (locker) locker.holder = holderOf(now) ? chain : null;
    for (const shipment of now) {
      const { shipmentUid, stateCode } = shipment;
      const stored = this.#stored(shipmentUid);
      const former = before.find((each) => each.shipmentUid === shipmentUid);
      if (former?.stateCode === stateCode) continue;
      stored.stateStart = this.#simulator.now;
      stored.states.push({ stateCode, at: this.#simulator.now });
      if (!booked.has(shipmentUid)) {
        const message = this.#shown(stored, shipment);
        const body = JSON.stringify({ messageType: 'ShipmentStatusUpdate', message });
        stored.outbox.push({ shipmentUid, stateCode, body });
      }
      this.#simulator.note(`service: ${shipmentUid} is ${stateCode}`);
      this.#changed(stored);
    }
  }

  #shown(stored: StoredShipment, { shipmentType, stateCode, fromUserUid, toUserUid }: ChainShipment) {
    const { shipmentUid, referenceNo, referenceCaseNo, description } = stored;
    return {
      ...{ shipmentUid, stateCode, stateStart: wireTime(stored.stateStart), shipmentType },
      ...{ referenceNo, referenceCaseNo, description, pupUid: 'pup-1', fromUserUid, toUserUid },
    };
  }

  #listed({ pageNo, pageSize, shipmentUid, updatedSince }: Fields): unknown {
    const since = updatedSince == null ? 0 : Date.parse(String(updatedSince));
    const all = [...this.shipments.values()]
      .filter((stored) => shipmentUid == null || stored.shipmentUid === shipmentUid)
      .filter(({ stateStart, createdAt }) => Math.max(stateStart, createdAt) >= since)
      .sort((one, other) => one.stateStart - other.stateStart);
    const size = Number(pageSize ?? 100);
    const items = all
      .slice((Number(pageNo ?? 1) - 1) * size)
      .slice(0, size)
      .map((stored) => {
        const shipment = this.stateOf(stored.shipmentUid) as ChainShipment;
        const after = (link: Link) =>
          shipment.predecessor?.link === link ? shipment.predecessor.shipmentUid : null;
        return {
          ...this.#shown(stored, shipment),
          ...{ lockerName: stored.chain.locker, lastPickUpAt: null },
          swapsShipmentUid: after('swap'),
          priorShipmentUid: after('subsequentIntake'),
          circularPriorShipmentUid: after('circularStock'),
        };
      });
    return {
      items,
      totalItems: all.length,
      totalPages: Math.max(1, Math.ceil(all.length / size)),
      nextCursor: null,
    };
  }
}

/** The offset is left out, as the service does. */
const wireTime = (moment: number): string => new Date(moment).toISOString().slice(0, -1);

const byPath: ReadonlyMap<string, OperationName> = new Map(
  operationNames.map((name) => [operationRow(name).path, name]),
);

function failure(
  status: number,
  code: Parameters<typeof encodeFailure>[0],
  message: string | null = null,
): Answer {
  return { status, body: JSON.stringify(encodeFailure(code, message)) };
}

export function detailsOf(given: unknown): Details {
  const { referenceNo, referenceCaseNo, description } = (given ?? {}) as Partial<Details>;
  return {
    referenceNo: referenceNo ?? null,
    referenceCaseNo: referenceCaseNo ?? null,
    description: description ?? null,
  };
}

const PRIOR = 'prior';

type Planned = Partial<NewShipment> & {
  readonly role: string;
  readonly details: Details;
  readonly after?: { readonly role: string; readonly link: Link };
};

interface Plan {
  readonly events: readonly ChainEvent[];
  readonly shipments: readonly Planned[];
  readonly goesTo?: string;
  readonly priorRole?: string;
  readonly priorCaseNo?: string | null;
}

const uidOf = (
  all: readonly { readonly role: string; readonly shipmentUid: string }[],
  role: string,
): string => all.find((each) => each.role === role)?.shipmentUid ?? '';

const issued = ({ toUserUid, issue }: Fields, shipmentUid: string): Omit<Plan, 'shipments'> => {
  const { referenceCaseNo } = (issue ?? {}) as Partial<Details>;
  return {
    events: [{ type: 'IssuedFromStock', shipmentUid, toUserUid: String(toUserUid) }],
    priorRole: 'issue',
    ...(referenceCaseNo != null && { priorCaseNo: referenceCaseNo }),
  };
};

const returned = { fromUserUid: null, fromFollowsPredecessorReceiver: true } as const;

type Planning = (request: Fields, prior: string) => Plan;

type BookingName = Extract<
  OperationName,
  | 'CreateLocalShipmentAsIssue'
  | 'CreateLocalShipmentAsIssueAndSwapIntake'
  | 'CreateLocalShipmentAsIntake'
  | 'CreateLocalShipmentAsIntakeAndCircularStock'
  | 'CreateLocalShipmentAsStock'
  | 'CreateLocalShipmentAsIssueFromStock'
  | 'CreateLocalShipmentAsIssueFromStockAndSwapIntake'
  | 'CreateCollectOnlyShipmentAsCollectByUser'
>;

/** What each operation books, by the roles that a flow gives its shipments. */
const planned = {
  CreateLocalShipmentAsIssue: ({ toUserUid, details }) => ({
    events: [],
    shipments: [{ role: 'issue', toUserUid: String(toUserUid), details: detailsOf(details) }],
  }),
  CreateLocalShipmentAsIssueAndSwapIntake: ({ toUserUid, details, return: back }) => ({
    events: [],
    shipments: [
      { role: 'issue', toUserUid: String(toUserUid), details: detailsOf(details) },
      { role: 'intake', ...returned, details: detailsOf(back), after: { role: 'issue', link: 'swap' } },
    ],
  }),
  CreateLocalShipmentAsIntake: ({ fromUserUid, details }) => ({
    events: [],
    shipments: [{ role: 'intake', fromUserUid: String(fromUserUid), details: detailsOf(details) }],
  }),
  CreateLocalShipmentAsIntakeAndCircularStock: ({ fromUserUid, details }) => ({
    events: [],
    shipments: [
      { role: 'intake', fromUserUid: String(fromUserUid), details: detailsOf(details) },
      {
        ...{ role: 'circularStock', toUserUid: null, details: detailsOf(details) },
        after: { role: 'intake', link: 'circularStock' },
      },
    ],
  }),
  CreateLocalShipmentAsStock: ({ details }) => ({
    events: [],
    shipments: [{ role: 'stock', toUserUid: null, details: detailsOf(details) }],
  }),
  CreateLocalShipmentAsIssueFromStock: (request, prior) => ({ ...issued(request, prior), shipments: [] }),
  CreateLocalShipmentAsIssueFromStockAndSwapIntake: (request, prior) => ({
    ...issued(request, prior),
    shipments: [
      {
        role: 'intake',
        ...returned,
        details: detailsOf(request.return),
        after: { role: PRIOR, link: 'swap' },
      },
    ],
  }),
  CreateCollectOnlyShipmentAsCollectByUser: ({ toUserUid, details }) => ({
    events: [],
    shipments: [
      {
        role: 'collect',
        shipmentType: 'CollectOnlyShipment',
        toUserUid: String(toUserUid),
        details: detailsOf(details),
      },
    ],
  }),
} satisfies Partial<Record<OperationName, Planning>> as Readonly<Record<BookingName, Planning>>;
