// The flow files of a folder: names that end in .flow.yaml, .flow.yml or .flow.json. Sub-folders are ignored.
import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { textWithParts } from '../../flows/language/reading/parts.ts';
import type { FlowFileText } from './check-texts.ts';

const ENDING = /\.flow\.(?:ya?ml|json)$/;

/** With the texts of the parts that they name. */
export async function flowFilesIn(folder: string): Promise<FlowFileText[]> {
  const names = (await readdir(folder)).filter((name) => ENDING.test(name)).sort();
  const files = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      return { path, text: await readFile(path, 'utf8') };
    }),
  );
  return withPartTexts(files);
}

/** A part that cannot be read is a finding of the file that names it. */
export function withPartTexts(files: readonly FlowFileText[]): FlowFileText[] {
  const parts = new Map<string, string>();
  const textOf = (path: string): string | undefined => {
    try {
      parts.set(path, readFileSync(path, 'utf8'));
    } catch {
      return undefined;
    }
    return parts.get(path);
  };
  for (const { path, text } of files) textWithParts(text, { path, textOf });
  return [...files, ...[...parts].map(([path, text]) => ({ path, text }))];
}
