// Histories in files: as `temporal workflow show --output json` writes them, or as the recordings of this project keep them.
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js';
import proto from '@temporalio/proto';
import { wrongInput } from '../../outcome.ts';
import type { Events } from './recorded-process.ts';

interface HistoryFile {
  readonly path: string;
  readonly workflowId: string;
  readonly workflowType: string;
  readonly events: Events;
}

/** @param paths files, and folders whose files are read, with the folders within. Throws Refusal. */
export async function historyFiles(paths: readonly string[]): Promise<HistoryFile[]> {
  const files = await Promise.all(paths.map(filesAt));
  const all = await Promise.all(files.flat().map(historyIn));
  if (all.length === 0) throw wrongInput(`no file ends in .json in ${paths.join(', ')}; expected histories`);
  return all;
}

async function filesAt(path: string): Promise<string[]> {
  try {
    if (!(await stat(path)).isDirectory()) return [path];
    const within = await readdir(path, { recursive: true });
    return within
      .filter((name) => name.endsWith('.json'))
      .sort()
      .map((name) => join(path, name));
  } catch (cause) {
    throw wrongInput(`${path} cannot be read (${(cause as Error).message}); expected a history or a folder`);
  }
}

async function historyIn(path: string): Promise<HistoryFile> {
  try {
    const { events } = parsed(await readFile(path, 'utf8'));
    const started = events?.[0]?.workflowExecutionStartedEventAttributes;
    if (!events || !started) throw new Error('it does not begin with the start of a workflow');
    const [workflowId, workflowType] = [started.workflowId ?? '', started.workflowType?.name ?? ''];
    return { path, workflowId, workflowType, events };
  } catch (cause) {
    throw wrongInput(
      `${path} is not a history (${(cause as Error).message}); make one with temporal workflow show --output json`,
    );
  }
}

function parsed(text: string): proto.temporal.api.history.v1.IHistory {
  const given = JSON.parse(text) as { readonly history?: unknown };
  return typeof given.history === 'string'
    ? proto.temporal.api.history.v1.History.decode(Buffer.from(given.history, 'base64'))
    : historyFromJSON(given);
}
