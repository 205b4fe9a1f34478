// The console's page, built where its sources have changed: vitest may be run without the set-up.
import { buildPage, isPageBuilt } from '../../console/build-page.ts';

export default async function setup(): Promise<void> {
  if (!isPageBuilt()) await buildPage();
}
