// The workflows as one script for Temporal's sandbox, in production mode: a development build is 3.5 times its size.
// The only place that knows where the workflows are.
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, DefaultLogger, type Logger } from '@temporalio/worker';
import { workflowFailureConverterPath } from '../codec/data-converter.ts';

/** As source or as built. */
const ours = fileURLToPath(new URL(`../workflows/index${extname(import.meta.url)}`, import.meta.url));

export interface BundleOptions {
  /** Gets what the bundler says; without it only errors are said. */
  readonly logger?: Logger;
  /** A file that exports the workflows; one of one's own has `export * from 'lockerflow/workflows'`. */
  readonly workflowsPath?: string;
  /**
   * Files that are evaluated once for all workflows of a worker, not again for each: they and what they import may keep
   * nothing of a process. Ours if none are given: of xstate's modules only a counter differs then, for ids of live actors,
   * which the driver has none of.
   */
  readonly preloadModules?: readonly string[];
  /** A development build is made sooner: for tests. */
  readonly mode?: 'production' | 'development';
}

export async function bundleWorkflows({
  logger = new DefaultLogger('ERROR'),
  workflowsPath = ours,
  preloadModules = [ours],
  mode = 'production',
}: BundleOptions = {}): Promise<string> {
  const { code } = await bundleWorkflowCode({
    workflowsPath,
    preloadModules: [...preloadModules],
    failureConverterPath: workflowFailureConverterPath,
    logger,
    webpackConfigHook: (config) => ({
      ...config,
      ...{ mode, performance: { hints: false } },
      module: {
        ...config.module,
        rules: [...(config.module?.rules ?? []), ...preloadModules.map(isEvaluated)],
      },
    }),
  });
  return code;
}

/** Our package.json says that a module that nothing is used of may be left out, and preloading uses nothing. */
const isEvaluated = (path: string) => ({ resource: path, sideEffects: true });
