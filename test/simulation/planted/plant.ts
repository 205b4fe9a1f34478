// Plants a defect: changes the text of one file of the product while Node loads it. Nothing on disk changes.
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type PlantedDefect, plantedDefects } from './defects.ts';

const root = join(import.meta.dirname, '../../..');

/** Throws TypeError where there is no such defect. */
export function plant(name: string): void {
  const defect = plantedDefects.find((each) => each.name === name);
  if (!defect)
    throw new TypeError(
      `no planted defect ${name}; expected one of ${plantedDefects.map((each) => each.name).join(', ')}`,
    );
  const planted = pathToFileURL(join(root, defect.file)).href;
  registerHooks({
    load: (url, context, nextLoad) => {
      const loaded = nextLoad(url, context);
      return url === planted ? { ...loaded, source: changed(String(loaded.source), defect) } : loaded;
    },
  });
}

/** Throws TypeError where its text is not there exactly once. */
export function changed(source: string, { name, file, text, becomes }: PlantedDefect): string {
  const parts = source.split(text);
  if (parts.length !== 2)
    throw new TypeError(`the text of ${name} stands ${parts.length - 1} times in ${file}, expected once`);
  return parts.join(becomes);
}
