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

/** The key in the memo that holds the versions of other flows that kept versions name, such as `Loan@3`. Absent: none. */
export const PINS_MEMO = 'pins';

/** What a `src` names: `Loan@3` is version 3 of a published flow, `Loan` its newest one. */
export function pinOf(src: string): { readonly flow: string; readonly version?: number } {
  const [, flow, version] = /^([^@]+)@([1-9]\d{0,8})$/.exec(src) ?? [];
  return flow === undefined ? { flow: src } : { flow, version: Number(version) };
}

/** The versions of other flows that something of a file names under `src`. */
export function pinsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const found = Object.entries(value).flatMap(([key, inner]) =>
    key === 'src' && typeof inner === 'string' && pinOf(inner).version !== undefined
      ? [inner]
      : pinsIn(inner),
  );
  return [...new Set(found)];
}

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
