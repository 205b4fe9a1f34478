// `npm pack`, before it packs: builds the package, and puts its package.json in the place of the checkout's for the moment.
import { glob, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { buildPackage } from './build.ts';
import { packagesImportedBy, publishedManifest } from './published-manifest.ts';
import { keptManifest, manifest, root } from './swapped-manifest.ts';

await buildPackage(root);
const imported = new Set<string>();
for await (const path of glob('dist/**/*.{js,d.ts}', { cwd: root }))
  for (const name of packagesImportedBy(await readFile(join(root, path), 'utf8'))) imported.add(name);
const checkout = await readFile(manifest, 'utf8');
const published = publishedManifest(JSON.parse(checkout), imported);
await mkdir(dirname(keptManifest), { recursive: true });
await writeFile(keptManifest, checkout);
await writeFile(manifest, `${JSON.stringify(published, null, 2)}\n`);
