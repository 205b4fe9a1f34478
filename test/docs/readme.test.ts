// What the README shows of the code is the code: the declaration, the folders, the lines of the demo.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { issueFromStockAndSubsequentIntakeAndCircularStock as flow } from '../../flows/issue-from-stock-and-subsequent-intake-and-circular-stock.ts';

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
  const file = 'flows/issue-from-stock-and-subsequent-intake-and-circular-stock.ts';
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

test('each picture that it shows is there', () => {
  const pictures = [...readme.matchAll(/<img src="([^"]+)" alt="[^"]+"/g)].map(([, path = '']) => path);
  expect(pictures).toHaveLength(2);
  for (const path of pictures) expect(existsSync(join(root, path)), path).toBe(true);
});

test('the lines of npm start that it shows are those of the demo', () => {
  const shown = block('text', 'info');
  const demo = read('local/demo.ts');
  for (const words of ['Anna takes the device out', 'Anna brings it back']) {
    expect(shown).toContain(words);
    expect(demo).toContain(words);
  }
  for (const line of shown.trim().split('\n')) expect(line).toMatch(/^info {2}\w+: /);
});
