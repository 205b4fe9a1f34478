// People: those who come to the doors, those who start flows and change their minds, and the operator who decides what a flow
// cannot know. Each looks at the real world and not at what a flow believes.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { WorkflowNotFoundError, WorkflowUpdateFailedError } from '@temporalio/client';
import { LockerFlows } from '../../../client/locker-flows.ts';
import type { Progress, Resolve } from '../../../contract/flows/flow-messages.ts';
import type { ShipmentFlowType } from '../../../contract/flows/flow-rules.ts';
import { flowRules } from '../../../contract/flows/flow-rules.ts';
import { builtInFlows } from '../../../contract/index.ts';
import type { StateCode } from '../../../contract/wire/states.ts';
import { readFlowFile } from '../../../flow-files/reading/read-flow-file.ts';
import { definitionWorkflowId, FLOW_DEFINITION } from '../../../flow-files/registry.ts';
import { isActive } from '../../../machines/chart.ts';
import type { Random } from '../kernel/random.ts';
import type { StoredShipment } from '../locker-service/service.ts';
import { decoded } from '../temporal/cached-run.ts';
import type { Execution } from '../temporal/execution.ts';
import type { Installation } from './installation.ts';

const users = ['user-anna', 'user-bram'] as const;
const booking = {
  ...{ pupUid: 'pup-1', dimension: { width: 100, height: 100, length: 100 } },
  ...{ allowLargerLockers: true, allowOverflowLockers: true },
};
const MINUTE = 60_000;
export const EXTENDED_BY_MS = 180 * MINUTE;

/** The flows that the model of the service knows, and what is asked of each. */
const requests: Partial<Record<ShipmentFlowType, (random: Random, prior: string | null) => object>> = {
  Issue: (random) => ({ ...booking, toUserUid: random.pick(users), details: {} }),
  IssueAndSwapIntake: (random) => ({ ...booking, toUserUid: random.pick(users), details: {}, return: {} }),
  Intake: (random) => ({ ...booking, fromUserUid: random.pick(users), details: {} }),
  IntakeAndCircularStock: (random) => ({ ...booking, fromUserUid: random.pick(users), details: {} }),
  Stock: () => ({ ...booking, details: {} }),
  IssueFromStock: (random, priorShipmentUid) => ({ priorShipmentUid, toUserUid: random.pick(users) }),
  IssueFromStockAndSwapIntake: (random, priorShipmentUid) => ({
    ...{ priorShipmentUid, toUserUid: random.pick(users), return: {} },
  }),
  CollectByUser: (random) => ({
    ...{ ...booking, toUserUid: random.pick(users), details: {}, keepBookedAfterPickUp: false },
  }),
};
const types = Object.keys(requests) as ShipmentFlowType[];

/** What somebody does at the door of a shipment in that state. */
const actOf: Readonly<Partial<Record<StateCode, 'ItemDroppedOff' | 'ItemPickedUp'>>> = {
  ReadyForDropoff: 'ItemDroppedOff',
  ReadyForPickup: 'ItemPickedUp',
};

export const LENDS = 'Lending';
const LENDING = join(import.meta.dirname, 'lending.flow.yaml');

const newlyAsked = { isStarted: false, wasCancelled: false, extendedAt: null } as const;

const isFlowType = (type: string): type is ShipmentFlowType => types.some((each) => each === type);

/** A flow that was asked for. */
export interface Asked {
  readonly key: string;
  readonly type: ShipmentFlowType | typeof LENDS;
  readonly input: Readonly<Record<string, unknown>>;
  isStarted: boolean;
  wasCancelled: boolean;
  /** When its deadline was asked to be set anew; null: never. */
  extendedAt: number | null;
  /** What the operator has decided, in words. */
  readonly decisions: Resolve['action'][];
}

export class People {
  readonly asked = new Map<string, Asked>();
  readonly #simulation: Installation;
  readonly #random: Random;
  readonly #flows: LockerFlows;
  #askedFor = 0;
  readonly #priorsUsed = new Set<string>();
  readonly #inDoubtSince = new Map<string, number>();

  constructor(simulation: Installation) {
    this.#simulation = simulation;
    this.#random = simulation.simulator.random.stream('people');
    const client = simulation.clientOf({ name: 'customers', isAlive: true });
    this.#flows = new LockerFlows(client);
    simulation.temporal.onBegin((execution) => this.#noteChild(execution));
  }

  /** Whether all has been asked for that will be. */
  get haveAskedForAll(): boolean {
    return this.#askedFor === this.#simulation.configuration.flows;
  }

  /** A flow that a flow file has begun books as one that a person has asked for. */
  #noteChild({ workflowId: key, type, args, parentExecution }: Execution): void {
    if (!parentExecution || !isFlowType(type) || this.asked.has(key)) return;
    const input = decoded(args)[0] as Asked['input'];
    this.asked.set(key, { key, type, input, ...newlyAsked, isStarted: true, decisions: [] });
  }

  /** As `lockerflow publish` does, without its wait for the list. */
  #publish(): void {
    const { temporal } = this.#simulation;
    const { file, findings } = readFlowFile(readFileSync(LENDING, 'utf8'), {
      ...{ builtIn: builtInFlows, published: [], connectors: null },
    });
    if (!file) throw new TypeError(`the flow file is wrong: ${JSON.stringify(findings)}`);
    const registry = temporal.start({
      workflowId: definitionWorkflowId(file.name),
      type: FLOW_DEFINITION,
      args: [],
    });
    const failed = (failure: unknown) => this.#simulation.simulator.fail(new Error(JSON.stringify(failure)));
    temporal.update(registry, 'publish', [file], 'publication', { done: () => undefined, failed });
  }

  /** All that will be asked for, each at its moment. */
  begin(): void {
    this.#publish();
    const { simulator, configuration } = this.#simulation;
    let at = 0;
    for (let index = 1; index <= configuration.flows; index++) {
      at += this.#random.spread(...configuration.startsWithinMs);
      simulator.in(at, `somebody asks for flow ${index}`, () => this.#ask(`order-${index}`));
    }
    this.#look();
  }

  /** A shipment is in another state: somebody comes, sooner or later. */
  changed({ shipmentUid }: StoredShipment): void {
    const { simulator, configuration, service } = this.#simulation;
    const state = service.stateOf(shipmentUid)?.stateCode;
    this.#issueAtOnce(shipmentUid);
    const type = state && actOf[state];
    if (!type) return;
    simulator.in(this.#random.spread(...configuration.comesAfterMs), `somebody at ${shipmentUid}`, () => {
      if (service.stateOf(shipmentUid)?.stateCode !== state) return;
      if (this.#simulation.isServiceDown())
        return void simulator.in(MINUTE, `somebody at ${shipmentUid}`, () =>
          this.changed(service.of(shipmentUid)),
        );
      simulator.note(`a person: ${type} ${shipmentUid}`);
      service.access(shipmentUid, type);
    });
  }

  #ask(key: string): void {
    const { simulator } = this.#simulation;
    const prior = this.#stock();
    if (this.#random.chance(0.15)) return void this.#lend(key);
    const type = this.#random.pick(types);
    const needsPrior = type.startsWith('IssueFromStock');
    if (needsPrior && prior === null) {
      simulator.in(10 * MINUTE, `${key} needs stock`, () => this.#ask(key));
      return;
    }
    if (needsPrior && prior) this.#priorsUsed.add(prior);
    const input = {
      request: (requests[type] as NonNullable<(typeof requests)[ShipmentFlowType]>)(this.#random, prior),
      ...this.#patience(type),
    };
    this.#askedFor += 1;
    const asked: Asked = { key, type, input, ...newlyAsked, decisions: [] };
    this.asked.set(key, asked);
    this.#start(asked);
    if (this.#random.chance(0.15))
      simulator.in(this.#random.spread(1, 300 * MINUTE), `${key} is not wanted any more`, () =>
        this.#cancel(asked),
      );
    if (this.#random.chance(0.2))
      simulator.in(this.#random.spread(1_000, 300 * MINUTE), `${key} has more time`, () =>
        this.#extend(asked),
      );
  }

  /** Who looks at the service, and not at flows, sees stock that its own flow may not know of yet. */
  #issueAtOnce(shipmentUid: string): void {
    const { simulator, configuration } = this.#simulation;
    if (!this.#isFreeStock(shipmentUid) || !this.#random.chance(configuration.issuesAtOnce)) return;
    const key = `hasty-${shipmentUid}`;
    simulator.in(this.#random.spread(1, 5_000), `somebody issues ${shipmentUid}`, () => {
      if (!this.#isFreeStock(shipmentUid)) return;
      this.#priorsUsed.add(shipmentUid);
      const input = { request: { priorShipmentUid: shipmentUid, toUserUid: this.#random.pick(users) } };
      const asked: Asked = { key, type: 'IssueFromStock', input, ...newlyAsked, decisions: [] };
      this.asked.set(key, asked);
      this.#start(asked);
    });
  }

  #patience(type: ShipmentFlowType): object {
    const [rule] = this.#random.shuffled(
      flowRules[type].deadlines as readonly { role: string; stage: string }[],
    );
    const hasDeadline = rule && rule.role !== 'collect' && this.#random.chance(0.5);
    return {
      ...(hasDeadline && {
        deadlines: { [rule.role]: { [rule.stage]: `PT${this.#random.spread(1, 600)}M` } },
        onOverdue: this.#random.pick(['wait', 'cancel']),
      }),
      ...(this.#random.chance(0.4) && { waitForLocker: 'PT2H' }),
    };
  }

  /** A process of the flow file; the flows in it are its children. */
  #lend(key: string): void {
    const user = this.#random.pick(users);
    this.#askedFor += 1;
    const asked: Asked = { key, type: LENDS, input: { request: { user } }, ...newlyAsked, decisions: [] };
    this.asked.set(key, asked);
    this.#start(asked);
    if (this.#random.chance(0.15)) {
      const after = this.#random.spread(1, 300 * MINUTE);
      this.#simulation.simulator.in(after, `${key} is not wanted any more`, () => this.#cancel(asked));
    }
  }

  /** Until it is acknowledged; the same key and input are the same process. */
  #start(asked: Asked): void {
    const { simulator } = this.#simulation;
    const { type, key, input } = asked;
    const started =
      type === LENDS
        ? this.#flows.startPublished(type, key, input)
        : this.#flows.start(type, key, input as never);
    started.then(
      () => {
        asked.isStarted = true;
      },
      (error: unknown) => {
        simulator.note(`${asked.key}: not started: ${String(error)}`);
        if (!isPassing(error)) return simulator.fail(error);
        simulator.in(5_000, `${asked.key} again`, () => this.#start(asked));
      },
    );
  }

  #cancel(asked: Asked): void {
    if (!this.#simulation.temporal.open(asked.key)) return;
    this.#flows
      .handle(asked.key)
      .cancel()
      .then(
        () => {
          asked.wasCancelled = true;
        },
        () => undefined,
      );
  }

  /** At the last moment: the timer and the extension may then reach the flow together. */
  #extendLate(asked: Asked): void {
    const { simulator, temporal, configuration } = this.#simulation;
    const [, slowest] = configuration.temporal.latencyMs;
    const [timer] = temporal.open(asked.key)?.timers.values() ?? [];
    if (!timer || !('deadlines' in asked.input) || asked.extendedAt !== null || !this.#random.chance(0.2))
      return;
    const at = timer.at - this.#random.between(0, 3 * slowest);
    if (at > simulator.now) simulator.at(at, `${asked.key} has more time`, () => this.#extend(asked));
  }

  #extend(asked: Asked): void {
    const { deadlines } = asked.input as { readonly deadlines?: Record<string, Record<string, string>> };
    const [[role, stages] = []] = Object.entries(deadlines ?? {});
    const [stage] = Object.keys(stages ?? {});
    if (!role || !stage || !this.#simulation.temporal.open(asked.key)) return;
    asked.extendedAt = this.#simulation.simulator.now;
    this.#flows
      .handle(asked.key)
      .extendDeadline({ role, stage, fromNow: `PT${EXTENDED_BY_MS / 1_000}S` } as never)
      .catch(() => undefined);
  }

  /** A shipment in stock that nobody else has asked for. */
  #stock(): string | null {
    const { service } = this.#simulation;
    const all = [...service.shipments.keys()].filter(
      (uid) => this.#isFreeStock(uid) && service.stateOf(uid)?.stateCode === 'WaitForReceiver',
    );
    return all.length > 0 ? this.#random.pick(all) : null;
  }

  #isFreeStock(shipmentUid: string): boolean {
    const shipment = this.#simulation.service.stateOf(shipmentUid);
    return (
      !!shipment?.isStock &&
      shipment.toUserUid === null &&
      isActive(shipment.stateCode) &&
      !this.#priorsUsed.has(shipmentUid)
    );
  }

  // The operator

  #look(): void {
    const { simulator } = this.#simulation;
    simulator.in(this.#random.spread(MINUTE, 20 * MINUTE), 'the operator looks', () => {
      const asked = [...this.asked.values()].filter(({ key }) => this.#simulation.temporal.open(key));
      for (const each of asked) this.#extendLate(each);
      Promise.all(asked.map((each) => this.#decide(each)))
        .catch((error: unknown) => {
          if (!isPassing(error)) simulator.fail(error);
        })
        .finally(() => this.#look());
    });
  }

  async #decide(asked: Asked): Promise<void> {
    if (asked.type === LENDS) return await this.#answer(asked);
    const handle = this.#flows.handle(asked.key);
    const progress = (await handle.progress().catch((error: unknown) => {
      if (isPassing(error)) return null;
      throw error;
    })) as Progress | null;
    if (!progress) return;
    const needsPerson = progress.phase === 'NeedsPerson';
    for (const decision of needsPerson ? this.#decisions(asked, progress) : this.#followed(asked, progress)) {
      try {
        asked.decisions.push(decision.action);
        await handle.resolve(decision);
        this.#simulation.simulator.note(`operator: ${asked.key} ${JSON.stringify(decision)}`);
        return;
      } catch (error) {
        this.#simulation.simulator.note(
          `operator: ${asked.key} ${decision.action} refused: ${String(error)}`,
        );
        if (!isPassing(error) && (error as Error).name !== 'UpdateRefused') throw error;
      }
    }
  }

  /** If nothing is asked, the process refuses it. */
  async #answer({ key }: Asked): Promise<void> {
    const values = { whole: this.#random.chance(0.5) };
    try {
      await this.#flows.fileHandle(key).answer({ question: 'desk', values, by: 'the desk' });
    } catch (error) {
      if (!isPassing(error)) throw error;
    }
  }

  /** Nobody tells a flow of what a person has adopted after another flow had taken it over: the person goes on to tell it. */
  #followed({ key, decisions }: Asked, { activity, shipments }: Progress): Resolve[] {
    if (activity !== 'Following' || !decisions.includes('adopt')) return [];
    const { service } = this.#simulation;
    return Object.entries(shipments).flatMap(([role, { shipmentUid, stateCode, done }]) => {
      const truth = service.stateOf(shipmentUid)?.stateCode;
      const isTakenOver = service.of(shipmentUid).referenceCaseNo !== key;
      if (done || !isTakenOver || truth === stateCode) return [];
      const who = { by: 'the operator', why: 'another flow follows it' };
      return [{ ...who, action: 'setState', role, stateCode: truth } as Resolve];
    });
  }

  /** By the truth; the first that is possible is taken. */
  #decisions({ key, decisions }: Asked, { activity, doubt, shipments, awaits }: Progress): Resolve[] {
    const { service, simulator } = this.#simulation;
    const [made] = service.bookings.filter(({ caseNo }) => caseNo === key);
    const who = { by: 'the operator', why: JSON.stringify(awaits).slice(0, 200) };
    const adopt = made ? [{ ...who, action: 'adopt', shipments: made.shipments } as Resolve] : [];
    const again = { ...who, action: 'retry' } as const;
    // What is on its way to the service may still arrive.
    const since = this.#inDoubtSince.get(key) ?? simulator.now;
    if (doubt) this.#inDoubtSince.set(key, since);
    if (doubt && since > simulator.now - 2 * MINUTE) return [];
    this.#inDoubtSince.delete(key);
    if (doubt && made) return adopt;
    if (doubt) return [this.#random.chance(0.7) ? again : { ...who, action: 'giveUp' }];
    const wrong = Object.entries(made?.shipments ?? {}).filter(
      ([role, uid]) =>
        shipments[role as keyof typeof shipments]?.stateCode !== service.stateOf(uid)?.stateCode,
    );
    const states = wrong.map(
      ([role, uid]) =>
        ({ ...who, action: 'setState', role, stateCode: service.stateOf(uid)?.stateCode }) as Resolve,
    );
    // What has been tried again in vain is said by a person who has looked.
    const isInVain = activity !== 'NeedsPerson' || decisions.at(-1) === 'retry';
    return isInVain ? [...states, ...adopt, again] : [again, ...adopt, ...states];
  }
}

/** Temporal, or every worker, is away for a moment; or the process has ended. */
function isPassing(error: unknown): boolean {
  if (error instanceof WorkflowNotFoundError || error instanceof WorkflowUpdateFailedError) return true;
  const { name, message } = error as Error;
  return (
    ['ServiceError', 'FlowNotFound', 'FlowNotPublished', 'UpdateRefused'].includes(name) ||
    /UNAVAILABLE|DEADLINE/.test(message)
  );
}
