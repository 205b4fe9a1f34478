// Replays the history of a process in a program of its own (worker/replay.ts), which answers with each step and where the
// process stood after it. The workflows decide there as they did, so what is told is what was; if they would decide
// otherwise now, the verdict says so. The program starts with the first question, and ends some time after the last.
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { TracedStatus } from '../../driver/temporal/trace.ts';
import { ConsoleRefusal } from '../refusal.ts';

export interface Replayed {
  /** Why the workflows would decide differently now; null: they decide as they did. */
  readonly error: string | null;
  readonly steps: readonly TracedStatus[];
  /** Of the steps, as JSON. */
  readonly length: number;
  /** All steps together are more than is told: then there are none. */
  readonly isTooLong?: boolean;
}

export interface Run {
  readonly workflowId: string;
  readonly runId: string;
}

// The two files are in the same places in a checkout and in the built package.
const program = new URL(
  `../../worker/replay${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`,
  import.meta.url,
);

// The first one bundles the workflows, which takes seconds; a history of ten thousand events takes some too.
const ANSWER_WITHIN_MS = 90_000;
const IDLE_MS = 600_000;

/** A step, or the verdict behind the last one. */
type Line = Partial<Pick<Replayed, 'error' | 'isTooLong'>> & { readonly step?: TracedStatus };

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

export class Replayer {
  readonly #variables: NodeJS.ProcessEnv;
  #child: { readonly process: Child; readonly lines: AsyncIterator<string>; complaint: string } | undefined;
  #idle: NodeJS.Timeout | undefined;

  constructor(variables: Readonly<Record<string, string | undefined>>) {
    this.#variables = { ...variables };
  }

  stop(): void {
    clearTimeout(this.#idle);
    this.#child?.process.kill();
    this.#child = undefined;
  }

  /** One at a time: whoever asks waits for the answer. Throws ConsoleRefusal if histories cannot be replayed here, or not in time. */
  async replayed(run: Run): Promise<Replayed> {
    clearTimeout(this.#idle);
    this.#child ??= this.#started();
    const child = this.#child;
    const late = setTimeout(() => child.process.kill(), ANSWER_WITHIN_MS);
    try {
      child.process.stdin.write(`${JSON.stringify({ ...run, steps: true })}\n`);
      const steps: TracedStatus[] = [];
      for (let length = 0; ; ) {
        const { value, done } = await child.lines.next();
        if (done) throw new ConsoleRefusal(503, 'NotReplayed', notReplayed(child.complaint));
        const { step, error = null, isTooLong = false }: Line = JSON.parse(value);
        if (step === undefined) return { error, steps, length, isTooLong };
        steps.push(step);
        length += value.length;
      }
    } catch (error) {
      this.stop();
      throw error;
    } finally {
      clearTimeout(late);
      this.#idle = setTimeout(() => this.stop(), IDLE_MS).unref();
    }
  }

  #started() {
    requireWorkerLibrary();
    const process = spawn(globalThis.process.execPath, [fileURLToPath(program)], {
      env: this.#variables,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const child = {
      process,
      lines: createInterface({ input: process.stdout })[Symbol.asyncIterator](),
      complaint: '',
    };
    // If it has ended, its own words say why.
    process.stdin.on('error', () => undefined);
    process.on('error', (error) => {
      child.complaint += error.message;
    });
    process.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      child.complaint = `${child.complaint}${chunk}`.slice(-2_000);
    });
    return child;
  }
}

const notReplayed = (complaint: string): string =>
  `The history was not replayed${complaint.trim() ? `: ${complaint.trim()}` : ' in time'}. Try again; the present state needs no replay.`;

/** A service that only starts flows has installed the package without it. */
function requireWorkerLibrary(): void {
  try {
    createRequire(import.meta.url).resolve('@temporalio/worker');
  } catch {
    throw new ConsoleRefusal(
      501,
      'NoWorkerLibrary',
      'To step through a history, the console needs the packages of a worker: npm install @temporalio/worker @temporalio/workflow @temporalio/activity, then start it again.',
    );
  }
}
