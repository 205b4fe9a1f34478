// The workflows as one script for Temporal's sandbox, in production mode: a development build is 3.5 times its size.
// The only place that knows where the workflows are.
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, DefaultLogger, type Logger } from '@temporalio/worker';
import { workflowFailureConverterPath } from '../shared/codec/data-converter.ts';
import { withNamesOfCalls } from './source-map-names.ts';

/** As source or as built. */
const ours = fileURLToPath(new URL(`../workflows/index${extname(import.meta.url)}`, import.meta.url));
const traceInterceptors = fileURLToPath(
  new URL(`../workflows/trace-interceptors${extname(import.meta.url)}`, import.meta.url),
);

export interface BundleOptions {
  /** Gets the output of the bundler; without it only errors are printed. */
  readonly logger?: Logger;
  /** A file that exports the workflows; your own file has ours too, and `default`, which runs the flow files (docs/integrate.md). */
  readonly workflowsPath?: string;
  /**
   * Files that are evaluated once for all workflows of a worker, not again for each: they and their imports must keep
   * no data of a process. The default is our files: in xstate's modules only a counter is shared then, for ids of live
   * actors, and the engine has none.
   */
  readonly preloadModules?: readonly string[];
  /** Files with interceptors of workflows, beside ours. */
  readonly workflowInterceptorModules?: readonly string[];
  /** A development build is faster: for tests. */
  readonly mode?: 'production' | 'development';
}

export async function bundleWorkflows({
  logger = new DefaultLogger('ERROR'),
  workflowsPath = ours,
  preloadModules = [ours],
  workflowInterceptorModules = [],
  mode = 'production',
}: BundleOptions = {}): Promise<string> {
  const { code } = await bundleWorkflowCode({
    workflowsPath,
    preloadModules: [...preloadModules],
    workflowInterceptorModules: [traceInterceptors, ...workflowInterceptorModules],
    failureConverterPath: workflowFailureConverterPath,
    logger,
    webpackConfigHook: (config) => ({
      ...config,
      mode,
      performance: { hints: false },
      // With the places of the source and without its text: nobody reads that here, and it is more than half of the bundle.
      devtool: 'inline-nosources-source-map',
      module: {
        ...config.module,
        rules: [...(config.module?.rules ?? []).map(asWritten), ...preloadModules.map(isEvaluated)],
      },
    }),
  });
  return mode === 'production' ? withNamesOfCalls(code) : code;
}

/** Only the types are taken out: translated for a Node of 2017, each private field would be a map, and each access a call. */
function asWritten<Rule>(rule: Rule): Rule {
  const { use } = (rule ?? {}) as { readonly use?: { readonly options?: { readonly jsc?: object } } };
  const jsc = use?.options?.jsc;
  return jsc
    ? { ...rule, use: { ...use, options: { ...use.options, jsc: { ...jsc, target: 'es2022' } } } }
    : rule;
}

/**
 * Our package.json says that bundlers may leave out a module without a used export, and preloading uses no
 * export.
 */
const isEvaluated = (path: string) => ({ resource: path, sideEffects: true });
