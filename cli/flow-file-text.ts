// Reads a flow file from disk, or fails with all its errors.
import { readFile } from 'node:fs/promises';
import { invokeSchemas } from '../contract/flow-schemas/flow-schemas.ts';
import { flowTypes } from '../contract/flows/flow-types.ts';
import type { FlowFile } from '../flows/language/flow-file.ts';
import type { Invocables } from '../flows/language/lint/invokes.ts';
import { type ReadFlowFile, readFlowFile } from '../flows/language/reading/read-flow-file.ts';
import { formatFinding, type KnownNames } from '../flows/language/reading/report.ts';
import { escapeControlCharacters } from '../shared/terminal/escape-control-characters.ts';
import { CommandFailed, wrongUse } from '../shared/terminal/exit-codes.ts';

/** Without Temporal it does not know the published flows and the connectors. */
export const namesAtHand: KnownNames = { builtIn: flowTypes, published: null, connectors: null };

export const builtInInvocables: Omit<Invocables, 'published'> = {
  builtIn: flowTypes,
  schemasOf: invokeSchemas,
};

export async function checkedFile(path: string, names = namesAtHand): Promise<ReadFlowFile> {
  return readFlowFile(await flowFileText(path), names);
}

export async function flowFileText(path: string): Promise<string> {
  return await readFile(path, 'utf8').catch((cause: Error) => {
    throw wrongUse(`${path} cannot be read (${cause.message}); expected a flow file`);
  });
}

/** Throws with all findings, one on each line. */
export async function soundFile(path: string, names = namesAtHand): Promise<FlowFile> {
  const { file, findings } = await checkedFile(path, names);
  if (file) return file;
  const lines = findings.map((finding) => `  ${escapeControlCharacters(formatFinding(finding))}`);
  throw new CommandFailed('failed', `${path} is not a valid flow file\n${lines.join('\n')}`);
}

/** Whether an argument means a file, not the name of a flow. */
export const isFilePath = (name: string): boolean => /\.(?:ya?ml|json)$/.test(name);
