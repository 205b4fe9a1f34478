// What the README shows of the code is the code: the declaration, its diagram, the folders, the demo's lines.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { diagramOf } from '../../docs/flows.ts';
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

test('the diagram is the outline of the chart that runs', () => {
  expect(block('mermaid', 'stateDiagram').trim()).toBe(diagramOf(flow.name).trim());
});

test('every folder of the code is in the table of folders', () => {
  const kept = new Set(['bench', 'dist', 'docs', 'lint', 'node_modules', 'coverage', 'secrets']);
  const folders = readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.') && !kept.has(entry.name))
    .map(({ name }) => name);
  const [, table = ''] = readme.split('\n## Folders\n');
  for (const folder of folders) expect(table).toContain(`| [${folder}/](${folder}) |`);
});

test('the shown output of npm start equals the output of its parts and its demo', () => {
  const shown = block('text', 'info');
  const demo = read('local/demo.ts');
  for (const words of [
    'issue from stock, subsequent intake, circular stock: ',
    'Anna takes the device out',
    'Anna brings it back',
  ]) {
    expect(shown).toContain(words);
    expect(demo).toContain(words);
  }
  for (const line of shown.trim().split('\n')) expect(line).toMatch(/^(?:info |warn |error) \w+: /);
});
