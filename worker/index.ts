// The published entry lockerflow/worker: the workflows' bundle as our own worker has it, for a worker of one's own.
export { dataConverter, payloadKeys, withEncodedFailures } from '../codec/data-converter.ts';
export { type BundleOptions, bundleWorkflows } from './workflow-bundle.ts';
