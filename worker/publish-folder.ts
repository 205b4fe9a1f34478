// The flow files of LOCKERFLOW_FLOWS: checked before the worker starts, published once it runs, because it answers itself.
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import type { Logger } from '@temporalio/worker';
import type { FlowFileText } from '../client/flow-files/check-texts.ts';
import { flowFilesIn } from '../client/flow-files/flow-file-folder.ts';
import { checkedFiles, FlowFilesRefused, publishFiles } from '../client/flow-files/publish.ts';
import { backoffMs } from '../shared/limits/backoff.ts';
import type { ConnectorNames } from '../shared/settings/connector-names.ts';

/**
 * Throws with all errors of the files: a worker with a wrong file does not start. A folder may have none yet.
 * @param connectors null where the operator has not set any up: then their names are not checked
 */
export async function soundFolder(
  client: Client,
  folder: string,
  connectors: ConnectorNames | null,
): Promise<readonly FlowFileText[]> {
  const files = await flowFilesIn(folder).catch((cause: Error) => {
    throw new Error(`LOCKERFLOW_FLOWS cannot be read (${cause.message}); expected a folder`, { cause });
  });
  try {
    // The versions that they name are looked for when they are published: a worker has to answer that.
    await checkedFiles(client, files, { connectors });
  } catch (error) {
    if (!(error instanceof FlowFilesRefused)) throw error;
    const lines = error.lines.map((line) => `  ${line}`);
    throw new Error(`The worker cannot start; these flow files are wrong:\n${lines.join('\n')}`);
  }
  return files;
}

// A worker of a version that is not the current one gets no task, so that nobody may answer for hours.
const ANSWER_WITHIN_MS = 30_000;
const TRIES = { firstMs: 1_000, lastMs: 60_000 };

interface Publishing {
  readonly client: Client;
  readonly taskQueue: string;
  readonly connectors: ConnectorNames | null;
  readonly logger: Logger;
  /** Ends the tries. */
  readonly stopped: AbortSignal;
}

/** Retries until it is done or stopped. It never changes which known version is current: a restart must not undo a taking back. */
export async function publishFolder(files: readonly FlowFileText[], publishing: Publishing): Promise<void> {
  const { logger, stopped } = publishing;
  for (let failures = 1; !stopped.aborted; failures += 1) {
    try {
      return await publishOnce(files, publishing);
    } catch (error) {
      if (stopped.aborted) return;
      const reason = error instanceof Error ? error.message : String(error);
      if (error instanceof FlowFilesRefused)
        return logger.error(
          'the flow files are not published: they have become wrong since the worker started; mend them and restart it',
          { reason },
        );
      logger.warn('the flow files are not published yet; the worker tries again', { reason, failures });
      await pause(backoffMs(failures, TRIES), undefined, { signal: stopped }).catch(() => undefined);
    }
  }
}

async function publishOnce(
  files: readonly FlowFileText[],
  { client, taskQueue, connectors, logger }: Publishing,
): Promise<void> {
  const deadline = Date.now() + ANSWER_WITHIN_MS;
  const results = await client.withDeadline(deadline, () =>
    publishFiles(client, files, taskQueue, { connectors, keepsCurrent: true }),
  );
  for (const { name, version, isNew, current } of results) {
    const flow = `${name}@${version}`;
    if (current !== undefined)
      logger.warn(
        'flow file has the content of another version than the current one, which stays; lockerflow publish changes that',
        {
          flow,
          current: `${name}@${current}`,
        },
      );
    else logger.info(isNew ? 'flow file published' : 'flow file has this content already', { flow });
  }
}
