// Writes docs/command-line.md from client/command-line/ (npm run docs). A test fails when the file is not what this would write.
import { writeFile } from 'node:fs/promises';
import { commandLinePage } from './command-line.ts';

await writeFile(new URL('command-line.md', import.meta.url), await commandLinePage());
