// The flow files of a folder: names that end in .flow.yaml, .flow.yml or .flow.json, and the calendars that they share. Sub-folders
// are ignored.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isCalendarsPath } from '../../flows/language/reading/shared-calendars.ts';
import type { FlowFileText } from './check-texts.ts';

const ENDING = /\.flow\.(?:ya?ml|json)$/;

export async function flowFilesIn(folder: string): Promise<FlowFileText[]> {
  const names = (await readdir(folder)).filter((name) => ENDING.test(name) || isCalendarsPath(name)).sort();
  return await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      return { path, text: await readFile(path, 'utf8') };
    }),
  );
}
