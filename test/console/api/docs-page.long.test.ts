// The page /docs in a real Chromium: a person who is signed in reads the API there and calls it, under the page's own policy.
import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { expect, inject, onTestFinished, test, vi } from 'vitest';
import { ourService, startInstallation } from '../../end-to-end/installation.ts';
import { chromiumPath, launchChromium, noChromium } from '../../support/chromium.ts';
import { newConsoleOf } from '../console-world.ts';

const PATIENCE_MS = 300_000;

/** Opens an operation, gives it a body if it takes one, sends it, and gives the status and the body of the answer. */
async function sent(page: Page, operation: string, body?: object) {
  const block = page.locator(`#operations-${operation}`);
  await block.locator('.opblock-summary-control').click();
  if (body) await block.locator('textarea.body-param__text').fill(JSON.stringify(body));
  await block.getByRole('button', { name: 'Execute' }).click();
  const answer = block.locator('.live-responses-table .response');
  const status = await answer.locator('.response-col_status').innerText();
  return { status: status.trim(), text: await answer.locator('.highlight-code').first().innerText() };
}

test(
  'a signed-in person lists the flows and starts a process from the page /docs',
  async ({ skip }) => {
    const executablePath = chromiumPath();
    if (executablePath === undefined) return skip(noChromium);
    await using stack = new AsyncDisposableStack();
    vi.stubEnv('TEMPORAL_ADDRESS', inject('temporalAddress'));
    onTestFinished(() => void vi.unstubAllEnvs());
    const installation = stack.use(await startInstallation(ourService));
    const server = stack.use(await newConsoleOf(installation));
    const browser = await launchChromium(executablePath);
    stack.defer(() => browser.close());
    const page = await server.pageOf(browser, 'bram', '/docs', { bypassCSP: false });
    page.setDefaultTimeout(PATIENCE_MS);
    const wrong: string[] = [];
    page.on('pageerror', ({ message }) => wrong.push(message));

    const flows = await sent(page, 'Flows-listFlows');
    expect(flows).toMatchObject({ status: '200', text: expect.stringContaining('IssueAndSwapIntake') });

    const key = `docs-${randomUUID()}`;
    const request = {
      ...{ pupUid: 'pup-central', toUserUid: 'user-anna', dimension: { width: 10, height: 10, length: 10 } },
      ...{ allowLargerLockers: true, allowOverflowLockers: true },
    };
    const started = await sent(page, 'Processes-startProcess', { flow: 'Issue', key, request });
    expect(started).toMatchObject({ status: '200', text: expect.stringContaining(key) });
    const { type } = await installation.client.workflow.getHandle(key).describe();
    expect([type, wrong]).toEqual(['Issue', []]);
    expect(server.asked.filter((url) => !url.startsWith(server.address) && !url.startsWith('data:'))).toEqual(
      [],
    );
  },
  PATIENCE_MS,
);
