// Brings up the parts of a local installation in order, keeps them up until asked to stop or until one ends, and
// stops them in the reverse order. Knows no particular part: start.ts lists them.

import { isFree } from '../ports.ts';
import { lastWords } from './grave-lines.ts';

/** One event in one line, with its part and its level. */
export type Say = (part: string, words: string, level?: 'info' | 'warn' | 'error') => void;

export type Part = {
  readonly name: string;
  /** Every port that it will listen on, by the environment variable that sets it. */
  readonly ports: Readonly<Record<string, number>>;
  /** `say` gets the output that a person should see while it runs. */
  start(say: Say): Promise<RunningPart>;
};

export type RunningPart = {
  /** Facts for a person, addresses first: printed on one line after its name. */
  readonly line: string;
  /** Resolves, with the reason, when it has ended without being asked to. */
  readonly ended: Promise<string>;
  stop(): Promise<void>;
};

export type RunOptions = {
  readonly asked: AbortSignal;
  readonly say: Say;
  /** Runs once all parts are up. The parts stay up even when it fails. */
  readonly onceUp?: () => Promise<void>;
};

/** Resolves when all have been stopped because `asked` was aborted; rejects, with all stopped, when one fails. */
export async function runParts(parts: readonly Part[], { asked, say, onceUp }: RunOptions): Promise<void> {
  await refuseTakenPorts(parts);
  const running: { part: Part; run: RunningPart }[] = [];
  try {
    for (const part of parts) {
      if (asked.aborted) return;
      const run = await part.start(say).catch((cause: Error) => {
        throw new Error(`${part.name} does not start: ${cause.message}`, { cause });
      });
      running.push({ part, run });
      say(part.name, run.line);
    }
    void onceUp?.().catch((error: Error) => say('lockerflow', error.message, 'error'));
    await Promise.race([
      abortOf(asked),
      ...running.map(async ({ part, run }) => {
        throw new Error(`${part.name} has ended: ${lastWords(await run.ended)}`);
      }),
    ]);
  } finally {
    if (running.length > 0) say('lockerflow', 'stopping');
    await stopAll(running.reverse());
  }
}

/** One that fails to stop must not leave the others running. */
async function stopAll(running: readonly { part: Part; run: RunningPart }[]): Promise<void> {
  const failures: string[] = [];
  for (const { part, run } of running) {
    await run.stop().catch((error: Error) => failures.push(`${part.name} does not stop: ${error.message}`));
  }
  if (failures.length > 0) throw new Error(failures.join('; '));
}

/** All ports before anything starts, so that one run reports all ports in use. */
async function refuseTakenPorts(parts: readonly Part[]): Promise<void> {
  const taken: string[] = [];
  for (const { name, ports } of parts) {
    for (const [variable, port] of Object.entries(ports)) {
      if (!(await isFree(port)))
        taken.push(`port ${port} for ${name} is in use (set ${variable} to another)`);
    }
  }
  if (taken.length > 0) throw new Error(taken.join('; '));
}

function abortOf(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
