// A worker as a process of its own, which tells how far its flows have come. It can be killed and started again.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { Reached } from './reached.ts';

export interface WorkerProgram {
  readonly file: string;
  readonly args: readonly string[];
  /** Of Node.js. */
  readonly nodeOptions?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

export class WorkerProcess implements AsyncDisposable {
  readonly #program: WorkerProgram;
  readonly #awaited = new Map<string, (at: number) => void>();
  #child: ChildProcess | undefined;

  constructor(program: WorkerProgram) {
    this.#program = program;
  }

  get processId(): number {
    return this.#child?.pid ?? Number.NaN;
  }

  async start(): Promise<void> {
    const { file, args, nodeOptions = [], env = {} } = this.#program;
    const child = fork(file, [...args], {
      execArgv: [...nodeOptions],
      env: { ...process.env, ...env },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    this.#child = child;
    await new Promise<void>((resolve, reject) => {
      child.once('exit', (code, signal) => reject(new Error(`${file} ended with ${code ?? signal}`)));
      child.once('message', () => resolve());
    });
    child.on('message', ({ step, at }: Reached) => {
      // A flow that is played again from its record tells its steps again.
      this.#awaited.get(step)?.(at);
      this.#awaited.delete(step);
    });
  }

  /** Resolves with the machine's time at which the flow's own code came to this step. Asked before it can. */
  reached(step: string): Promise<number> {
    return new Promise((resolve) => this.#awaited.set(step, resolve));
  }

  /** At once, as by `kill -9`. */
  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
  }
}
