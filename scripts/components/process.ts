// A component that runs one of our entries as a separate process: its lines go to a log file, and it has started when its
// /health/ready says so.
import { join } from 'node:path';
import { saysReady } from '../child-process.ts';
import type { Component } from './component.ts';
import { programComponent } from './program.ts';

export interface ProcessComponent {
  readonly name: string;
  readonly home: string;
  readonly ports: Readonly<Record<string, number>>;
  /** From the folder of the project, like service/main.ts. */
  readonly entry: string;
  /** The folder of the project, asked at each start: this checkout if not given. */
  readonly project?: () => string;
  readonly nodeOptions?: readonly string[];
  readonly env: () => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>;
  /** Where /health/ready is. */
  readonly address: string;
  readonly line?: string;
  readonly afterStart?: () => Promise<void>;
}

const ownProject = join(import.meta.dirname, '../..');

export function processComponent(component: ProcessComponent): Component {
  const { name, home, ports, entry, nodeOptions = [], env, address, line, afterStart } = component;
  const { project = () => ownProject } = component;
  return programComponent({
    name,
    home,
    ports,
    command: async () => ({
      program: process.execPath,
      args: [...nodeOptions, join(project(), entry)],
      env: await env(),
    }),
    isReady: () => saysReady(address),
    line: line ?? address,
    reportsErrors: true,
    ...(afterStart && { afterStart }),
  });
}
