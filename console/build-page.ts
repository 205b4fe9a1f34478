// Builds the page into console/page/dist, with Vite. The set-up calls it once for each content of the sources.
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const page = join(import.meta.dirname, 'page');
const dist = join(page, 'dist');
const stamp = join(dist, '.built-from');

/** What decides the built page: its sources, and the versions of what it is built with. */
function digest(): string {
  const hash = createHash('sha256');
  const sources = globSync(['console/page/**/*.{ts,tsx,css,html,svg}', 'shared/styles/*.css'], {
    cwd: root,
    exclude: ['console/page/dist/**'],
  });
  for (const path of [...sources.sort(), 'package-lock.json', 'console/build-page.ts'])
    hash.update(path).update(readFileSync(join(root, path)));
  return hash.digest('hex');
}

export function isPageBuilt(): boolean {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === digest();
}

export async function buildPage(): Promise<void> {
  const wanted = digest();
  // Imported here: only who builds needs it.
  const { build } = await import('vite');
  await build({
    root: page,
    configFile: false,
    envDir: false,
    logLevel: 'warn',
    // Not by NODE_ENV: a run of the tests would build what only developers need.
    mode: 'production',
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact', development: false } },
    build: {
      outDir: dist,
      emptyOutDir: true,
      target: 'es2022',
      // What is inlined would be refused by the page's policy.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
    },
  });
  // Last: a build that was cut short is built again.
  writeFileSync(stamp, wanted);
}

if (import.meta.main) await buildPage();
