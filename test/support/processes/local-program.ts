// A program of scripts/ as a process of its own, less its set-up: what it says, its ports, and what runs below it.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import type { Child } from '../../../local/child-process.ts';
import { freePorts as numbers } from '../../../local/ports.ts';
import { nodeProgramOfTest } from './node-program.ts';

/** It is killed when the test has finished, if it still runs. */
export const startLocal = (
  entry: string,
  env: Readonly<Record<string, string>>,
  options: readonly string[] = [],
): Child => nodeProgramOfTest([`scripts/${entry}`, ...options], { env: { ...process.env, ...env } });

/** One for each variable. */
export async function freePorts<Name extends string>(names: readonly Name[]): Promise<Record<Name, string>> {
  const ports = await numbers(names.length);
  return Object.fromEntries(names.map((name, index) => [name, String(ports[index])])) as never;
}

/** Another program has it until the test has finished. */
export async function portInUse(): Promise<number> {
  const other = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void other.close());
  await once(other, 'listening');
  return (other.address() as AddressInfo).port;
}

export interface RunningProcess {
  readonly pid: number;
  /** What it runs. */
  readonly args: string;
}

/** All below this one, but for the shells between, which have the words of the programs too. */
export async function processesUnder(pid: number): Promise<RunningProcess[]> {
  const { stdout } = await promisify(execFile)('ps', ['-axww', '-o', 'pid=,ppid=,args=']);
  const all = stdout.split('\n').map((line) => /^ *(\d+) +(\d+) (.*)$/.exec(line) ?? []);
  const under = (parent: number): RunningProcess[] =>
    all
      .filter(([, , ppid]) => Number(ppid) === parent)
      .flatMap(([, child, , args = '']) => [{ pid: Number(child), args }, ...under(Number(child))]);
  return under(pid).filter(({ args }) => !args.startsWith('sh '));
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false; // ESRCH: it is gone.
  }
}
