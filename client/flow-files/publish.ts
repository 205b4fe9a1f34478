// Publishing of flow files: into Temporal, which alone keeps them. The registry's workflow answers, so a worker must run.
import { type Client, WithStartWorkflowOperation } from '@temporalio/client';
import { builtInFlows } from '../../contract/index.ts';
import type { FlowFile } from '../../flow-files/flow-file.ts';
import { type Finding, wordsOfFinding } from '../../flow-files/reading/finding.ts';
import { readFlowFile } from '../../flow-files/reading/read-flow-file.ts';
import { parsedText } from '../../flow-files/reading/yaml.ts';
import { definitionWorkflowId, FLOW_DEFINITION, type PublishResult } from '../../flow-files/registry.ts';
import { publishedFlows } from './published-flows.ts';

/** What is wrong with a file, all of it. */
export class FlowFileRefused extends Error {
  override readonly name = 'FlowFileRefused';
  readonly findings: readonly Finding[];

  constructor(findings: readonly Finding[]) {
    super(findings.map(wordsOfFinding).join('\n'));
    this.findings = findings;
  }
}

/** YAML or JSON. Throws FlowFileRefused. @param beside names of files that are published together with it */
export async function publishText(
  client: Client,
  text: string,
  { taskQueue, beside = [] }: { readonly taskQueue: string; readonly beside?: readonly string[] },
): Promise<PublishResult> {
  const published = (await publishedFlows(client)).map(({ file }) => file.name);
  const names = { builtIn: builtInFlows, published: [...published, ...beside], connectors: null };
  const { file, findings } = readFlowFile(text, names);
  if (!file) throw new FlowFileRefused(findings);
  return await publishFile(client, file, taskQueue);
}

type Registry = () => Promise<void>;

/** The name that a text gives its flow, where it can be read; whether it is a good one is checked later. */
export function nameIn(text: string): string | undefined {
  const { data } = parsedText(text);
  const name: unknown = typeof data === 'object' && data !== null && 'name' in data ? data.name : undefined;
  return typeof name === 'string' ? name : undefined;
}

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
