// Brings up the components of a local installation in order, keeps them up until asked to stop, and stops them in the reverse
// order. Knows no particular component: start.ts lists them.

import { portInUse } from '../../shared/terminal/listening.ts';
import { isFree } from '../ports.ts';
import { type Component, NeedsPerson, type RunningComponent, type Say } from './component.ts';
import { type Patience, supervise } from './supervise.ts';

type RunOptions = {
  readonly asked: AbortSignal;
  readonly say: Say;
  /** Runs once all components are up. The components stay up even when it fails. */
  readonly onceUp?: () => Promise<void>;
  readonly patience?: Patience;
};

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
