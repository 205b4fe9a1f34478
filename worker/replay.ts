// The process entry of a replay (`lockerflow replay`, and the console): runs recorded histories through this checkout's
// workflows and says for each whether they still decide the same. One JSON to a line: in a process or its history, out the
// verdict; where the line asks for its steps, a line before it for each of them, with where the process stood then.
import { createInterface } from 'node:readline';
import { defaultPayloadConverter } from '@temporalio/common';
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
import { bundleWorkflows } from './workflow-bundle.ts';

const replayRequest = z.object({
  workflowId: z.string(),
  runId: z.string().optional(),
  history: z.unknown().optional(),
  /** For a process: print its steps too. */
  steps: z.boolean().optional(),
});
type ReplayRequest = z.infer<typeof replayRequest>;

const { connectionOptions, namespace = 'default' } = loadClientConnectConfig();
/** Connects only when a history is requested: histories from a file need no Temporal. */
const connected: NativeConnection[] = [];

type Page = Awaited<ReturnType<NativeConnection['workflowService']['getWorkflowExecutionHistory']>>;

/** All pages of it. */
async function historyOf({ workflowId, runId, steps }: ReplayRequest) {
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
  return steps ? traced(events as Event[]) : { events };
}

interface Event {
  readonly workflowExecutionStartedEventAttributes?: { readonly memo?: { readonly fields?: object } | null };
}

/** The steps are told where the memo asks for them (engine/temporal/trace.ts). */
function traced([{ workflowExecutionStartedEventAttributes: started, ...first } = {}, ...others]: Event[]) {
  const fields = { ...started?.memo?.fields, traced: defaultPayloadConverter.toPayload('withStatus') };
  return {
    events: [
      { ...first, workflowExecutionStartedEventAttributes: { ...started, memo: { fields } } },
      ...others,
    ],
  };
}

/** Characters of JSON: a process of thousands of steps may say as much of itself after each as its file lets it. */
const MAX_STEPS_LENGTH = 32_000_000;

interface Steps {
  /** As JSON. */
  readonly texts: string[];
  length: number;
}

/** By workflow id: there is one of it at a time. */
const statuses = new Map<string, Steps>();

const sinks = {
  trace: {
    status: {
      callDuringReplay: true,
      fn: ({ workflowId }: { readonly workflowId: string }, status: unknown) => {
        const steps = statuses.get(workflowId);
        if (steps === undefined || steps.length > MAX_STEPS_LENGTH) return;
        const text = JSON.stringify(status);
        steps.length += text.length;
        steps.texts.push(text);
      },
    },
  },
};

async function* histories() {
  for await (const line of createInterface({ input: process.stdin })) {
    const one = replayRequest.parse(JSON.parse(line));
    if (one.steps) statuses.set(one.workflowId, { texts: [], length: 0 });
    yield { workflowId: one.workflowId, history: one.history ?? (await historyOf(one)) };
  }
}

try {
  Runtime.install({
    // The text of the verdict says what differs.
    logger: new DefaultLogger('ERROR', () => undefined),
    telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: 'ERROR' }) } },
  });
  const bundle = process.env.WORKER_WORKFLOW_BUNDLE || undefined;
  const options = {
    workflowBundle: bundle === undefined ? { code: await bundleWorkflows() } : { codePath: bundle },
    sinks,
    dataConverter: dataConverter(payloadKeys(process.env)),
  };
  for await (const { workflowId, error } of Worker.runReplayHistories(options, histories())) {
    const steps = statuses.get(workflowId);
    statuses.delete(workflowId);
    const isTooLong = steps !== undefined && steps.length > MAX_STEPS_LENGTH;
    if (!isTooLong) for (const text of steps?.texts ?? []) process.stdout.write(`{"step":${text}}\n`);
    const verdict = { workflowId, error: error?.message ?? null, ...(isTooLong && { isTooLong }) };
    process.stdout.write(`${JSON.stringify(verdict)}\n`);
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  for (const connection of connected) await connection.close();
}
