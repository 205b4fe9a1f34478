// The registry of published flow files, as it stands in Temporal: one small workflow for each name.
import type { FlowFile } from './flow-file.ts';

/** The workflow type. Its update `publish` takes a FlowFile; its query `published` gives a Published, or null. */
export const FLOW_DEFINITION = 'FlowDefinition';

/** In Temporal's query language: those of all names. */
export const DEFINITIONS = `WorkflowType = '${FLOW_DEFINITION}' AND ExecutionStatus = 'Running'`;

/** In the workflow's memo: the newest `Published`, so that reading it needs no worker. */
export const NEWEST_MEMO = 'newest';

const PREFIX = 'flow-definition:';

/** The workflow that holds the versions of a name. */
export const definitionWorkflowId = (name: string): string => `${PREFIX}${name}`;

export const nameOfDefinition = (workflowId: string): string => workflowId.slice(PREFIX.length);

export interface Published {
  readonly file: FlowFile;
  /** From 1; other content is the next one. */
  readonly version: number;
  /** ISO 8601. */
  readonly publishedAt: string;
}

export interface PublishResult {
  readonly name: string;
  readonly version: number;
  /** False: this content was the newest version already. */
  readonly isNew: boolean;
}
