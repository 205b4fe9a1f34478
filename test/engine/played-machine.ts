// A machine as a process in virtual time: what the engine makes of it, without Temporal.
import type { AnyMachineSnapshot, AnyStateMachine, EventObject } from 'xstate';
import type { Continued } from '../../engine/continued.ts';
import { Process } from '../../engine/process.ts';
import { type VirtualCall, VirtualHost, VirtualTime } from '../../engine/virtual-host.ts';
import { definitionOf, type Options } from './fixtures/machine.ts';

export class PlayedMachine {
  readonly time = new VirtualTime(0);
  host = new VirtualHost(this.time);
  process: Process;
  readonly #begin: (continued?: Continued, former?: Process) => Process;

  constructor(machine: AnyStateMachine, input?: unknown, options: Options = {}) {
    const definition = definitionOf(machine, options);
    const first = { input, flow: 'Played', version: 1, workflowId: 'played', firstExecutionRunId: 'run' };
    this.#begin = (continued, former) =>
      new Process({
        definition: former?.definition ?? definition,
        start: former?.start ?? first,
        host: this.host,
        continued,
      });
    this.process = this.#begin();
    this.process.begin();
    this.process.drain();
  }

  /** Goes on as a new run, with nothing but what the former one leaves it as JSON. */
  continueAsNew(changed: Partial<Continued> = {}): void {
    const carried: Continued = { ...JSON.parse(JSON.stringify(this.process.carried)), ...changed };
    for (const { id } of this.process.timers.open) this.process.timers.cancel(id);
    this.host = new VirtualHost(this.time);
    this.process = this.#begin(carried, this.process);
    this.process.begin();
    this.process.drain();
  }

  get snapshot(): AnyMachineSnapshot {
    return this.process.snapshot;
  }

  send({ type, ...fields }: EventObject): void {
    this.process.signal(type, fields);
    this.process.drain();
  }

  pass(milliseconds: number): void {
    for (const _ of this.time.passing(this.time.now + milliseconds)) this.process.drain();
  }

  /** As an activity that has ended does. */
  answer(output: unknown): void {
    this.call.done(output);
    this.process.drain();
  }

  /** The first that waits for an answer. */
  get call(): VirtualCall {
    const [call] = this.host.calls;
    if (!call) throw new TypeError('nothing is called');
    return call;
  }
}
