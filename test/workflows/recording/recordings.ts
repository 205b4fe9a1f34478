// The recorded processes in test/histories/: the file of each, and its content. Each file has one process from its start to
// its end. What it was while it was open is a beginning of that (derived-histories.ts).
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import proto from '@temporalio/proto';
import type { TracedStep } from '../../../engine/temporal/trace.ts';

const folder = new URL('../../histories/', import.meta.url);
const { History } = proto.temporal.api.history.v1;

export interface Recording {
  readonly workflowId: string;
  /** The steps of the process until then. They are kept because replay alone compares only commands. */
  readonly trace: readonly TracedStep[];
  /** temporal.api.history.v1.History, in base64. */
  readonly history: string;
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
  return History.decode(Buffer.from(history, 'base64'));
}

/** One line for each step. Fails if there is a recording of that name. */
export async function keep(
  name: string,
  workflowId: string,
  trace: readonly TracedStep[],
  history: proto.temporal.api.history.v1.IHistory,
): Promise<void> {
  const file = new URL(`${name}.json`, folder);
  await mkdir(new URL('.', file), { recursive: true });
  const steps = trace.map((step) => `  ${JSON.stringify(step)}`).join(',\n');
  const encoded = Buffer.from(History.encode(history).finish()).toString('base64');
  const text = `{\n "workflowId": "${workflowId}",\n "trace": [\n${steps}\n ],\n "history": "${encoded}"\n}\n`;
  await writeFile(file, text, { flag: 'wx' });
}
