// Reads a flow file from disk, or fails with all its errors.
import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { flowFilesIn } from '../client/flow-files/flow-file-folder.ts';
import { invokeSchemas } from '../contract/flow-schemas/flow-schemas.ts';
import { flowTypes } from '../contract/flows/flow-types.ts';
import type { FlowFile } from '../flows/language/flow-file.ts';
import type { Invocables } from '../flows/language/lint/invokes.ts';
import type { SharedCalendars } from '../flows/language/reading/calendars.ts';
import { type ReadFlowFile, readFlowFile } from '../flows/language/reading/read-flow-file.ts';
import { type Finding, formatFinding, type KnownNames } from '../flows/language/reading/report.ts';
import {
  CALENDARS_FILES,
  folderOf,
  isCalendarsPath,
  readCalendars,
} from '../flows/language/reading/shared-calendars.ts';
import { escapeControlCharacters } from '../shared/terminal/escape-control-characters.ts';
import { CommandFailed, wrongUse } from '../shared/terminal/exit-codes.ts';

/** Without Temporal it does not know the published flows and the connectors. */
export const namesAtHand: KnownNames = { builtIn: flowTypes, published: null, connectors: null };

export const builtInInvocables: Omit<Invocables, 'published'> = {
  builtIn: flowTypes,
  schemasOf: invokeSchemas,
};

export async function checkedFile(path: string, names = namesAtHand): Promise<ReadFlowFile> {
  const calendars = await sharedCalendars(path);
  return readFlowFile(await flowFileText(path), { ...names, calendars });
}

/** Those in the folder of the file. Throws with all their findings. */
async function sharedCalendars(path: string): Promise<SharedCalendars> {
  const beside = calendarsBeside(path);
  if (beside === undefined) return {};
  const { calendars, findings } = readCalendars(await flowFileText(beside));
  if (findings.length > 0) throw invalid(beside, findings);
  return calendars;
}

/** The path of the calendars that the files of this folder share, if there are any. */
export const calendarsBeside = (path: string): string | undefined =>
  CALENDARS_FILES.map((name) => `${folderOf(path)}${name}`).find((each) => existsSync(each));

/** A folder among the paths means the flow files in it, without its sub-folders. */
export async function flowFilePaths(given: readonly string[]): Promise<string[]> {
  const found = await Promise.all(
    given.map(async (path) => ((await isFolder(path)) ? pathsIn(path) : [path])),
  );
  return [...new Set(found.flat())];
}

/** What is not there is no folder: reading it says so. */
const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

async function pathsIn(folder: string): Promise<string[]> {
  const paths = (await flowFilesIn(folder)).flatMap(({ path }) => (isCalendarsPath(path) ? [] : [path]));
  if (paths.length > 0) return paths;
  throw wrongUse(`${folder} has no flow file; expected one with a name that ends in .flow.yaml`);
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
  throw invalid(path, findings);
}

function invalid(path: string, findings: readonly Finding[]): CommandFailed {
  const lines = findings.map((finding) => `  ${escapeControlCharacters(formatFinding(finding))}`);
  const what = isCalendarsPath(path) ? 'file of calendars' : 'flow file';
  return new CommandFailed('failed', `${path} is not a valid ${what}\n${lines.join('\n')}`);
}

/** Whether an argument means a file, not the name of a flow. */
export const isFilePath = (name: string): boolean => /\.(?:ya?ml|json)$/.test(name);
