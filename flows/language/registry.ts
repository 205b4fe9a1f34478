// The registry of published flow files. It is kept in Temporal: one small workflow for each name.
import type { internalIds } from '../../contract/flows/internal-ids.ts';
import type { FlowFile } from './flow-file.ts';

/**
 * The workflow type. Its update `publish` takes a FlowFile and PublishOptions, `publishVersion` the number of a version that it has;
 * its query `published` gives a Published, or null.
 */
export const FLOW_DEFINITION = 'FlowDefinition';

/** Finds the workflows of all names, in Temporal's query language. */
export const DEFINITIONS = `WorkflowType = '${FLOW_DEFINITION}' AND ExecutionStatus = 'Running'`;

/** The key in the workflow's memo that holds the `CurrentVersion`, so that reading it needs no worker. */
export const CURRENT_MEMO = 'current';

/** Repeated here, and held to be the same by its type: in the sandbox of workflows there are no values of the contract. */
const PREFIX: (typeof internalIds)['definition'] = 'flow-definition:';

/** The version on which new processes begin; undefined if this is no workflow of the registry. */
export const currentIn = ({
  type,
  memo,
}: {
  type: string;
  memo?: Record<string, unknown>;
}): CurrentVersion | undefined =>
  type === FLOW_DEFINITION ? (memo?.[CURRENT_MEMO] as CurrentVersion | undefined) : undefined;

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

/** The version on which new processes begin: the newest one, unless somebody has taken back what was published since. */
export interface CurrentVersion extends Published {
  /** The number of the newest version. */
  readonly newest: number;
}

/** As the history of a process keeps it. */
export const publishedOf = ({ file, version, publishedAt }: CurrentVersion): Published => ({
  file,
  version,
  publishedAt,
});

export interface PublishOptions {
  /** The content of a former version does not make that version the current one again. */
  readonly keepsCurrent?: boolean;
}

export interface PublishResult {
  readonly name: string;
  readonly version: number;
  /** False if a version already had this content. */
  readonly isNew: boolean;
  /** Set where a former version is the current one again: the version that was it until then. */
  readonly insteadOf?: number;
  /** Set where another version stays the current one, as `keepsCurrent` asks for. */
  readonly current?: number;
}
