// Publishes flow files into Temporal, the only place that keeps them. The registry's workflow answers, so a worker must
// run.

import { type Client, WithStartWorkflowOperation } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import type { FlowFile } from '../../flows/language/flow-file.ts';
import type { KnownConnectors } from '../../flows/language/reading/report.ts';
import {
  definitionWorkflowId,
  FLOW_DEFINITION,
  type PublishOptions,
  type PublishResult,
} from '../../flows/language/registry.ts';
import { shownAsText } from '../../shared/markdown/shown-as-text.ts';
import { type Checked, checkTexts, contentsOf, type FlowFileText, type TextsToCheck } from './check-texts.ts';
import { keepStarts } from './event-starts.ts';
import { publishedFlow, untilPublishedListed } from './published-flows.ts';
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
 * Files that may invoke each other, in YAML or JSON: all of them are published, or none. Temporal's schedules are made those of the
 * files then: publishing the same content again repairs them.
 * @throws FlowFilesRefused, and SchedulesNotKept: the files are published, and a schedule is not what they say
 */
export async function publishFiles(
  client: Client,
  texts: readonly FlowFileText[],
  taskQueue: string,
  options: CheckOptions & PublishOptions = {},
): Promise<PublishResult[]> {
  const files = await checkedFiles(client, texts, options);
  const results: PublishResult[] = [];
  for (const file of files) results.push(await publishFile(client, file, taskQueue, options));
  await untilPublishedListed(client, results);
  await keepTriggers(client, files, taskQueue);
  return results;
}

/** What starts processes of the files: events, and Temporal's schedules. */
async function keepTriggers(client: Client, files: readonly FlowFile[], taskQueue: string): Promise<void> {
  await keepStarts(client, files, taskQueue);
  await keepSchedules(client, files, taskQueue);
}

/** How texts are read and checked: it may take seconds, so a server gives it to a thread. */
export interface TextChecks {
  contents(texts: readonly FlowFileText[]): Promise<readonly unknown[]>;
  check(input: TextsToCheck): Promise<Checked>;
}

const here: TextChecks = {
  contents: async (texts) => contentsOf(texts),
  check: async (input) => checkTexts(input),
};

interface CheckOptions {
  readonly connectors?: KnownConnectors | null;
  readonly checks?: TextChecks | undefined;
}

/** @throws FlowFilesRefused */
export async function checkedFiles(
  client: Client,
  texts: readonly FlowFileText[],
  { connectors = null, checks = here }: CheckOptions = {},
): Promise<readonly FlowFile[]> {
  const contents = await checks.contents(texts);
  const published = await publishedInUse(client, contents);
  const { files, lines } = await checks.check({ texts, contents, published, connectors });
  if (lines.length > 0) throw new FlowFilesRefused(lines);
  return files;
}

type Registry = () => Promise<void>;

/** A version that the registry does not keep. */
export class VersionUnknown extends Error {
  override readonly name = 'VersionUnknown';
}

/** @throws VersionUnknown, and SchedulesNotKept: the version is the current one, and a schedule is not what it says */
export async function publishVersion(
  client: Client,
  name: string,
  version: number,
  taskQueue: string,
): Promise<PublishResult> {
  const registry = client.workflow.getHandle(definitionWorkflowId(name));
  const result = await registry
    .executeUpdate<PublishResult, [number]>('publishVersion', { args: [version] })
    .catch((error: unknown) => {
      const { cause } = error as { readonly cause?: unknown };
      throw cause instanceof ApplicationFailure && cause.type === 'VersionUnknown'
        ? new VersionUnknown(cause.message, { cause })
        : error;
    });
  await untilPublishedListed(client, [result]);
  const current = await publishedFlow(client, name);
  if (current) await keepTriggers(client, [current.file], taskQueue);
  return result;
}

function publishFile(
  client: Client,
  file: FlowFile,
  taskQueue: string,
  { keepsCurrent = false }: PublishOptions,
): Promise<PublishResult> {
  return client.workflow.executeUpdateWithStart<Registry, PublishResult, [FlowFile, PublishOptions]>(
    'publish',
    {
      args: [file, { keepsCurrent }],
      startWorkflowOperation: new WithStartWorkflowOperation<Registry>(FLOW_DEFINITION, {
        workflowId: definitionWorkflowId(file.name),
        args: [],
        taskQueue,
        workflowIdConflictPolicy: 'USE_EXISTING',
        staticSummary: `versions of ${shownAsText(file.name)}`,
      }),
    },
  );
}
