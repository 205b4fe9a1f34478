// Writes docs/flows.md from workflows/ (npm run docs). A test fails when the file is not what this would write.
import { writeFile } from 'node:fs/promises';
import { flowsPage } from './flows.ts';

await writeFile(new URL('flows.md', import.meta.url), flowsPage());
