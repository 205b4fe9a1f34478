// The machines of the files that a worker runs: one for each file, whatever number of processes it has.
import type { FlowFile } from '../flow-file.ts';
import { FileMachine } from './machine.ts';

/** More files, or more of their versions, than a worker has in use at a time. */
const MOST = 200;

export class FileMachines {
  readonly #byFile = new WeakMap<FlowFile, FileMachine>();
  /** Each process has its own copy of a published file. */
  readonly #byText = new Map<string, FileMachine>();

  of(file: FlowFile): FileMachine {
    const known = this.#byFile.get(file);
    if (known) return known;
    const text = JSON.stringify(file);
    const machine = this.#byText.get(text) ?? new FileMachine(file);
    this.#byFile.set(file, machine);
    // The one that was used last is at the end.
    this.#byText.delete(text);
    this.#byText.set(text, machine);
    const [oldest] = this.#byText.keys();
    if (this.#byText.size > MOST && oldest !== undefined) this.#byText.delete(oldest);
    return machine;
  }
}
