// The published entry lockerflow/worker: the workflows' bundle as our own worker has it, for a worker of one's own.
export { type BundleOptions, bundleWorkflows } from './workflow-bundle.ts';
