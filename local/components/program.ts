// A component that runs a program as a process of its own: all that it says goes to a log file, and it has started when its
// check says so.
import { createWriteStream } from 'node:fs';
import { extname, join } from 'node:path';
import { type ChildOptions, saysReady, startChild, untilReady } from '../child-process.ts';
import { ownFolder } from '../own-folder.ts';
import type { Component } from './component.ts';
import { formatEndReasons, reportingErrors } from './error-lines.ts';

/** Characters of why it does not start; the rest is in its log. */
const WORDS = 500;

interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

interface ProgramComponent extends Pick<ChildOptions, 'stopSignal'> {
  readonly name: string;
  readonly home: string;
  readonly ports: Readonly<Record<string, number>>;
  /** Called at its start, when the components before it are up. */
  readonly command: () => Command | Promise<Command>;
  readonly isReady: () => Promise<boolean>;
  readonly line: string;
  /** True when its lines have pino's form: then a person sees the warnings among them. */
  readonly reportsErrors?: boolean;
  readonly afterStart?: () => Promise<void>;
}

export function programComponent(component: ProgramComponent): Component {
  const { name, home, ports, command, isReady, line, reportsErrors, afterStart, stopSignal } = component;
  const shortened = (words: string): string =>
    words.length <= WORDS ? words : `… ${words.slice(-WORDS)} (all it said is in ${logFile})`;
  const logFile = join(home, `${name.toLowerCase().replaceAll(' ', '-')}.log`);
  return {
    name,
    ports,
    logFile,
    async start(say) {
      await ownFolder(home);
      const file = createWriteStream(logFile, { flags: 'a', mode: 0o600 });
      const log = reportsErrors ? reportingErrors(file, (words, level) => say(name, words, level)) : file;
      const { program, args, env } = await command();
      const running = startChild(program, args, {
        env: { ...process.env, ...env },
        log,
        ...(stopSignal && { stopSignal }),
      });
      void running.ended.then(() => log.end());
      try {
        const words = await untilReady(running, isReady);
        if (words !== undefined)
          throw new Error(
            shortened(formatEndReasons(words)) || `it ended without a message; its log is ${logFile}`,
          );
        await afterStart?.();
      } catch (error) {
        await running.stop();
        throw error;
      }
      return { line, ended: running.ended, stop: running.stop, kill: running.kill };
    },
  };
}

export interface ProcessComponent extends Pick<ProgramComponent, 'name' | 'home' | 'ports' | 'afterStart'> {
  /** From the folder of the project, like service/main.ts; in the built package it is the JavaScript of it. */
  readonly entry: string;
  /** The folder of the project, asked at each start: this checkout if not given. */
  readonly project?: () => string;
  readonly nodeOptions?: readonly string[];
  readonly env: () => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>;
  /** Where /health/ready is. */
  readonly address: string;
  readonly line?: string;
}

const ownProject = join(import.meta.dirname, '../..');

/** A component that runs one of our entries: it has started when its /health/ready says so. */
export function processComponent(component: ProcessComponent): Component {
  const { entry, nodeOptions = [], env, address, line = address, project = () => ownProject } = component;
  return programComponent({
    ...component,
    command: async () => ({
      program: process.execPath,
      args: [...nodeOptions, join(project(), entry.replace(/\.ts$/, extname(import.meta.url)))],
      env: await env(),
    }),
    isReady: () => saysReady(address),
    line,
    reportsErrors: true,
  });
}
