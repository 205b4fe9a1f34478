// What a process consists of: its program, what it waits for, what waits in it, and what has become of it. stepping-process.ts says
// what it does with them; its parts (halting, messages, migrations, effects) read and change them here.
import type { AnyMachineSnapshot, EventObject } from 'xstate';
import type { Note } from '../contract/flows/note.ts';
import { ActorMessages } from './actor-messages.ts';
import { type CallResult, Calls, type OpenCall } from './calls.ts';
import type { Continued } from './continued.ts';
import type { Definition, ProcessStart } from './definition/definition.ts';
import type { Halt } from './definition/halt-rules.ts';
import type { MessageEvent } from './definition/message-rules.ts';
import { Halting } from './halting.ts';
import type { Host } from './host.ts';
import { type Entry, Inbox, PostponedEvents, Replies } from './inbox.ts';
import { Messages } from './messages.ts';
import { Migrations } from './migration/migrations.ts';
import { type Program, RunningChart, type RunningProcess } from './running-chart.ts';
import { type Timer, Timers } from './timers.ts';

export interface ProcessOptions {
  readonly definition: Definition;
  readonly start: ProcessStart;
  readonly host: Host;
  /** For a process that another run began. */
  readonly continued?: Continued | undefined;
}

export class ProcessState implements RunningProcess {
  /** Whatever needs a part of it asks each time, and keeps none: a migration replaces it while the process runs. */
  program: Program;
  readonly host: Host;
  readonly late: unknown[] = [];
  readonly timers = new Timers(this);
  readonly calls = new Calls(this);
  readonly inbox = new Inbox();
  readonly replies = new Replies();
  readonly postponed: PostponedEvents;
  readonly messages: Messages;
  readonly actorMessages = new ActorMessages(this);
  readonly halting = new Halting(this);
  /** Those that it has been through. */
  readonly migrations: Migrations;
  /** The newest that a person has left. */
  note: Note | undefined;
  /** What the host said when it was cancelled; undefined: it was not. */
  cancellation: unknown;
  /** It has ended with calls that may still run: its machine does not handle its cancellation, or a person has given it up. */
  isCalledOff = false;
  /** The chart has ended by a failure that no state takes. */
  unhandled: { readonly error: unknown } | undefined;

  /** Computes the first snapshot, and carries nothing out. */
  constructor({ definition, start, host, continued }: ProcessOptions) {
    if (continued) checkFormat(continued);
    this.host = host;
    this.note = continued?.note;
    this.migrations = new Migrations(this, continued);
    this.messages = new Messages(this, continued?.seen);
    this.postponed = new PostponedEvents(continued?.kept);
    const from = continued ?? { input: definition.input ? definition.input(start) : start };
    this.program = { definition, start, chart: new RunningChart(definition.machine, this, from) };
    // Before anybody can send it a message.
    for (const { id, of, input = this.chart.inputOf(id), kept, startedAt } of continued?.calls ?? []) {
      const logic = this.chart.logicOfCall({ id, of, input });
      if (logic) this.calls.start(of, { id, logic, input, kept }, startedAt);
    }
  }

  get definition(): Definition {
    return this.program.definition;
  }

  get start(): ProcessStart {
    return this.program.start;
  }

  get chart(): RunningChart {
    return this.program.chart;
  }

  get snapshot(): AnyMachineSnapshot {
    return this.chart.snapshot;
  }

  /** Whether its machine still takes steps, or an inline actor cleans up. */
  get isOpen(): boolean {
    const isStepping = this.snapshot.status === 'active' && !this.unhandled && !this.isCalledOff;
    return isStepping || this.chart.actors.haveToCleanUp;
  }

  /** The step that failed. */
  get halt(): Halt | undefined {
    return this.halting.halt;
  }

  /** An event by its name of today: before a migration, or in an earlier version, it had another. */
  named(event: EventObject): EventObject {
    return this.messages.named(event);
  }

  /** For a run that continues this one. */
  get carried(): Continued {
    return carriedOf(this);
  }

  get unhandledProcedure(): OpenCall | undefined {
    return this.halting.unhandledProcedure;
  }

  onTimer(timer: Timer): void {
    this.push({ kind: 'timer', timer });
  }

  answered(call: OpenCall, answer: CallResult): void {
    this.push({ kind: 'answer', call, answer });
  }

  childEvent(call: OpenCall, event: EventObject): void {
    this.push({ kind: 'childEvent', call, event });
  }

  push(entry: Entry): void {
    this.inbox.push(entry);
    this.host.wake?.(entry.kind === 'cancellation');
  }

  pushMessage(message: MessageEvent): void {
    this.push({ kind: 'message', message, event: this.messages.eventOf(message) ?? message });
  }
}

// What another version of the engine has left may lack something, or have what this one would drop.
const FORMAT = 5;

function carriedOf(process: ProcessState): Continued {
  const { definition, start, chart, timers, calls, messages, postponed, migrations, note } = process;
  const carries = definition.carries?.();
  const { seen } = messages;
  return {
    format: FORMAT,
    version: start.version,
    ...chart.carried,
    timers: timers.open,
    calls: calls.carried,
    ...(carries !== undefined && { carries }),
    ...(seen.length > 0 && { seen }),
    ...(postponed.all.length > 0 && { kept: postponed.all }),
    ...migrations.carried,
    ...(note && { note }),
  };
}

/** No failure of Temporal's: the task fails, and the process waits. */
function checkFormat(continued: Continued): void {
  if (continued.format === FORMAT) return;
  throw new Error(
    `the former run has left data of format ${continued.format}, expected ${FORMAT}; deploy a worker of the version that wrote it`,
  );
}
