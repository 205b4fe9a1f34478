// The desk in a real browser, with everything real behind it: flows are started by their forms and the keyboard alone, and a
// parcel is found by a scanner.
import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { DESK, describeInBrowser, foundNothing, type InBrowser } from '../../../console/in-browser.ts';
import { tabTo } from '../../../console/keys.ts';
import { csv, uploaderAs } from '../../../service/accounts/suggestions/upload.ts';
import { picture } from '../../../support/chromium.ts';
import { sandboxAs } from '../../../support/sandbox.ts';

// Typed by people, and shown to others.
const SCRIPT = '<img src=x onerror="document.title=`taken`">';
const POINT = { pupUid: 'pup-central', allowLargerLockers: true, allowOverflowLockers: false };
const DIMENSION = { width: 10, height: 10, length: 10 };

const loan = (name: string) => `
name: ${name}
title: Lend a device
meaning: Lends a device.
input:
  type: object
  required: [item, borrower, desk]
  properties:
    item: { type: string, minLength: 1 }
    borrower: { type: string, minLength: 1 }
    desk: { type: string, minLength: 1, title: Where it is lent }
    within: { type: string, format: duration }
initial: lent
states:
  lent:
    invoke:
      src: IssueFromStock
      input: { request: { priorShipmentUid: "\${input.item}", toUserUid: "\${input.borrower}" } }
      onDone: over
      onError: over
    on: { moved: moving }
  moving:
    invoke:
      src: Intake
      input:
        request: { pupUid: "\${input.desk}", fromUserUid: "\${input.borrower}", dimension: { width: 1, height: 1, length: 1 }, allowLargerLockers: true, allowOverflowLockers: false }
      onDone: over
      onError: over
  over: { type: final }
`;

async function begin({ installation }: InBrowser): Promise<void> {
  const upload = await uploaderAs(installation.service.address);
  const family = SCRIPT.replaceAll('"', '""');
  await upload({ content: csv(`zelda@example.com;+31612345678;nl;Zelda;Zandstra;"${family}";pup-central`) });
}

describeInBrowser({ begin }, (at) => {
  const opened = (path: string) => at.opened(path, 'bram', { ...DESK, locale: 'en-GB' });

  const hasFocus = (page: Page, label: string) =>
    expect
      .poll(() => page.evaluate("document.activeElement.labels?.[0]?.innerText ?? ''"), { timeout: 30_000 })
      .toContain(label);

  /** By keyboard alone. */
  async function found(page: Page, label: string, text: string, name: RegExp): Promise<void> {
    await tabTo(page.locator('main').getByLabel(label));
    await page.keyboard.type(text);
    await page.getByRole('button', { name }).waitFor();
    await tabTo(page.getByRole('button', { name }));
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate('document.activeElement.innerText')).toBe('Change');
  }

  async function started(key: string): Promise<{ readonly input: unknown }> {
    const { events } = await at.installation.client.workflow.getHandle(key).fetchHistory();
    const payload = events?.[0]?.workflowExecutionStartedEventAttributes?.input?.payloads?.[0];
    return { input: JSON.parse(Buffer.from(payload?.data ?? []).toString()) };
  }

  test('a parcel is registered for a person, shows its codes, and is found again by a scanner', async () => {
    const page = await opened('/desk');
    await tabTo(page.getByRole('link', { name: 'Delivery', exact: true }));
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Start: Delivery' }).waitFor();
    await page.locator('[name="request.pupUid"] option[value="pup-central"]').waitFor({ state: 'attached' });
    await page.getByLabel('Pick up point', { exact: true }).selectOption('pup-central');
    await page.getByLabel('Size of locker').selectOption('S');
    expect(await page.getByLabel('Width').inputValue()).not.toBe('');
    await found(page, 'Receiver', 'anna', /Anna/);
    await page.getByText('Deadlines (optional)').click();
    await page.getByText('Issue (optional)', { exact: true }).last().click();
    await page.getByLabel('To be picked up within (optional)').fill('P7D');
    await page.getByText('Details (optional)').click();
    await page.getByLabel('Tracking number (optional)').fill('3SABCD0012345');
    await picture(page, 'console-desk.png');
    await tabTo(page.getByRole('button', { name: 'Start', exact: true }));
    await page.keyboard.press('Enter');
    await page.waitForURL('**/process/desk-*');
    const key = page.url().split('/').at(-1) ?? '';
    const { input } = await started(key);
    expect(input).toMatchObject({
      request: { toUserUid: 'user-anna', details: { referenceNo: '3SABCD0012345' } },
      deadlines: { issue: { pickUp: 'P7D' } },
    });
    await page.getByRole('button', { name: 'Show the codes' }).click();
    const { shipments } = await at.installation.flows.handle<'Issue'>(key).progress();
    const shipmentUid = shipments.issue?.shipmentUid ?? '';
    const { pickUpCode } = await at.installation.people.call('GetShipmentAccessCode', { shipmentUid });
    await page.getByText(String(pickUpCode)).waitFor();
    const { items } = await at.installation.people.call('GetAuditLog', { pageSize: 50, uid: shipmentUid });
    const shown = { operation: 'GetShipmentAccessCode', outcome: 'Success', onBehalfOf: 'bram' };
    expect(items).toContainEqual(expect.objectContaining(shown));

    await page.goto(`${at.tested.address}/desk`);
    await tabTo(page.getByLabel('Tracking number, description or locker'));
    await page.keyboard.type('3SABCD0012345');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/process/${key}`);
  });

  test('what is wrong is said in words at its field, and somebody new gets an account', async () => {
    const page = await opened('/desk/start/Issue');
    await page.locator('[name="request.pupUid"] option[value="pup-central"]').waitFor({ state: 'attached' });
    await page.getByLabel('Pick up point', { exact: true }).selectOption('pup-central');
    const send = page.getByRole('button', { name: 'Start', exact: true });
    await send.click();
    await page.getByText('Please look at: Size, in centimeters, Receiver.').waitFor();
    await page.getByLabel('Receiver').fill('zand');
    const zelda = page.getByRole('button', { name: /Zelda Zandstra/ });
    await zelda.waitFor();
    expect(await zelda.innerText()).toContain(SCRIPT);
    expect(await page.locator('img').count()).toBe(0);
    await zelda.click();
    await page.getByText('An account is made for them').waitFor();
    await hasFocus(page, 'E-mail address');
    await page.getByLabel('First name').fill('');
    await page.getByLabel('Width').fill('a lot');
    await page.getByLabel('Height').fill('10');
    await page.getByLabel('Length').fill('10');
    await page.getByText('Deadlines (optional)').click();
    await page.getByText('Issue (optional)', { exact: true }).last().click();
    await page.getByLabel('To be picked up within (optional)').fill('soon');
    await send.click();
    const wrongAt = (name: string) => page.locator('.field.is-wrong', { hasText: name }).last().innerText();
    await expect.poll(() => wrongAt('First name')).toContain('Please fill this in.');
    expect(await wrongAt('Width')).toContain('Please type a number.');
    expect(await wrongAt('To be picked up')).toContain('like 3 days or 36 hours');
    expect(await page.locator('main').innerText()).not.toMatch(/toUser|request\.|InvalidRequest|dimension/);
    await foundNothing(page, 'desk wrong');
    await page.getByLabel('First name').fill('Zelda');
    await page.getByLabel('Width').fill('10');
    await page.getByLabel('To be picked up within (optional)').fill('PT36H');
    await send.click();
    await page.waitForURL('**/process/desk-*');
    const { input } = await started(page.url().split('/').at(-1) ?? '');
    expect(input).toMatchObject({
      request: { toUser: { emailAddress: 'zelda@example.com', firstName: 'Zelda' } },
      deadlines: { issue: { pickUp: 'PT36H' } },
    });
    expect(await page.title()).not.toBe('taken');
  });

  test('a wall that does not answer is offered with the word that it is offline, and what that means', async () => {
    const pupUid = `pup-${randomUUID()}`;
    await at.installation.people.newPickUpPoint(pupUid, 2);
    const page = await opened('/desk/start/Issue');
    const option = page.locator(`[name="request.pupUid"] option[value="${pupUid}"]`);
    await expect.poll(() => option.innerText()).toContain('2 free');
    await (await sandboxAs(at.installation.service.address))('POST', 'faults', { pupUid, fault: 'offline' });
    await expect.poll(() => option.innerText()).toContain('offline');
    await page.getByLabel('Pick up point', { exact: true }).selectOption(pupUid);
    await page.getByText('no door opens until the wall answers').waitFor();
  });

  test('another flow is started by the same fields: an item in stock, a person and a pick up point, by what they mean', async () => {
    const { people, flows } = at.installation;
    const { shipmentUids } = await people.call('CreateLocalShipmentAsStock', {
      ...POINT,
      dimension: DIMENSION,
      details: { description: 'Laptop seven', referenceNo: 'L-7' },
    });
    const [item = ''] = shipmentUids as readonly string[];
    await people.dropOff(item);
    const name = `Lending${randomUUID().replaceAll('-', '').slice(0, 8)}`;
    await flows.publish([{ path: 'lending.flow.yaml', text: loan(name) }]);
    const page = await opened(`/desk/start/${name}`);
    const key = `loan-${randomUUID()}`;
    await page.getByRole('heading', { name: 'Start: Lend a device' }).waitFor();
    await page.getByRole('button', { name: /Laptop seven L-7 .*locker \d+/ }).waitFor();
    await found(page, 'Item', 'seven', /Laptop seven/);
    await found(page, 'Borrower', 'anna', /Anna/);
    // Nobody gets an account where the flow takes only one that exists.
    expect(await page.getByText('Somebody new').count()).toBe(0);
    await page.getByLabel('Business key').fill(key);
    await page.getByLabel('Where it is lent').selectOption('pup-central');
    await page.getByLabel('Within (optional)').fill('P3D');
    await foundNothing(page, 'desk start');
    await tabTo(page.getByRole('button', { name: 'Start', exact: true }));
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/process/${key}`);
    const { input } = await started(key);
    expect(input).toMatchObject({
      request: { item, borrower: 'user-anna', desk: 'pup-central', within: 'P3D' },
    });
    // And so for a flow that is built in.
    await page.goto(`${at.tested.address}/desk/start/IssueFromStockAndSwapIntake`);
    await page.getByLabel('Receiver').waitFor();
    await page.getByText('Deadlines (optional)').click();
    await foundNothing(page, 'desk start built in');
    expect(await page.locator('main').innerText()).not.toMatch(/[a-z][A-Z]|Uid|JSON/);
  });
});
