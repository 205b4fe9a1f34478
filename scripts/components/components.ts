// Brings up the components of a local installation in order, keeps them up until asked to stop, and stops them in the reverse
// order. Knows no particular component: start.ts lists them.
import { setTimeout as delay } from 'node:timers/promises';
import { type Backoff, backoffMs } from '../../shared/limits/backoff.ts';
import { portInUse } from '../../shared/terminal/listening.ts';
import { plain } from '../../shared/terminal/plain.ts';
import type { Running } from '../child-process.ts';
import { isFree } from '../ports.ts';
import { formatEndReasons } from './error-lines.ts';

/** A component cannot start until a person has done something, for which the components before it must be up. */
export class NeedsPerson extends Error {
  override readonly name = 'NeedsPerson';
}

type RunOptions = {
  readonly asked: AbortSignal;
  readonly say: Say;
  /** Runs once all components are up. The components stay up even when it fails. */
  readonly onceUp?: () => Promise<void>;
  readonly patience?: Patience;
};

/** As the programs of this folder tell it: one line on the terminal. */
export const say: Say = (component, words, level = 'info') =>
  process.stdout.write(`${level.padEnd(5)} ${component}: ${plain(words)}\n`);

type StartedComponent = { readonly component: Component; run: RunningComponent };

/** One component, or several that start, and stop, at the same time. */
export type Step = Component | readonly Component[];

const partsOf = (step: Step): readonly Component[] => ('start' in step ? [step] : step);

/** Resolves when all have been stopped because `asked` was aborted; rejects, with all stopped, when one stays down. */
export async function runComponents(
  steps: readonly Step[],
  { asked, say, onceUp, patience }: RunOptions,
): Promise<void> {
  await refuseTakenPorts(steps.flatMap(partsOf));
  const running: StartedComponent[][] = [];
  // Covers the whole run: even when a component stays down, no other component is started again while all stop.
  const ending = new AbortController();
  const over = AbortSignal.any([asked, ending.signal]);
  try {
    const needsPerson = await startAll(steps, running, asked, say);
    if (asked.aborted) return;
    if (needsPerson) {
      say('lockerflow', needsPerson.message, 'error');
      say('lockerflow', `${namesOf(running.flat())} stay up for that; Ctrl-C stops them`);
    } else void onceUp?.().catch((error: Error) => say('lockerflow', error.message, 'error'));
    await Promise.race([
      abortOf(asked),
      ...running
        .flat()
        .map((kept) => supervise(kept.component, kept, { over, say, ...(patience && { patience }) })),
    ]);
  } finally {
    ending.abort();
    if (running.flat().length > 0) say('lockerflow', 'stopping');
    await stopAll(running.reverse());
  }
}

/** Gives what a person must do before the rest can start. */
async function startAll(
  steps: readonly Step[],
  running: StartedComponent[][],
  asked: AbortSignal,
  say: Say,
): Promise<NeedsPerson | undefined> {
  for (const step of steps) {
    if (asked.aborted) return undefined;
    const together: StartedComponent[] = [];
    running.push(together);
    const starts = partsOf(step).map(async (component) => {
      const run = await component.start(say);
      together.push({ component, run });
      say(component.name, run.line);
    });
    // All of them: what has started beside a failure must be stopped too.
    const ends = await Promise.allSettled(starts);
    for (const [index, end] of ends.entries()) {
      if (end.status === 'fulfilled') continue;
      const cause: unknown = end.reason;
      if (cause instanceof NeedsPerson) return cause;
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new Error(`${partsOf(step)[index]?.name} does not start: ${reason}`, { cause });
    }
  }
  return undefined;
}

const namesOf = (running: readonly StartedComponent[]) =>
  running.map(({ component }) => component.name).join(', ');

/** One that fails to stop must not leave the others running. */
async function stopAll(steps: readonly (readonly StartedComponent[])[]): Promise<void> {
  const failures: string[] = [];
  for (const step of steps) {
    const stops = step.map(({ component, run }) =>
      run.stop().catch((error: Error) => failures.push(`${component.name} does not stop: ${error.message}`)),
    );
    await Promise.all(stops);
  }
  if (failures.length > 0) throw new Error(failures.join('; '));
}

/** All ports before anything starts, so that one run reports all ports in use. */
async function refuseTakenPorts(components: readonly Component[]): Promise<void> {
  const taken: string[] = [];
  for (const { ports } of components) {
    for (const [variable, port] of Object.entries(ports)) {
      if (!(await isFree(port))) taken.push(portInUse(port, variable));
    }
  }
  if (taken.length > 0) throw new Error(taken.join('. '));
}

function abortOf(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

// What a component of a local installation is.

/** One event in one line, with its component and its level. */
export type Say = (component: string, words: string, level?: 'info' | 'warn' | 'error') => void;

export type Component = {
  readonly name: string;
  /** Every port that it will listen on, by the environment variable that sets it. */
  readonly ports: Readonly<Record<string, number>>;
  /** The file with all that it says. */
  readonly logFile?: string;
  /** `say` gets the output that a person should see while it runs. Called again after it has ended by itself. */
  start(say: Say): Promise<RunningComponent>;
};

export interface RunningComponent extends Running {
  /** Facts for a person, addresses first: printed on one line after its name. */
  readonly line: string;
}

// Starts a component again that has ended by itself. Each death is told, each wait is longer than the one before; a component that
// keeps dying ends the whole run, with its name, its log file and its last words.

export interface Patience extends Backoff {
  /** So many deaths in a row are too many. */
  readonly maxDeaths: number;
  /** A component that was up for so long has recovered: its deaths before do not count any more. */
  readonly recoveredAfterMs: number;
}

// A component that cannot live shows it within half a minute; one that dies for want of another has that time.
const PATIENCE: Patience = {
  firstMs: 1_000,
  lastMs: 15_000,
  jitter: 0,
  maxDeaths: 5,
  recoveredAfterMs: 60_000,
};

interface KeepUpOptions {
  /** Aborted when all components are to stop: a component that ends then stays down. */
  readonly over: AbortSignal;
  readonly say: Say;
  readonly patience?: Patience;
}

/**
 * Never resolves: rejects when the component stays down, and waits for ever once all are to stop. `kept.run` is the run that is to
 * be stopped.
 */
async function supervise(
  component: Component,
  kept: { run: RunningComponent },
  { over, say, patience = PATIENCE }: KeepUpOptions,
): Promise<never> {
  let deaths = 0;
  let since = performance.now();
  // Why it is down; undefined while it is up.
  let words: string | undefined;
  for (;;) {
    if (words === undefined) {
      words = formatEndReasons(await kept.run.ended);
      if (performance.now() - since >= patience.recoveredAfterMs) deaths = 0;
    }
    deaths += 1;
    if (!over.aborted && deaths >= patience.maxDeaths) throw new Error(staysDown(component, deaths, words));
    await untilNextTry(component, words, backoffMs(deaths, patience), { over, say });
    words = await startAgain(component, kept, say);
    since = performance.now();
    // Asked to stop while it started: what stops all has taken the run before.
    if (over.aborted && words === undefined) await kept.run.stop();
  }
}

/** Waits for ever once all are to stop. */
async function untilNextTry(
  { name }: Component,
  words: string,
  waitMs: number,
  { over, say }: Pick<KeepUpOptions, 'over' | 'say'>,
): Promise<void> {
  if (over.aborted) return forEver();
  say(
    name,
    `has ended${words ? `: ${words}` : ' without a message'}; it is started again in ${waitMs / 1_000} s`,
    'error',
  );
  await delay(waitMs, undefined, { signal: over }).catch(() => undefined);
  if (over.aborted) return forEver();
}

const forEver = () => new Promise<never>(() => undefined);

/** Gives why it does not start. */
async function startAgain(
  component: Component,
  kept: { run: RunningComponent },
  say: Say,
): Promise<string | undefined> {
  try {
    kept.run = await component.start(say);
    say(component.name, `is up again: ${kept.run.line}`);
    return undefined;
  } catch (error) {
    return (error instanceof Error ? error.message : String(error)) || 'it does not start';
  }
}

function staysDown({ name, logFile }: Component, deaths: number, words: string): string {
  const log = logFile ? `; its log is ${logFile}` : '';
  return `${name} has ended ${deaths} times in a row, the last time ${words ? `with: ${words}` : 'without a message'}${log}`;
}
