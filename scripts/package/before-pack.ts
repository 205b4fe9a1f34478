// `npm pack`, before it packs: builds the package, and puts its package.json and its README in the places of the checkout's
// for the moment.
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildPackage } from './build.ts';
import { packagesImportedBy, publishedManifest } from './published-manifest.ts';
import { restoreFiles, root, swapFile } from './swapped-files.ts';

// A pack that was ended in its middle has left the published ones.
await restoreFiles();
await buildPackage(root);
const imported = new Set<string>();
for await (const path of glob('dist/**/*.{js,d.ts}', { cwd: root }))
  for (const name of packagesImportedBy(await readFile(join(root, path), 'utf8'))) imported.add(name);
const checkout: unknown = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
const published = publishedManifest(checkout, imported);
await swapFile('package.json', `${JSON.stringify(published, null, 2)}\n`);
await swapFile('README.md', await readFile(join(import.meta.dirname, 'README.md'), 'utf8'));
