// `npm run build`: bundles the workflows once, so that workers start without doing it (WORKER_WORKFLOW_BUNDLE).
import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { write } from '../shared/terminal/terminal.ts';
import { bundleWorkflows } from './workflow-bundle.ts';

const folder = fileURLToPath(new URL('../dist/', import.meta.url));
const path = `${folder}workflow-bundle.js`;

await mkdir(folder, { recursive: true });
const code = await bundleWorkflows();
await writeFile(path, code);
write(`${path}: ${Math.round(Buffer.byteLength(code) / 1_000)} kB\n`);
