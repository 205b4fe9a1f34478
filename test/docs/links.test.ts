// The docs tell the truth about the code: every assumption has its entry, every citation its section, every file exists.
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { errors } from '../../contract/index.ts';
import { issueFromStockAndSubsequentIntakeAndCircularStock as flow } from '../../flows/built-in/flows.ts';
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
const headingsOf = (page: string) => [...page.matchAll(/^##+ (.+)$/gm)].map(([, heading = '']) => heading);
const cited = {
  assumptions: headingsOf(assumptions),
  architecture: headingsOf(read('docs/architecture.md')),
} as const;
const smaller = new Set(
  [...assumptions.matchAll(/^\| `([^`]+\.(?:ts|mjs|sql))` \|/gm)].map(([, path]) => path),
);

describe('a citation in the code', () => {
  const citations = sources.flatMap(({ path, text }) =>
    // A comment may break the line between the page and the heading.
    [
      ...text.replaceAll(/\n\s*(?:\/\/|\*|--) ?/g, ' ').matchAll(/\b(assumptions|architecture): ([A-Z].*)/g),
    ].map(([, page = '', rest = '']) => ({ path, page: page as keyof typeof cited, rest })),
  );

  it('is found by this test', () => {
    expect(citations.length).toBeGreaterThan(80);
  });

  it('is a heading of the page that it names', () => {
    const lost = citations.filter(
      ({ page, rest }) => !cited[page].some((heading) => rest.startsWith(heading)),
    );
    expect(lost).toEqual([]);
  });

  it('is never a document that is not in the repository', () => {
    for (const { path, text } of sources)
      expect(text, path).not.toMatch(/decisions §|\bdesign(\.md|: [A-Z])|interface\.md/);
  });
});

describe('docs/assumptions.md', () => {
  it('states the status of every error code, and of no other', () => {
    const [, wire = ''] = assumptions.split('\n## The wire\n');
    const rows = [...wire.matchAll(/^\| (`\w+`(?:, `\w+`)*) \| (\d{3})/gm)].flatMap(
      ([, codes = '', status]) =>
        [...codes.matchAll(/\w+/g)].map(([code]) => [code, Number(status)] as const),
    );
    const expected = Object.entries(errors).map(([code, { status }]) => [code, status] as const);
    expect(Object.fromEntries(rows)).toEqual(Object.fromEntries(expected));
  });

  it('has a row under Smaller assumptions for every assumption that cites no section, and none that the code no longer makes', () => {
    const own = sources.filter(({ text }) =>
      assumptionsIn(text).some((comment) => !/assumptions: [A-Z]/.test(comment)),
    );
    expect([...smaller].sort()).toEqual(own.map(({ path }) => path).sort());
  });
});

/** The rest of each comment that says ASSUMPTION:, over its following lines. */
const assumptionsIn = (text: string) =>
  [...text.matchAll(/ASSUMPTION:(?:.*\n\s*(?:\/\/|\*|--).*)*.*/g)].map(([comment]) => comment);

describe('docs/service.md', () => {
  const page = read('docs/service.md');

  it('describes every path and every switch of the sandbox', () => {
    for (const { method, path } of sandboxRoutes) expect(page).toContain(`${method} ${path}`);
    for (const name of Object.keys(switches.shape)) expect(page).toContain(`| \`${name}\` |`);
  });
});

describe.each([...globSync('docs/*.md', { cwd: root, exclude: ['docs/declare-a-flow.md'] })])(
  '%s',
  (path) => {
    it('names only files that exist', () => {
      const named = [...read(path).matchAll(/`([\w-]+\/[\w/.-]+\.\w+)`/g)].map(([, file = '']) => file);
      const missing = named.filter((file) => !existsSync(join(root, file)));
      expect(missing).toEqual([]);
    });
  },
);

/** As GitHub makes them of headings. */
const anchorsOf = (page: string) =>
  headingsOf(page.replaceAll(/^```[\s\S]*?^```/gm, '')).map((heading) =>
    heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\-_ ]/gu, '')
      .replaceAll(' ', '-'),
  );

describe.each(['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...globSync('docs/*.md', { cwd: root })])(
  '%s',
  (path) => {
    it('links only to files that exist', () => {
      const named = [...read(path).matchAll(/\]\(([\w./-]+)(?:#[\w-]*)?\)/g)];
      const missing = named.filter(([, link = '']) => !existsSync(join(root, dirname(path), link)));
      expect(missing.map(([link]) => link)).toEqual([]);
    });

    it('links only to headings that exist', () => {
      const links = [...read(path).matchAll(/\]\(([\w./-]*\.md)?#([\w-]+)\)/g)];
      const lost = links.filter(([, page, anchor = '']) => {
        const target = page === undefined ? path : join(dirname(path), page);
        return !anchorsOf(read(target)).includes(anchor);
      });
      expect(lost.map(([link]) => link)).toEqual([]);
    });
  },
);

describe('what the README shows of the code is the code:', () => {
  const readme = read('README.md');

  it('the declaration', () => {
    const [, declaration = ''] = /^```ts\n(export const[\s\S]*?)^```/m.exec(readme) ?? [];
    expect(declaration).toContain(flow.name);
    expect(read('flows/built-in/flows.ts')).toContain(declaration);
  });

  it('the table of folders', () => {
    const kept = new Set(['dist', 'docs', 'node_modules', 'coverage', 'secrets']);
    const folders = readdirSync(root, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.') && !kept.has(entry.name))
      .map(({ name }) => name);
    const [, table = ''] = readme.split('\n## Folders\n');
    for (const folder of folders) expect(table).toContain(`[${folder}/](${folder})`);
  });
});

describe('the version of package.json', () => {
  const { version } = JSON.parse(read('package.json')) as { readonly version: string };

  it.each(['docs/integrate.md', 'docs/flow-files.md'])('is that of the file of npm pack in %s', (page) => {
    const named = [...read(page).matchAll(/lockerflow-(\d[\w.-]*)\.tgz/g)].map(([, each]) => each);
    expect(new Set(named)).toEqual(new Set([version]));
  });

  it('is the newest release in the changelog, with its date', () => {
    const [newest] = read('CHANGELOG.md').matchAll(/^## \[(\d[^\]]*)\] - (\d{4}-\d{2}-\d{2})$/gm);
    expect(newest?.[1]).toBe(version);
  });
});

describe('a step that .ci/first-hour types', () => {
  const pages = [
    'README.md',
    'docs/run.md',
    'docs/integrate.md',
    'docs/flow-files.md',
    'docs/operate.md',
    'docs/declare-a-flow.md',
  ];
  const steps = JSON.parse(
    execFileSync(process.execPath, [join(root, '.ci/first-hour.mjs'), '--list'], { encoding: 'utf8' }),
  ) as { readonly kind: 'commands' | 'file'; readonly page: string }[];
  const of = (page: string, kind: 'commands' | 'file') =>
    steps.filter((step) => step.page === page && step.kind === kind);

  it.each(pages)('is each block of commands of %s', (page) => {
    const blocks = read(page).match(/^```sh$/gm) ?? [];
    expect(of(page, 'commands')).toHaveLength(blocks.length);
    expect(blocks.length).toBeGreaterThan(0);
  });

  it('is each file that a page has its reader write', () => {
    expect(of('docs/flow-files.md', 'file').length).toBeGreaterThan(1);
    expect(of('docs/declare-a-flow.md', 'file').length).toBeGreaterThan(7);
  });
});
