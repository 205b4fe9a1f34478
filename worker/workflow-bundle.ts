// The workflows as one script for Temporal's sandbox, in production mode: a development build is 3.5 times its size, and
// each cached workflow pays for it. The only place that knows where the workflows are.
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, DefaultLogger, type Logger } from '@temporalio/worker';

/** As source or as built. */
const workflowsPath = fileURLToPath(
  new URL(`../workflows/index${extname(import.meta.url)}`, import.meta.url),
);

/** @param logger gets what the bundler says; without it only errors are said */
export async function bundleWorkflows(logger: Logger = new DefaultLogger('ERROR')): Promise<string> {
  const { code } = await bundleWorkflowCode({
    workflowsPath,
    logger,
    webpackConfigHook: (config) => ({ ...config, mode: 'production', performance: { hints: false } }),
  });
  return code;
}
