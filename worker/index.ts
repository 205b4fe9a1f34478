// The published entry lockerflow/worker: our worker's bundle of the workflows, for your own worker.
export { dataConverter, payloadKeys, withEncodedFailures } from '../shared/codec/data-converter.ts';
export { type BundleOptions, bundleWorkflows } from './workflow-bundle.ts';
