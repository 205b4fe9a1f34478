// The page of a process that has started another one, in a real Chromium: one case, with the child's actions and timeline.
import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { expect, test, vi } from 'vitest';
import { issueRequest, newConsoleOf } from '../../../console/console-world.ts';
import { describeInBrowser, foundNothing, says } from '../../../console/in-browser.ts';
import { NOWHERE } from '../../../security/matrix.ts';
import { picture } from '../../../support/chromium.ts';

const lending = (name: string) => `
name: ${name}
title: Lending
meaning: Lends a device.
initial: lending
states:
  lending:
    invoke:
      id: loan
      src: Issue
      input:
        deadlines: { issue: { dropOff: PT1S } }
        request: ${JSON.stringify(issueRequest)}
      onDone: over
      onError: over
  over: { type: final }
`;

describeInBrowser({}, (at) => {
  test('a child’s deadline is extended on the page of its parent, whose timeline then says so', async () => {
    const { flows } = at.installation;
    const name = `Lending${randomUUID().replaceAll('-', '').slice(0, 8)}`;
    const key = `lending-${randomUUID().slice(0, 8)}`;
    await flows.publish([{ path: 'lending.flow.yaml', text: lending(name) }]);
    await flows.startPublished(name, key, {});
    const page = await at.opened(`/process/${key}`);
    await says(page, 'h1', 'Overdue');
    await page.getByText(/Delivery: Put the item into locker \d+, Central; or extend/).waitFor();
    await foundNothing(page, 'case of a child');
    await page.getByRole('button', { name: 'Extend a deadline: Delivery', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Why').fill('she is ill');
    await dialog.getByRole('button', { name: 'Extend a deadline: Delivery' }).click();
    await page.getByText('(she is ill)').waitFor();
    await says(page, 'h1', 'In progress');
    const row = page.locator('.step-list li', { hasText: 'she is ill' });
    expect(await row.getByRole('link', { name: 'Delivery' }).getAttribute('href')).toBe(
      `/process/${encodeURIComponent(`${key}/loan`)}`,
    );
    await row.getByRole('button', { name: 'Undo' }).click();
    const asked = page.getByRole('dialog', { name: 'Put the end back' });
    await asked.getByText('That has passed: the case is late again.').waitFor();
    await asked.getByRole('button', { name: 'Put it back' }).click();
    await says(page, 'h1', 'Overdue');
    await picture(page, 'console-case.png');
    await flows.fileHandle(key).cancel();
  });

  test('without the locker service the sign is not green, and what could not be read is not said to be nothing', async () => {
    const { flows } = at.installation;
    const key = `order-${randomUUID().slice(0, 8)}`;
    const handle = await flows.start('Issue', key, { request: issueRequest });
    await vi.waitUntil(async () => (await handle.progress()).shipments.issue, { timeout: 60_000 });
    const sign = (page: Page) => page.locator('.head-end [role=status]');
    const page = await at.opened(`/process/${key}`);
    const isGreen = (each: Page) => each.locator('.head-end .is-verified[role=status]');
    await isGreen(page).getByText('Up to date').waitFor();

    const settings = { LOCKER_API_URL: NOWHERE, LOCKER_AUTH_URL: NOWHERE };
    await using away = await newConsoleOf(at.installation, settings);
    const cut = await away.pageOf(at.browser, 'bram', `/process/${key}`);
    await cut.locator('main').getByText('Could not be read: the doors of its lockers').waitFor();
    expect(await cut.locator('main').innerText()).not.toContain('No fault is known');
    await cut.locator('.head-end .is-offline[role=status]').waitFor();
    // What is read once may be old.
    const flowsPage = await at.opened('/flows');
    await sign(flowsPage).getByText('As it was when the page was opened').waitFor();
    expect(await isGreen(flowsPage).count()).toBe(0);
    await handle.cancel();
  });
});
