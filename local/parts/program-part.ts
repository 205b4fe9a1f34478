// A part that runs a program as a process of its own: all that it says goes to a log file, and it has started when its
// check says so.
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type SupervisedOptions, startSupervised } from '../supervised-process.ts';
import { gravePassedOn, lastWords } from './grave-lines.ts';
import type { Part } from './part.ts';

const START_TIMEOUT_MS = 60_000;
const POLL_MS = 50;
/** Characters of why it does not start; the rest is in its log. */
const WORDS = 500;

export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

export interface ProgramPart extends Pick<SupervisedOptions, 'stopSignal'> {
  readonly name: string;
  readonly home: string;
  readonly ports: Readonly<Record<string, number>>;
  /** Called at its start, when the parts before it are up. */
  readonly command: () => Command | Promise<Command>;
  readonly isReady: () => Promise<boolean>;
  /** Facts for a person, addresses first. */
  readonly line: string;
  /** True when its lines have pino's form: then a person sees the warnings among them. */
  readonly tellsGraveLines?: boolean;
  /** Runs when it is ready, before the next part starts. */
  readonly afterStart?: () => Promise<void>;
}

export function programPart(part: ProgramPart): Part {
  const { name, home, ports, command, isReady, line, tellsGraveLines = false, afterStart, stopSignal } = part;
  const logFile = join(home, `${name.toLowerCase().replaceAll(' ', '-')}.log`);
  return {
    name,
    ports,
    logFile,
    async start(say) {
      await mkdir(home, { recursive: true });
      const file = createWriteStream(logFile, { flags: 'a', mode: 0o600 });
      const log = tellsGraveLines ? gravePassedOn(file, (words, level) => say(name, words, level)) : file;
      const { program, args, env } = await command();
      const running = startSupervised(program, args, {
        env: { ...process.env, ...env },
        log,
        ...(stopSignal && { stopSignal }),
      });
      void running.ended.then(() => log.end());
      try {
        await untilReady(isReady, running.ended, logFile);
        await afterStart?.();
      } catch (error) {
        await running.stop();
        throw error;
      }
      return { line, ended: running.ended, stop: running.stop, kill: running.kill };
    },
  };
}

async function untilReady(
  isReady: () => Promise<boolean>,
  ended: Promise<string>,
  logFile: string,
): Promise<void> {
  const end: { words?: string } = {};
  void ended.then((words) => {
    end.words = words;
  });
  const deadline = performance.now() + START_TIMEOUT_MS;
  while (!(await isReady())) {
    if (end.words !== undefined)
      throw new Error(
        shortened(lastWords(end.words), logFile) || `it ended without a message; its log is ${logFile}`,
      );
    if (performance.now() > deadline)
      throw new Error(`it was not ready after ${START_TIMEOUT_MS / 1_000} s; its log is ${logFile}`);
    await delay(POLL_MS);
  }
}

const shortened = (words: string, logFile: string): string =>
  words.length <= WORDS ? words : `… ${words.slice(-WORDS)} (all it said is in ${logFile})`;

/** Whether the process at this address says that it is ready. */
export async function saysReady(address: string): Promise<boolean> {
  try {
    const { ok } = await fetch(`${address}/health/ready`);
    return ok;
  } catch {
    // It does not listen yet. The caller has the deadline.
    return false;
  }
}
