// The process entry of a replay (`lockerflow replay`): runs recorded histories through this checkout's
// workflows and says for each whether they still decide the same. One JSON to a line: in a process or its history, out the
// result.
import { createInterface } from 'node:readline';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import {
  DefaultLogger,
  makeTelemetryFilterString,
  NativeConnection,
  Runtime,
  Worker,
} from '@temporalio/worker';
import { z } from 'zod';
import { dataConverter, payloadKeys } from '../shared/codec/data-converter.ts';
import { write, writeError } from '../shared/terminal/terminal.ts';
import { bundleWorkflows } from './workflow-bundle.ts';

const replayRequest = z.object({
  workflowId: z.string(),
  runId: z.string().optional(),
  history: z.unknown().optional(),
});
type ReplayRequest = z.infer<typeof replayRequest>;

interface RecordedEvent {
  readonly workflowTaskCompletedEventAttributes?: unknown;
  readonly workflowTaskFailedEventAttributes?: {
    readonly failure?: { readonly message?: string | null; readonly serverFailureInfo?: unknown } | null;
  } | null;
}

/**
 * At what a worker has failed since the last step; null: at nothing. That step is not replayed, because no history has it. What the
 * server itself refused is no defect.
 */
function failureAtTheEnd(history: unknown): string | null {
  const { events = [] } = history as { readonly events?: readonly RecordedEvent[] };
  for (const event of events.toReversed()) {
    if (event.workflowTaskCompletedEventAttributes) return null;
    const { failure } = event.workflowTaskFailedEventAttributes ?? {};
    if (failure && !failure.serverFailureInfo) return failure.message ?? '';
  }
  return null;
}

/** By workflow id. */
const failures = new Map<string, string | null>();

const { connectionOptions, namespace = 'default' } = loadClientConnectConfig();
/** Connects only when a history is requested: histories from a file need no Temporal. */
const connected: NativeConnection[] = [];

type Page = Awaited<ReturnType<NativeConnection['workflowService']['getWorkflowExecutionHistory']>>;

/** All pages of it. */
async function historyOf({ workflowId, runId }: ReplayRequest) {
  const [connection = await NativeConnection.connect(connectionOptions)] = connected;
  if (connected.length === 0) connected.push(connection);
  const events: unknown[] = [];
  let nextPageToken: Uint8Array | null = null;
  do {
    const page: Page = await connection.workflowService.getWorkflowExecutionHistory({
      namespace,
      execution: { workflowId, runId: runId ?? '' },
      nextPageToken,
    });
    events.push(...(page.history?.events ?? []));
    nextPageToken = page.nextPageToken?.length ? page.nextPageToken : null;
  } while (nextPageToken);
  return { events };
}

async function* histories() {
  for await (const line of createInterface({ input: process.stdin })) {
    const one = replayRequest.parse(JSON.parse(line));
    const history = one.history ?? (await historyOf(one));
    failures.set(one.workflowId, failureAtTheEnd(history));
    yield { workflowId: one.workflowId, history };
  }
}

try {
  Runtime.install({
    // The text of the result says what differs.
    logger: new DefaultLogger('ERROR', () => undefined),
    telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: 'ERROR' }) } },
  });
  const bundle = process.env.WORKER_WORKFLOW_BUNDLE || undefined;
  const options = {
    workflowBundle: bundle === undefined ? { code: await bundleWorkflows() } : { codePath: bundle },
    dataConverter: dataConverter(payloadKeys(process.env)),
  };
  for await (const { workflowId, error } of Worker.runReplayHistories(options, histories())) {
    const failedAt = failures.get(workflowId) ?? null;
    failures.delete(workflowId);
    write(`${JSON.stringify({ workflowId, error: error?.message ?? null, failedAt })}\n`);
  }
} catch (error) {
  writeError(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  for (const connection of connected) await connection.close();
}
