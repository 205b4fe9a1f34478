// A worker process that is killed, and replaced by another, as often as a test likes.
import { join } from 'node:path';
import { inject } from 'vitest';
import { bundleOf } from '../support/bundles.ts';
import { type Killable, killable } from '../support/processes/killable.ts';
import { nodeProgram } from '../support/processes/node-program.ts';

const ours = join(import.meta.dirname, 'processes/worker.ts');

interface Options {
  /** Of the Temporal, if it is not the shared one. */
  readonly address?: string;
  /** Gets the address, the task queue and the bundle as its arguments. */
  readonly program?: string;
  /** Beside those of the tests. */
  readonly variables?: Readonly<Record<string, string>>;
}

export async function killedWorker(
  workflows: string,
  taskQueue: string,
  { address = inject('temporalAddress'), program = ours, variables = {} }: Options = {},
): Promise<Killable> {
  const { codePath } = await bundleOf(workflows);
  const start = async () => {
    const child = nodeProgram([program, address, taskQueue, codePath], {
      variables: { ...process.env, ...variables },
    });
    await child.until(() => child.out() !== '');
    return child;
  };
  return killable(start);
}
