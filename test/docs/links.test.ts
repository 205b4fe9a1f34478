// The docs tell the truth about the code: every assumption has its entry, every citation its section, every file exists.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { errors } from '../../contract/index.ts';
import { sandboxRoutes } from '../../service/sandbox/sandbox.ts';
import { switches } from '../../service/switches/switches.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const sources = globSync('*/**/*.{ts,mjs,sql}', {
  cwd: root,
  exclude: ['node_modules/**', 'dist/**', 'test/**', '.*/**'],
})
  .map((path) => path.replaceAll('\\', '/'))
  .map((path) => ({ path, text: read(path) }));

const assumptions = read('docs/assumptions.md');
const sections = new Set([...assumptions.matchAll(/^## (\d+)\. /gm)].map(([, number]) => number));
const smaller = new Set(
  [...assumptions.matchAll(/^\| `([^`]+\.(?:ts|mjs|sql))` \|/gm)].map(([, path]) => path),
);

describe('docs/assumptions.md', () => {
  it('has the section of every decision that the code cites', () => {
    for (const { path, text } of sources)
      for (const [cited, number] of text.matchAll(/decisions §(\d+)/g))
        expect(sections, `${path} cites ${cited}`).toContain(number);
  });

  it('tells the status of every error code, and of no other', () => {
    const [, wire = ''] = assumptions.split('\n## 6. ');
    const rows = [...wire.matchAll(/^\| (`\w+`(?:, `\w+`)*) \| (\d{3})/gm)].flatMap(
      ([, codes = '', status]) =>
        [...codes.matchAll(/\w+/g)].map(([code]) => [code, Number(status)] as const),
    );
    const expected = Object.entries(errors).map(([code, { status }]) => [code, status] as const);
    expect(Object.fromEntries(rows)).toEqual(Object.fromEntries(expected));
  });

  it('has a row in section 9 for every assumption that cites no section, and none that the code no longer makes', () => {
    const own = sources.filter(({ text }) =>
      assumptionsIn(text).some((comment) => !/decisions §\d/.test(comment)),
    );
    expect([...smaller].sort()).toEqual(own.map(({ path }) => path).sort());
  });
});

/** The rest of each comment that says ASSUMPTION:, over its following lines. */
const assumptionsIn = (text: string) =>
  [...text.matchAll(/ASSUMPTION:(?:.*\n\s*(?:\/\/|\*|--).*)*.*/g)].map(([comment]) => comment);

describe('docs/sandbox.md', () => {
  const page = read('docs/sandbox.md');

  it('tells of every path and of every switch', () => {
    for (const { method, path } of sandboxRoutes) expect(page).toContain(`${method} ${path}`);
    for (const name of Object.keys(switches.shape)) expect(page).toContain(`| \`${name}\` |`);
  });
});

describe.each([...globSync('docs/*.md', { cwd: root, exclude: ['docs/declare-a-flow.md'] })])(
  '%s',
  (path) => {
    it('names only files that exist', () => {
      const named = [...read(path).matchAll(/`([\w-]+\/[\w/.-]+\.\w+)`|\]\(([\w./-]+)(?:#[\w-]*)?\)/g)];
      const missing = named
        .map(([, file, link]) => file ?? join('docs', link ?? ''))
        .filter((file) => !existsSync(join(root, file)));
      expect(missing).toEqual([]);
    });
  },
);
