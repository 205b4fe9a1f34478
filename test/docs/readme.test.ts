// What the README shows of the code is the code: the declaration and the folders.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { issueFromStockAndSubsequentIntakeAndCircularStock as flow } from '../../flows/built-in/flows.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const readme = read('README.md');

function block(language: string, beginning: string): string {
  const blocks = [...readme.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))];
  return blocks.map(([, text = '']) => text).find((text) => text.startsWith(beginning)) ?? '';
}

test('the declaration equals the one in its file', () => {
  const declaration = block('ts', 'export const');
  expect(declaration).toContain(flow.name);
  const file = 'flows/built-in/flows.ts';
  expect(read(file)).toContain(declaration);
});

test('the table of folders has every folder of the code', () => {
  const kept = new Set(['dist', 'docs', 'node_modules', 'coverage', 'secrets']);
  const folders = readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.') && !kept.has(entry.name))
    .map(({ name }) => name);
  const [, table = ''] = readme.split('\n## Folders\n');
  for (const folder of folders) expect(table).toContain(`[${folder}/](${folder})`);
});
