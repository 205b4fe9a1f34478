// The page /docs in a real Chromium: a person who is signed in reads the API there and calls it, under the page's own policy.
import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { issueRequest } from '../../../console/console-world.ts';
import { describeInBrowser } from '../../../console/in-browser.ts';

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

describeInBrowser({}, (at) => {
  test('a signed-in person lists the flows and starts a process from the page /docs', async () => {
    const page = await at.opened('/docs', 'bram', { bypassCSP: false });
    const wrong: string[] = [];
    page.on('pageerror', ({ message }) => wrong.push(message));

    const flows = await sent(page, 'Flows-listFlows');
    expect(flows).toMatchObject({ status: '200', text: expect.stringContaining('IssueAndSwapIntake') });

    const key = `docs-${randomUUID()}`;
    const started = await sent(page, 'Processes-startProcess', { flow: 'Issue', key, request: issueRequest });
    expect(started).toMatchObject({ status: '201', text: expect.stringContaining(key) });
    const { type } = await at.installation.client.workflow.getHandle(key).describe();
    expect([type, wrong]).toEqual(['Issue', []]);
    const { asked, address } = at.tested;
    expect(asked.filter((url) => !url.startsWith(address) && !url.startsWith('data:'))).toEqual([]);
  });
});
