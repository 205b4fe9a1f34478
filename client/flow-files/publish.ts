// Publishes flow files into Temporal, the only place that keeps them. The registry's workflow answers, so a worker must
// run.
import { type Client, WithStartWorkflowOperation, WorkflowNotFoundError } from '@temporalio/client';
import { EVENT_STARTS } from '../../contract/flows/flow-types.ts';
import { internalIds } from '../../contract/flows/internal-ids.ts';
import { eventStartsId, STARTED_FLOWS_MEMO, STARTS_UPDATE } from '../../flows/language/correlation.ts';
import type { FlowFile } from '../../flows/language/flow-file.ts';
import type { KnownConnectors } from '../../flows/language/reading/report.ts';
import { definitionWorkflowId, FLOW_DEFINITION, type PublishResult } from '../../flows/language/registry.ts';
import { type Checked, checkTexts, contentsOf, type FlowFileText, type TextsToCheck } from './check-texts.ts';
import { publishedFlow, untilListed } from './published-flows.ts';
import { publishedInUse } from './published-in-use.ts';
import { keepSchedules } from './schedules.ts';

/** All errors of the files. Nothing was published. */
export class FlowFilesRefused extends Error {
  override readonly name = 'FlowFilesRefused';
  /** One line for each finding: the file, what is wrong, what was expected, what to do. */
  readonly lines: readonly string[];

  constructor(lines: readonly string[]) {
    super(lines.join('\n'));
    this.lines = lines;
  }
}

/**
 * Files that may invoke each other, in YAML or JSON: all of them are published, or none.
 * @param require is asked about each that has no errors, and throws before anything is published
 * @throws FlowFilesRefused
 */
export async function publishFiles(
  client: Client,
  texts: readonly FlowFileText[],
  taskQueue: string,
  {
    require = () => undefined,
    ...options
  }: Pick<CheckOptions, 'connectors' | 'checks'> & { readonly require?: (file: FlowFile) => void } = {},
): Promise<PublishResult[]> {
  const files = await checkedFiles(client, texts, options);
  for (const file of files) require(file);
  const results: PublishResult[] = [];
  for (const file of files) {
    const before = await publishedFlow(client, file.name);
    results.push(await publishFile(client, file, taskQueue));
    await keepStarts(client, file, before?.file.starts, taskQueue);
    await keepSchedules(client, file, before?.file.schedules, taskQueue);
  }
  await untilListed(client, results);
  return results;
}

/** How texts are read and checked: it may take seconds, so a server gives it to a thread. */
export interface TextChecks {
  contents(texts: readonly FlowFileText[]): Promise<readonly unknown[]>;
  check(given: TextsToCheck): Promise<Checked>;
}

const here: TextChecks = {
  contents: async (texts) => contentsOf(texts),
  check: async (given) => checkTexts(given),
};

interface CheckOptions {
  readonly connectors?: KnownConnectors | null;
  /** Whether the versions that the files name under `src` are looked for, which needs a worker. */
  readonly withVersions?: boolean;
  readonly checks?: TextChecks | undefined;
}

/** @throws FlowFilesRefused */
export async function checkedFiles(
  client: Client,
  texts: readonly FlowFileText[],
  { connectors = null, withVersions = true, checks = here }: CheckOptions = {},
): Promise<readonly FlowFile[]> {
  const contents = await checks.contents(texts);
  const published = await publishedInUse(client, contents, withVersions);
  const { files, lines } = await checks.check({ texts, contents, published, connectors });
  if (lines.length > 0) throw new FlowFilesRefused(lines);
  return files;
}

type Registry = () => Promise<void>;

/** Without its schedules and starts. */
export function publishFile(client: Client, file: FlowFile, taskQueue: string): Promise<PublishResult> {
  return client.workflow.executeUpdateWithStart<Registry, PublishResult, [FlowFile]>('publish', {
    args: [file],
    startWorkflowOperation: new WithStartWorkflowOperation<Registry>(FLOW_DEFINITION, {
      workflowId: definitionWorkflowId(file.name),
      args: [],
      taskQueue,
      workflowIdConflictPolicy: 'USE_EXISTING',
      staticSummary: `versions of ${file.name}`,
    }),
  });
}

type EventStarts = () => Promise<void>;

/** Makes them those of the file; resolves when an event has that effect, for which a worker must run. */
export async function keepStarts(
  client: Client,
  { name, starts = {} }: FlowFile,
  before: FlowFile['starts'] = {},
  taskQueue: string,
): Promise<void> {
  for (const type of Object.keys(starts))
    await client.workflow.executeUpdateWithStart<EventStarts, void, [string, boolean]>(STARTS_UPDATE, {
      args: [name, true],
      startWorkflowOperation: new WithStartWorkflowOperation<EventStarts>(EVENT_STARTS, {
        workflowId: eventStartsId(type),
        taskQueue,
        args: [],
        workflowIdConflictPolicy: 'USE_EXISTING',
        staticSummary: `What ${type} starts`,
      }),
    });
  // Also if the version before had none: a publication whose answer was lost may have left what that one did not have.
  const there = new Set([...Object.keys(before), ...(await startedBy(client, name))]);
  for (const type of there) {
    if (Object.hasOwn(starts, type)) continue;
    try {
      await client.workflow
        .getHandle(eventStartsId(type))
        .executeUpdate(STARTS_UPDATE, { args: [name, false] });
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
    }
  }
}

/** The types of events that start the flow, as Temporal lists them. */
async function startedBy(client: Client, flow: string): Promise<string[]> {
  const types: string[] = [];
  const query = `WorkflowType = '${EVENT_STARTS}' AND ExecutionStatus = 'Running'`;
  for await (const { workflowId, memo } of client.workflow.list({ query }))
    if ((memo?.[STARTED_FLOWS_MEMO] as readonly string[] | undefined)?.includes(flow))
      types.push(workflowId.slice(internalIds.starts.length));
  return types;
}
