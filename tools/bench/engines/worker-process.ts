// A worker as a process of its own, which tells how far its flows have come. It can be killed and started again.
import { type Child, startNode } from '../../../local/child-process.ts';
import type { Reached } from './reached.ts';

export interface WorkerProgram {
  readonly file: string;
  readonly args: readonly string[];
  /** Options of Node.js. */
  readonly nodeOptions?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

export class WorkerProcess implements AsyncDisposable {
  readonly #program: WorkerProgram;
  readonly #awaited = new Map<string, (at: number) => void>();
  #child: Child | undefined;
  #processId = Number.NaN;

  constructor(program: WorkerProgram) {
    this.#program = program;
  }

  get processId(): number {
    return this.#processId;
  }

  async start(): Promise<void> {
    const { file, args, nodeOptions = [], env = {} } = this.#program;
    const child = startNode([...nodeOptions, file, ...args], {
      env: { ...process.env, ...env },
      showsErrors: true,
      hasChannel: true,
    });
    this.#child = child;
    await child.message();
    this.#processId = await child.processId;
    child.onMessage((message) => {
      const { step, at } = message as Reached;
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
    await this.#child?.kill();
    this.#child = undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
  }
}
