// Builds the page into console/page/dist, with Vite. The set-up calls it once for each content of the sources.
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pageInDutch } from '../shared/texts/dutch-page.ts';
import { writeShort } from '../shared/texts/short-code.ts';

const root = join(import.meta.dirname, '..');
const page = join(import.meta.dirname, 'page');
const dist = join(page, 'dist');
const stamp = join(page, '.built-from');

/** The page, and whatever it may import. */
const SOURCES = [
  'console/page/**/*.{ts,tsx,css,html,svg}',
  'shared/styles/*.css',
  'flows/language/part-keys.ts',
  '{console,contract,processes,shared}/**/*.ts',
];

/** What decides the built page: its sources, and the versions of what it is built with. */
function digest(): string {
  const hash = createHash('sha256');
  const sources = globSync([...SOURCES], {
    cwd: root,
    exclude: ['console/page/dist/**', '**/node_modules/**'],
  });
  for (const path of [...sources.sort(), 'package-lock.json', 'console/build-page.ts'])
    hash.update(path).update(readFileSync(join(root, path)));
  return hash.digest('hex');
}

export function isPageBuilt(): boolean {
  return existsSync(dist) && existsSync(stamp) && readFileSync(stamp, 'utf8') === digest();
}

/** The page's catalogue, by the short codes of its texts. */
const shortenedCatalogue = (_: string, id: string) =>
  id.endsWith('/shared/texts/dutch-page.ts')
    ? `import { readShort } from './short-code.ts'; export const pageInDutch = readShort(${JSON.stringify(writeShort(pageInDutch))});`
    : undefined;

/** Vite's own waits for the sheets of a module that is loaded later: the page has one sheet, from the first. */
const PRELOAD_HELPER = 'vite/preload-helper';
const plainImport = (id: string) =>
  id.includes(PRELOAD_HELPER) ? 'export const __vitePreload = (load) => load();' : undefined;

export async function buildPage(): Promise<void> {
  const wanted = digest();
  rmSync(stamp, { force: true });
  // Imported here: only who builds needs it.
  const { build } = await import('vite');
  await build({
    root: page,
    configFile: false,
    envDir: false,
    logLevel: 'warn',
    // Not by NODE_ENV: a run of the tests would build what only developers need.
    mode: 'production',
    plugins: [
      { name: 'short-codes', transform: shortenedCatalogue },
      { name: 'plain-imports', enforce: 'pre', load: plainImport },
    ],
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact', development: false } },
    build: {
      outDir: dist,
      emptyOutDir: true,
      target: 'es2022',
      // What is inlined would be refused by the page's policy.
      assetsInlineLimit: 0,
      // One sheet, and nothing that loads others: less to fetch before the first view.
      cssCodeSplit: false,
      modulePreload: false,
      reportCompressedSize: false,
    },
  });
  // Last: a build that was cut short is built again.
  writeFileSync(stamp, wanted);
}

if (import.meta.main) await buildPage();
