// A copy of a process: it takes steps of its own, and nothing of it leaves. It shows what would follow from a command, by the
// code that carries the command out. Its calls answer only what whoever plays it lets them answer.
import type { EventObject } from 'xstate';
import { callKindOf, callTypeOf, type Kind } from './actor-kinds.ts';
import type { Alarm, Answers, Call, Host, RunningCall } from './host.ts';
import type { Process } from './process.ts';

export interface CopiedCall {
  /** Its actor's id. */
  readonly id: string;
  readonly kind: Kind;
  /** The activity's or workflow's type, or the procedure's name. */
  readonly type: string;
  readonly input: unknown;
  /** Only the copy has made it. */
  readonly isNew: boolean;
  /** It is asked to end early. */
  readonly isCancelled: boolean;
  /** `left`: nobody waits for it any more. */
  readonly state: 'running' | 'answered' | 'left';
}

type Running = { -readonly [Field in keyof CopiedCall]: CopiedCall[Field] } & { readonly answers: Answers };

class CopyHost implements Host {
  readonly isParentListening = false;
  readonly isCopy = true;
  readonly calls: Running[] = [];
  #at: number;
  isCopied = false;

  constructor(at: number) {
    this.#at = at;
  }

  now(): number {
    return this.#at;
  }

  asIf<Result>(moment: number, compute: () => Result): Result {
    const at = this.#at;
    this.#at = moment;
    try {
      return compute();
    } finally {
      this.#at = at;
    }
  }

  /** Time stands still. */
  alarm(): Alarm {
    return { cancel: () => undefined };
  }

  call({ id, logic, input }: Call, answers: Answers): RunningCall {
    const call: Running = {
      id,
      kind: callKindOf(logic),
      type: callTypeOf(logic),
      input,
      answers,
      isNew: this.isCopied,
      isCancelled: false,
      state: 'running',
    };
    this.calls.push(call);
    return {
      cancel: () => {
        if (call.state !== 'answered') call.isCancelled = true;
      },
      send: () => undefined,
      end: () => {
        if (call.state !== 'answered') call.state = 'left';
      },
    };
  }

  send(): void {
    // Nothing leaves.
  }
}

export class ProcessCopy {
  readonly process: Process;
  readonly #host: CopyHost;

  /** It stands still at the time of the process. */
  constructor(process: Process) {
    this.#host = new CopyHost(process.host.now());
    this.process = process.copyIn(this.#host);
    this.#host.isCopied = true;
  }

  /** All that it has made so far, and those of the process. */
  get calls(): readonly CopiedCall[] {
    return this.#host.calls;
  }

  /** Something happens to it. */
  do(command: (process: Process) => void): void {
    command(this.process);
    this.process.drain();
  }

  answer(call: CopiedCall, output: unknown): void {
    this.#end(call, ({ done }) => done(output));
  }

  /** An event of a call that goes on. */
  childEvent(call: CopiedCall, event: EventObject): void {
    this.do(() => (call as Running).answers.event(event));
  }

  /** A call that is asked to do so ends early. */
  endEarly(call: CopiedCall): void {
    const error = new Error(`${call.type} was cancelled`);
    this.#end(call, ({ failed }) => failed(Object.assign(error, { name: 'CancelledFailure' })));
  }

  #end(call: CopiedCall, answer: (answers: Answers) => void): void {
    const running = call as Running;
    running.state = 'answered';
    this.do(() => answer(running.answers));
  }
}
