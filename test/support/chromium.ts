// A real Chromium for tests, where one is installed: CHROMIUM_PATH, or the usual names on PATH. It speaks to nobody but
// the page that it is told to open.
import { accessSync, constants, globSync, readFileSync } from 'node:fs';
import { basename, delimiter, join } from 'node:path';
import { type Browser, chromium, type Locator, type Page } from 'playwright-core';

// The first one is Chromium without its windows: it takes a quarter less of a processor.
const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
];

const FLAGS = [
  // A container's root has no sandbox; the pages are our own.
  '--no-sandbox',
  '--disable-dev-shm-usage',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-default-apps',
  '--disable-domain-reliability',
  '--disable-sync',
  '--no-first-run',
  '--no-pings',
  // Whatever the page itself would like to have from elsewhere, it does not get.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
];

/** Undefined where there is none; then the reason for a skipped test is `noChromium`. */
export function chromiumPath(): string | undefined {
  const { CHROMIUM_PATH, PATH = '' } = process.env;
  const candidates = CHROMIUM_PATH
    ? [CHROMIUM_PATH]
    : PATH.split(delimiter).flatMap((folder) => NAMES.map((name) => join(folder, name)));
  return candidates.find(isProgram);
}

export const noChromium = 'no Chromium is installed (apt-get install chromium, or set CHROMIUM_PATH)';

export async function launchChromium(executablePath: string): Promise<Browser> {
  return await chromium.launch({ executablePath, args: FLAGS, headless: true });
}

/** Saved in the folder that SCREENSHOTS names; nowhere if it names none. In docs/ only if a page shows it. */
export async function picture(
  shown: Pick<Page | Locator, 'screenshot'>,
  name: string,
  { SCREENSHOTS } = process.env,
): Promise<void> {
  if (!SCREENSHOTS || (SCREENSHOTS === 'docs' && !picturesOnPages().has(name))) return;
  await shown.screenshot({ path: join(SCREENSHOTS, name) });
}

const root = join(import.meta.dirname, '../..');

/** The names of the pictures that README.md and the pages of docs/ show. */
function picturesOnPages(): ReadonlySet<string> {
  const pages = globSync(['README.md', 'docs/**/*.md'], { cwd: root });
  const paths = pages.flatMap((page) =>
    [...readFileSync(join(root, page), 'utf8').matchAll(/!\[[^\]]*\]\(([^)\s]+)\)/g)].map(
      ([, path = '']) => path,
    ),
  );
  return new Set(paths.map((path) => basename(path)));
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false; // Not there, or not ours to run: the next candidate.
  }
}
