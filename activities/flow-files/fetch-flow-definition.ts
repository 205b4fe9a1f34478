// Finds the current version of a published flow file, and checks what a process of it is started with. The registry's memo is
// read: no worker has to answer, so that a burst of starts cannot hold itself up.
import { ApplicationFailure, activityInfo, getClient } from '@temporalio/activity';
import { businessKeyIssues } from '../../contract/flows/internal-ids.ts';
import { nearestOf } from '../../flows/language/nearest-names.ts';
import { formatStartIssue, startIssues } from '../../flows/language/reading/start-issues.ts';
import {
  currentIn,
  DEFINITIONS,
  definitionWorkflowId,
  nameOfDefinition,
  type Published,
  publishedOf,
} from '../../flows/language/registry.ts';
import type { FlowFileActivities } from '../flow-file-activities.ts';

export const fetchFlowDefinition: FlowFileActivities['fetchFlowDefinition'] = async ({ name, input }) => {
  const published = await currentOf(name);
  if (!published) throw await unknown(name);
  const issues = [
    // Processes are started with other SDKs too: there, nothing has checked the key yet.
    ...businessKeyIssues(activityInfo().workflowExecution?.workflowId ?? ''),
    ...startIssues(published.file, input ?? {}),
  ];
  if (issues.length === 0) return published;
  throw refused('InvalidRequest', `${name}: ${issues.map(formatStartIssue).join('; ')}`, { issues });
};

async function currentOf(name: string): Promise<Published | undefined> {
  try {
    const current = currentIn(await getClient().workflow.getHandle(definitionWorkflowId(name)).describe());
    return current && publishedOf(current);
  } catch (error) {
    // Temporal's own client has no code for it that is stable: its name is.
    if (error instanceof Error && error.name === 'WorkflowNotFoundError') return undefined;
    throw error;
  }
}

// More names than a person would read.
const MAX_NAMES = 200;

async function unknown(name: string): Promise<ApplicationFailure> {
  const names: string[] = [];
  for await (const { workflowId } of getClient().workflow.list({ query: DEFINITIONS })) {
    names.push(nameOfDefinition(workflowId));
    if (names.length === MAX_NAMES) break;
  }
  const near = nearestOf(name, names);
  const hint = near === undefined ? 'publish it first: npx lockerflow publish FILE' : `did you mean ${near}?`;
  return refused('FlowUnknown', `${name} is neither a built-in flow nor a published one; ${hint}`, {
    near: near ?? null,
  });
}

const refused = (type: string, message: string, detail: object) =>
  ApplicationFailure.create({ type, message, nonRetryable: true, details: [detail], category: 'BENIGN' });
