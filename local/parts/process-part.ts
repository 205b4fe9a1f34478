// A part that runs one of our entries as a separate process: its lines go to a log file, and it has started when its
// /health/ready says so.
import { fileURLToPath } from 'node:url';
import type { Part } from './part.ts';
import { programPart, saysReady } from './program-part.ts';

export interface ProcessPart {
  readonly name: string;
  readonly home: string;
  readonly ports: Readonly<Record<string, number>>;
  /** From the folder of this project, like service/main.ts. */
  readonly entry: string;
  readonly nodeOptions?: readonly string[];
  /** Called at its start, when the parts before it are up. */
  readonly env: () => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>;
  /** Where /health/ready is. */
  readonly address: string;
  readonly line?: string;
  /** Runs when it is ready, before the next part starts. */
  readonly afterStart?: () => Promise<void>;
}

export function processPart(part: ProcessPart): Part {
  const { name, home, ports, entry, nodeOptions = [], env, address, line, afterStart } = part;
  const program = fileURLToPath(new URL(`../../${entry}`, import.meta.url));
  return programPart({
    name,
    home,
    ports,
    command: async () => ({
      program: process.execPath,
      args: [...nodeOptions, program],
      env: await env(),
    }),
    isReady: () => saysReady(address),
    line: line ?? address,
    tellsGraveLines: true,
    ...(afterStart && { afterStart }),
  });
}
