// Starts a component again that has ended by itself. Each death is told, each wait is longer than the one before; a component that
// keeps dying ends the whole run, with its name, its log file and its last words.

import { setTimeout as delay } from 'node:timers/promises';
import { type Backoff, backoffMs } from '../../shared/limits/backoff.ts';
import type { Component, RunningComponent, Say } from './component.ts';
import { formatEndReasons } from './error-lines.ts';

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
export async function supervise(
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
