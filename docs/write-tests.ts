// Writes docs/tests.md from test/ (npm run docs:tests). The page is not kept in git.
import { writeFile } from 'node:fs/promises';
import { testsPage } from './tests.ts';

await writeFile(new URL('tests.md', import.meta.url), testsPage());
