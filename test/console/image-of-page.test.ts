// The image builds the console's page of what its Dockerfile copies. Only the long suite builds it; this compares what is copied with
// what is imported.
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { DockerfileParser, type From } from 'dockerfile-ast';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');

/** The folders at the top that a stage copies. */
function copiedIn(stage: string): string[] {
  let name: string | null = null;
  const copied: string[] = [];
  for (const instruction of DockerfileParser.parse(
    readFileSync(join(root, 'Dockerfile'), 'utf8'),
  ).getInstructions()) {
    if (instruction.getKeyword() === 'FROM') name = (instruction as From).getBuildStage();
    else if (instruction.getKeyword() === 'COPY' && name === stage)
      copied.push(
        ...instruction
          .getArguments()
          .slice(0, -1)
          .map((argument) => argument.getValue()),
      );
  }
  return copied;
}

const IMPORT =
  /^(?:import|export)\b(?!\s+type\b)[^'"]*?from '(\.[^']+)'|import\('(\.[^']+)'\)|^import '(\.[^']+)'/gm;

/** Every file that these import, themselves too. Types are no part of a build. */
function importedBy(files: readonly string[]): string[] {
  const all = new Set(files);
  // A Set can be walked while it grows.
  for (const file of all)
    for (const [, ...paths] of readFileSync(file, 'utf8').matchAll(IMPORT))
      for (const path of paths) if (path && /\.tsx?$/.test(path)) all.add(join(dirname(file), path));
  return [...all].map((file) => relative(root, file));
}

test('the Dockerfile copies all that the page is built of', () => {
  const page = globSync('console/page/**/*.{ts,tsx}', { cwd: root }).map((file) => join(root, file));
  const folders = new Set(
    importedBy([join(root, 'console/build-page.ts'), ...page]).map((file) => file.split('/')[0]),
  );
  expect(folders).toContain('processes');
  expect([...folders].filter((folder) => !copiedIn('page').includes(String(folder)))).toEqual([]);
});
