// Publishes flow files into Temporal, the only place that keeps them. The registry's workflow answers, so a worker must
// run.
import { type Client, WithStartWorkflowOperation } from '@temporalio/client';
import { invokeSchemas } from '../../contract/flow-schemas/invoke-schemas.ts';
import { builtInFlows } from '../../contract/index.ts';
import type { FlowFile } from '../../flow-files/flow-file.ts';
import { refusingFindings } from '../../flow-files/lint/lint.ts';
import { wordsOfLint } from '../../flow-files/lint/lint-finding.ts';
import { wordsOfFinding } from '../../flow-files/reading/finding.ts';
import type { KnownConnectors } from '../../flow-files/reading/names.ts';
import { isPartPath, normalPath, textWithParts } from '../../flow-files/reading/parts.ts';
import { readFlowFile } from '../../flow-files/reading/read-flow-file.ts';
import { definitionWorkflowId, FLOW_DEFINITION, type PublishResult } from '../../flow-files/registry.ts';
import { keepStarts } from './event-starts.ts';
import { publishedFlow, untilListed } from './published-flows.ts';
import { flowNameOf, publishedInUse } from './published-in-use.ts';
import { keepSchedules } from './schedules.ts';

/** A text of a flow file, and the name that errors give it; or of a part, under the path by which files beside it name it. */
export interface FlowFileText {
  readonly path: string;
  readonly text: string;
}

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
  connectors: KnownConnectors | null = null,
  require: (file: FlowFile) => void = () => undefined,
): Promise<PublishResult[]> {
  const files = await checkedFiles(client, texts, connectors);
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

/**
 * @param withVersions whether the versions that they name under `src` are looked for, which needs a worker
 * @throws FlowFilesRefused
 */
export async function checkedFiles(
  client: Client,
  texts: readonly FlowFileText[],
  connectors: KnownConnectors | null,
  withVersions = true,
): Promise<FlowFile[]> {
  const parts = new Map(texts.map(({ path, text }) => [normalPath(path), text]));
  const flows = texts
    .filter(({ path }) => !isPartPath(path))
    .map(({ path, text }) => ({ path, text, source: { path, textOf: (part: string) => parts.get(part) } }));
  const contents = flows
    .map(({ text, source }) => textWithParts(text, source))
    .map(({ data, findings }) => (findings.length > 0 ? null : data));
  const { files: published, ...kept } = await publishedInUse(client, contents, withVersions);
  const names = [...published.map(({ name }) => name), ...contents.flatMap((data) => flowNameOf(data) ?? [])];
  const known = { builtIn: builtInFlows, published: names, connectors };
  const read = flows.map(({ path, text, source }) => ({ path, ...readFlowFile(text, known, source) }));
  const files = read.flatMap(({ file }) => file ?? []);
  const others = published.filter(({ name }) => !files.some((file) => file.name === name));
  const invocables = { builtIn: builtInFlows, schemasOf: invokeSchemas, published: others, ...kept };
  const lines = read.flatMap(({ path, file, findings, ...rest }) => [
    ...findings.map((finding) => `${path}: ${wordsOfFinding(finding)}`),
    ...(file
      ? refusingFindings(file, { others: files, invocables, ...rest }).map(
          (finding) => `${path}: ${wordsOfLint(finding)}`,
        )
      : []),
  ]);
  lines.push(...twice(read));
  if (lines.length > 0) throw new FlowFilesRefused(lines);
  return files;
}

function twice(read: readonly { readonly path: string; readonly file: FlowFile | null }[]): string[] {
  return read.flatMap(({ path, file }, index) => {
    const first = read.slice(0, index).find((each) => file && each.file?.name === file.name);
    return first
      ? [
          `${path}: NameTaken: name: ${file?.name} is the name of ${first.path} too; give one of them another name`,
        ]
      : [];
  });
}

type Registry = () => Promise<void>;

function publishFile(client: Client, file: FlowFile, taskQueue: string): Promise<PublishResult> {
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
