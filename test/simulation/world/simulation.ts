// One run: a whole installation in one process, with its people and its faults, all chosen by the seed. globals.ts must have been
// imported before it.
import type { Client } from '@temporalio/client';
import { LockerApi } from '../../../activities/api/index.ts';
import { flowWorkerOptions } from '../../../activities/worker-options.ts';
import { TASK_QUEUE } from '../../../contract/flows/flow-types.ts';
import { internalIds } from '../../../contract/flows/internal-ids.ts';
import { simulate } from '../kernel/globals.ts';
import type { Random } from '../kernel/random.ts';
import { BEGIN, type Program, Simulator, type TraceLine } from '../kernel/simulator.ts';
import { SERVICE_URL, simulatedNetwork } from '../locker-service/network.ts';
import { LockerService } from '../locker-service/service.ts';
import { chanceOfWorkflow, timeOfWorkflow } from '../temporal/cached-run.ts';
import { simulatedClient } from '../temporal/client.ts';
import { SimulatedTemporal } from '../temporal/server.ts';
import { Worker } from '../temporal/worker.ts';
import { CallbackSender } from './callback-sender.ts';
import { type Configuration, configurationOf } from './configuration.ts';
import { Faults, type Happened, stepFaults } from './faults.ts';
import type { Installation } from './installation.ts';
import { Invariants } from './invariants.ts';
import { People } from './people.ts';

const HOUR = 3_600_000;
/** From the last fault on: everything that was begun must come to its end within it. */
const CALM_MS = 10 * 24 * HOUR;
/** After the last flow: what is late may still come. */
const AFTERMATH_MS = 2 * HOUR;

export interface RunOptions {
  readonly keepsTrace?: boolean;
  readonly toStep?: number | undefined;
  /** The names of the faults that may happen; all if not given. */
  readonly onlyFaults?: ReadonlySet<string> | undefined;
}

export interface Outcome {
  readonly seed: string;
  readonly violation: Error | null;
  readonly steps: number;
  readonly workflowTasks: number;
  readonly replays: number;
  readonly simulatedMs: number;
  readonly flows: number;
  readonly ends: Readonly<Record<string, number>>;
  readonly faults: readonly Happened[];
  /** How often a shipment went from one state to another. */
  readonly transitions: Readonly<Record<string, number>>;
  readonly digest: string;
  readonly trace: readonly TraceLine[];
}

export class Simulation implements Installation {
  readonly simulator: Simulator;
  readonly random: Random;
  readonly configuration: Configuration;
  readonly faults: Faults;
  readonly temporal: SimulatedTemporal;
  readonly service: LockerService;
  readonly invariants: Invariants;
  readonly people: People;
  readonly #sender: CallbackSender;
  readonly #seed: string;
  readonly #toStep: number;
  #serviceUpAt = 0;
  #temporalUpAt = 0;
  #workersBegun = 0;
  #replaysOfDead = 0;
  #nextFaultAt = 0;

  constructor(seed: string, { keepsTrace = false, toStep, onlyFaults }: RunOptions = {}) {
    this.#seed = seed;
    this.#toStep = toStep ?? Number.POSITIVE_INFINITY;
    this.simulator = new Simulator(seed, { keepsTrace });
    simulate(this.simulator, { time: timeOfWorkflow, chance: chanceOfWorkflow });
    this.random = this.simulator.random.stream('world');
    this.configuration = configurationOf(this.simulator.random.stream('configuration'));
    this.faults = new Faults(this.simulator.random, {
      step: () => this.simulator.steps,
      only: onlyFaults ?? null,
      states: () => this.service.states(),
    });
    this.temporal = new SimulatedTemporal(this.simulator, this.configuration.temporal);
    this.service = new LockerService(this.simulator, {
      lockers: this.configuration.lockers,
      honoursKeys: this.configuration.peer.capabilities.has('idempotencyKey'),
      changed: (shipment) => {
        this.#sender.send(shipment);
        this.people.changed(shipment);
      },
    });
    this.people = new People(this);
    this.invariants = new Invariants(this, this.people.asked);
    this.#sender = new CallbackSender(this, (received) => this.invariants.received(received));
  }

  clientOf(program: Program): Client {
    return simulatedClient(this.temporal, program, () => this.simulator.now >= this.#temporalUpAt);
  }

  isServiceDown(): boolean {
    return this.simulator.now < this.#serviceUpAt;
  }

  /** It must not be called from a promise. */
  run(): Outcome {
    const { simulator, configuration, temporal, people, faults } = this;
    simulator.afterEach(() => {
      this.invariants.afterStep();
      this.#maybeFault();
    });
    for (let index = 0; index < configuration.workers; index++) this.#startWorker();
    people.begin();
    if (configuration.reconcilesEveryMs !== null) this.#reconcile(configuration.reconcilesEveryMs);
    const [, apart] = configuration.startsWithinMs;
    const faultsEndAt = BEGIN + configuration.flows * apart + 24 * HOUR;
    const toStep = this.#toStep;
    const isAllOver = () =>
      people.haveAskedForAll &&
      [...people.asked.values()].every(({ key, isStarted }) => isStarted && !temporal.open(key));
    simulator.run({ until: faultsEndAt, toStep, isOver: isAllOver });
    faults.end();
    simulator.run({ until: simulator.now + CALM_MS, toStep, isOver: isAllOver });
    simulator.run({ until: simulator.now + AFTERMATH_MS, toStep });
    if (!simulator.hasFailed && simulator.steps < toStep) {
      try {
        this.invariants.atTheEnd();
      } catch (error) {
        simulator.fail(error);
      }
    }
    return this.#outcome(simulator.run({ toStep: 0 }));
  }

  #outcome(violation: unknown): Outcome {
    const { simulator, temporal, faults, people } = this;
    const ends: Record<string, number> = {};
    for (const key of people.asked.keys()) {
      const status = temporal.newest(key)?.status ?? 'NOT_STARTED';
      ends[status] = (ends[status] ?? 0) + 1;
    }
    return {
      ...{ seed: this.#seed, steps: simulator.steps, workflowTasks: temporal.completedTasks, ends },
      violation: violation === null || violation instanceof Error ? violation : new Error(String(violation)),
      replays: this.#replaysOfDead + temporal.workers.reduce((sum, { replays }) => sum + replays, 0),
      simulatedMs: simulator.now - BEGIN,
      flows: people.asked.size,
      transitions: this.service.transitions(),
      ...{ faults: faults.happened, digest: simulator.digest, trace: simulator.trace },
    };
  }

  #startWorker(): void {
    this.#workersBegun += 1;
    const { peer } = this.configuration;
    const worker = new Worker(`worker-${this.#workersBegun}`, this.temporal, (program) => {
      const api = new LockerApi({
        ...{ apiUrl: SERVICE_URL, authUrl: SERVICE_URL, clientId: 'demo', clientSecret: 'demo-secret' },
        ...{ timeoutMs: 10_000, dispatcher: simulatedNetwork(this, program) },
      });
      const { activities } = flowWorkerOptions({ api, peer });
      return { activities: activities as never, client: this.clientOf(program) };
    });
    this.temporal.workers.push(worker);
    this.temporal.workerBegun();
  }

  /** At some steps something befalls a program. */
  #maybeFault(): void {
    if (this.simulator.steps < this.#nextFaultAt) return;
    this.#nextFaultAt = this.simulator.steps + this.random.spread(5, 400);
    for (const kind of stepFaults) if (this.faults.happens(kind)) this.#befall[kind]();
  }

  readonly #befall: Readonly<Record<(typeof stepFaults)[number], () => void>> = {
    workerKilled: () => {
      const { workers } = this.temporal;
      if (workers.length === 0) return;
      const killed = this.random.pick(workers);
      killed.program.isAlive = false;
      this.#replaysOfDead += killed.replays;
      workers.splice(workers.indexOf(killed), 1);
      this.simulator.note(`FAULT: ${killed.program.name} is killed`);
      this.simulator.in(this.random.spread(100, HOUR), 'a worker begins', () => this.#startWorker());
    },
    runEvicted: () => {
      const { workers } = this.temporal;
      if (workers.length === 0) return;
      const worker = this.random.pick(workers);
      for (const runId of worker.cached) if (this.random.chance(0.5)) worker.evict(runId);
    },
    receiverKilled: () => {
      if (!this.#sender.isReceiverUp) return;
      this.#sender.killReceiver();
      this.simulator.note('FAULT: the receiver is killed');
      this.simulator.in(this.random.spread(100, HOUR), 'the receiver begins', () =>
        this.#sender.startReceiver(),
      );
    },
    serviceStopped: () => {
      this.#serviceUpAt = this.simulator.now + this.random.spread(500, HOUR);
      this.simulator.note('FAULT: the service is away');
    },
    temporalAway: () => {
      this.#temporalUpAt = this.simulator.now + this.random.spread(500, 600_000);
      this.simulator.note('FAULT: Temporal cannot be reached');
    },
    callbackForged: () => {
      const [shipmentUid] = this.random.shuffled([...this.service.shipments.keys()]);
      if (shipmentUid === undefined) return;
      const message = {
        ...{ shipmentUid, stateCode: 'Completed', stateStart: '2031-01-07T00:00:00.000' },
        ...{ shipmentType: 'LocalPupShipment', referenceNo: null, referenceCaseNo: null, description: null },
      };
      const body = JSON.stringify({ messageType: 'ShipmentStatusUpdate', message });
      this.#sender.inject({ shipmentUid, stateCode: 'Completed', body }, 'another key');
    },
    callbackForeign: () => this.#sender.injectForeign(`foreign-${this.random.between(1, 3)}`),
  };

  /** The Temporal Schedule: none begins while the one before runs; each is given the last result. */
  #reconcile(everyMs: number): void {
    const type = 'ReconcileShipments';
    let running: string | null = null;
    let count = 0;
    const begin = (): void => {
      this.simulator.in(everyMs, 'the schedule of the reconciler', begin);
      if (running !== null && this.temporal.open(running)) return;
      count += 1;
      const last = running === null ? undefined : this.temporal.newest(running)?.end;
      running = `${internalIds.reconciler}${TASK_QUEUE}-${count}`;
      this.temporal.start({
        ...{ workflowId: running, type, args: [] },
        ...(last?.status === 'COMPLETED' && { lastResult: last.result }),
      });
    };
    begin();
  }
}
