// The registry of published flow files. It is kept in Temporal: one small workflow for each name.
import type { internalIds } from '../../contract/flows/internal-ids.ts';
import type { FlowFile } from './flow-file.ts';

/** The workflow type. Its update `publish` takes a FlowFile; its query `published` gives a Published, or null. */
export const FLOW_DEFINITION = 'FlowDefinition';

/** Finds the workflows of all names, in Temporal's query language. */
export const DEFINITIONS = `WorkflowType = '${FLOW_DEFINITION}' AND ExecutionStatus = 'Running'`;

/** The key in the workflow's memo that holds the newest `Published`, so that reading it needs no worker. */
export const NEWEST_MEMO = 'newest';

/** Repeated here, and held to be the same by its type: in the sandbox of workflows there are no values of the contract. */
const PREFIX: (typeof internalIds)['definition'] = 'flow-definition:';

/** The newest version that a workflow of the registry holds; undefined if this is no such workflow. */
export const newestIn = ({
  type,
  memo,
}: {
  type: string;
  memo?: Record<string, unknown>;
}): Published | undefined =>
  type === FLOW_DEFINITION ? (memo?.[NEWEST_MEMO] as Published | undefined) : undefined;

/** The id of the workflow that holds the versions of a name. */
export const definitionWorkflowId = (name: string): string => `${PREFIX}${name}`;

export const nameOfDefinition = (workflowId: string): string => workflowId.slice(PREFIX.length);

export interface Published {
  readonly file: FlowFile;
  /** Counted from 1. Each change of the content makes the next version. */
  readonly version: number;
  /** ISO 8601. */
  readonly publishedAt: string;
}

export interface PublishResult {
  readonly name: string;
  readonly version: number;
  /** False if the newest version already had this content. */
  readonly isNew: boolean;
}
