// The measured worker of tasks.
import { fetchFlowDefinition } from '../../../activities/flow-files/fetch-flow-definition.ts';
import { measuredWorker } from '../measured-worker.ts';

await measuredWorker({ activities: { fetchFlowDefinition }, maxCachedWorkflows: 1_000 });
