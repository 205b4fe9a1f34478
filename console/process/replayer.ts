// Replays the history of a process in a program of its own (worker/replay.ts), which answers with each step and where the
// process stood after it. The workflows decide there as they did, so what is told is what was; if they would decide
// otherwise now, the verdict says so. The program starts with the first question, and ends some time after the last.
import type { TracedStatus } from '../../engine/temporal/trace.ts';
import { type ReplayProgram, startReplayProgram } from '../../processes/replay-program.ts';
import { ConsoleRefusal } from '../refusal.ts';

export interface Replayed {
  /** Why the workflows would decide differently now; null: they decide as they did. */
  readonly error: string | null;
  readonly steps: readonly TracedStatus[];
  /** Characters of the steps as JSON. */
  readonly length: number;
  /** All steps together are more than is told: then there are none. */
  readonly isTooLong?: boolean;
}

export interface Run {
  readonly workflowId: string;
  readonly runId: string;
}

// The first one bundles the workflows, which takes seconds; a history of ten thousand events takes some too.
const ANSWER_WITHIN_MS = 90_000;
const IDLE_MS = 600_000;

/** A step, or the verdict behind the last one. */
type Line = Partial<Pick<Replayed, 'error' | 'isTooLong'>> & { readonly step?: TracedStatus };

export class Replayer {
  readonly #variables: NodeJS.ProcessEnv;
  #child:
    | (Pick<ReplayProgram, 'process' | 'complaint'> & { readonly lines: AsyncIterator<string> })
    | undefined;
  #idle: NodeJS.Timeout | undefined;

  constructor(variables: Readonly<Record<string, string | undefined>>) {
    this.#variables = { ...variables };
  }

  stop(): void {
    clearTimeout(this.#idle);
    this.#child?.process.kill();
    this.#child = undefined;
  }

  /** One at a time: whoever asks waits for the answer. Throws Refusal if histories cannot be replayed here, or not in time. */
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
        if (done) throw new ConsoleRefusal(503, 'NotReplayed', notReplayed(child.complaint()));
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
    const { process, complaint, lines } = startReplayProgram(this.#variables);
    return { process, complaint, lines: lines[Symbol.asyncIterator]() };
  }
}

const notReplayed = (complaint: string): string =>
  `The history was not replayed${complaint ? `: ${complaint}` : ' in time'}. Try again; the present state needs no replay.`;
