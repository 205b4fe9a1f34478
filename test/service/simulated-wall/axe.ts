// What axe finds on a page, by the rules of WCAG 2.2 to the level AA and axe's own best practices.
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const program = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

interface Axe {
  run(context: object, options: object): Promise<{ violations: Finding[]; incomplete: Finding[] }>;
}

interface Finding {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/**
 * In words; empty if it finds nothing. What it could not decide counts too. The context must pass by the page's policy for
 * scripts.
 * @param without selectors of parts that are left out
 * @param rules or tags of rules
 */
export async function foundByAxe(
  page: Page,
  without: readonly string[] = [],
  rules = TAGS,
): Promise<string[]> {
  await page.addScriptTag({ path: program });
  let found: string[] = [];
  // A page that changes while axe reads it shows axe what nobody sees: what is still found when it is read again counts.
  for (let reading = 0; reading < 3; reading++) {
    found = await foundOnce(page, without, rules);
    if (found.length === 0) break;
  }
  return found;
}

async function foundOnce(page: Page, without: readonly string[], rules: string[]): Promise<string[]> {
  const { violations, incomplete } = await page.evaluate(
    ([runOnly, exclude]) =>
      (globalThis as unknown as { axe: Axe }).axe.run({ include: ['html'], exclude }, { runOnly }),
    [rules, without] as const,
  );
  return [...violations, ...incomplete].map(
    ({ id, help, nodes }) =>
      `${id}: ${help}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`)}`,
  );
}
