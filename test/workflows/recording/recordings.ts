// The recorded processes in test/histories/: the file of each, and its content.
import { readdir, readFile } from 'node:fs/promises';
import proto from '@temporalio/proto';
import type { TracedStep } from '../../../driver/temporal/trace.ts';

const folder = new URL('../../histories/', import.meta.url);

export interface Recording {
  readonly workflowId: string;
  /** The steps of the process until then. They are kept because replay alone compares only commands. */
  readonly trace: readonly TracedStep[];
  /** temporal.api.history.v1.History, in base64. */
  readonly history: string;
}

export function recordingFile(flow: string, version: number, name: string): URL {
  return new URL(`${flow}@${version}/${name}.json`, folder);
}

export async function recordings(): Promise<{ name: string; recording: Recording }[]> {
  const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith('.json')).sort();
  return await Promise.all(
    files.map(async (file) => ({
      name: file.replace('.json', ''),
      recording: JSON.parse(await readFile(new URL(file, folder), 'utf8')) as Recording,
    })),
  );
}

export function historyOf({ history }: Recording): proto.temporal.api.history.v1.History {
  return proto.temporal.api.history.v1.History.decode(Buffer.from(history, 'base64'));
}
