// Bundles of workflows, each built once for all files of tests: a build takes 2 s of a processor for tests, 6 s for production.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { WorkflowBundlePath } from '@temporalio/worker';
import { inject } from 'vitest';
import { withFileLock } from '../../local/file-lock.mjs';
import { workflowBundle } from '../../local/workflow-bundle.ts';
import { bundleWorkflows } from '../../worker/workflow-bundle.ts';

const ours = join(import.meta.dirname, '../../workflows/index.ts');

/** As a worker has it, but for its mode: built quickly. The project's own workflows if none are given. */
export async function bundleOf(workflowsPath = ours): Promise<WorkflowBundlePath> {
  const name = createHash('sha256').update(workflowsPath).digest('hex').slice(0, 16);
  const codePath = join(inject('bundles'), `${name}.js`);
  const build = async () => {
    if (existsSync(codePath)) return;
    const building = `${codePath}.building`;
    const preloadModules = [workflowsPath];
    await writeFile(building, await bundleWorkflows({ workflowsPath, preloadModules, mode: 'development' }));
    await rename(building, codePath);
  };
  if (!existsSync(codePath)) await withFileLock(`${codePath}.lock`, build);
  return { codePath };
}

/** The path of what a worker runs in production. */
export function productionBundle(): Promise<string> {
  const folder = inject('bundles');
  return withFileLock(join(folder, 'production.lock'), () => workflowBundle(folder));
}
