// Writes docs/tests.md from test/ (npm run docs). A test fails when the file is not what this would write.
import { writeFile } from 'node:fs/promises';
import { testsPage } from './tests.ts';

await writeFile(new URL('tests.md', import.meta.url), testsPage());
