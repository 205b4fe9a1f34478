// The desk in a real browser, with everything real behind it: a parcel by a scanner and the keyboard alone, its slips, what was
// booked today, and the start of other flows by the same form.
import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { csv, uploaderAs } from '../../service/accounts/suggestions/upload.ts';
import { picture } from '../../support/chromium.ts';
import { sandboxAs } from '../../support/sandbox.ts';
import { DESK, describeInBrowser, foundNothing, type InBrowser } from '../in-browser.ts';
import { tabTo } from '../keys.ts';

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

  /** As a scanner does: fast, and with Enter at the end. */
  async function scan(page: Page, text: string): Promise<void> {
    await page.keyboard.type(text);
    await page.keyboard.press('Enter');
  }

  const trackingNo = (page: Page) => page.getByLabel('Tracking number (optional)');
  const hasFocus = (page: Page, label: string) =>
    expect
      .poll(() => page.evaluate("document.activeElement.labels?.[0]?.innerText ?? ''"), { timeout: 30_000 })
      .toContain(label);

  async function atCentral(page: Page): Promise<void> {
    await page.locator('[name="request.pupUid"] option[value="pup-central"]').waitFor({ state: 'attached' });
    await page.locator('[name="request.pupUid"]').selectOption('pup-central');
    await page.locator('.size').first().waitFor();
  }

  test('a parcel is registered by scanner and keyboard alone, and each slip is printed with its own code alone', async () => {
    const page = await opened('/desk?pup=pup-central');
    await page.locator('.size').first().waitFor();
    await hasFocus(page, 'Tracking number');
    await scan(page, '3SABCD0012345');
    // Enter went on and sent nothing; a name of which only one is found is taken, and the next field has the focus.
    await hasFocus(page, 'Receiver');
    expect(await page.locator('.is-wrong').count()).toBe(0);
    await page.keyboard.type('anna');
    await page.getByRole('option', { name: /Anna/ }).waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('request.dimension');
    await page.keyboard.press('Space');
    expect(await page.locator('.size input').first().isChecked()).toBe(true);
    await page.keyboard.press('Enter');
    await hasFocus(page, 'To be picked up within');
    // Past hours and days to a week.
    for (let down = 0; down < 6; down++) await page.keyboard.press('ArrowDown');
    expect(await page.locator(':focus option:checked').innerText()).toBe('1 week');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate('document.activeElement.innerText')).toBe('Register the parcel');
    await picture(page, 'console-desk.png');
    await page.keyboard.press('Enter');

    const parcel = page.locator('.parcel');
    await parcel.getByText(/Booked: locker \d+/).waitFor();
    // The next one can be scanned at once.
    await hasFocus(page, 'Tracking number');
    expect(await trackingNo(page).inputValue()).toBe('');
    const row = page.locator('.today li', { hasText: '3SABCD0012345' });
    await row.getByText('to be put in').waitFor();
    expect(await row.innerText()).toMatch(/locker \d+, /);
    const key = (await row.getAttribute('data-key')) ?? '';
    const { shipments } = await at.installation.flows.handle<'Issue'>(key).progress();
    const shipmentUid = shipments.issue?.shipmentUid ?? '';
    const { deliveryCode, pickUpCode } = await at.installation.people.call('GetShipmentAccessCode', {
      shipmentUid,
    });
    expect(await parcel.innerText()).not.toContain(String(pickUpCode));

    await page.evaluate('window.papers = []; window.print = () => papers.push(document.body.innerHTML)');
    for (const name of ['Print for the courier', 'Print for the receiver']) {
      await tabTo(page.getByRole('button', { name }));
      await page.keyboard.press('Enter');
    }
    await expect.poll(() => page.evaluate('papers.length')).toBe(2);
    const printed = (await page.evaluate('papers')) as [string, string];
    await picture(page, 'console-desk-slips.png');

    await at.installation.people.dropOff(shipmentUid);
    await row.getByText('to be picked up').waitFor();
    await parcel.getByText('to be picked up').waitFor();

    // Scanned while nothing has the focus, it is in its field whole; and that it is here already is said.
    await page.evaluate('document.activeElement.blur()');
    await scan(page, '3SABCD0012345');
    expect(await trackingNo(page).inputValue()).toBe('3SABCD0012345');
    await page.getByText('A parcel with this number was registered today').waitFor();

    // And it is found by its number.
    await parcel.getByRole('button', { name: 'Close' }).click();
    await parcel.waitFor({ state: 'detached' });
    await tabTo(page.getByRole('combobox', { name: 'Tracking number, description or locker' }));
    await scan(page, '3SABCD0012345');
    await parcel.getByText(/Booked: locker/).waitFor();
    const { items } = await at.installation.people.call('GetAuditLog', { pageSize: 50, uid: shipmentUid });
    const shown = { operation: 'GetShipmentAccessCode', outcome: 'Success', onBehalfOf: 'bram' };
    expect(items).toContainEqual(expect.objectContaining(shown));

    // What was on paper when the browser printed.
    await page.emulateMedia({ media: 'print' });
    const papers = [];
    for (const html of printed)
      papers.push(
        await page.evaluate(`document.body.innerHTML = ${JSON.stringify(html)}, document.body.innerText`),
      );
    const [courier, receiver] = papers;
    expect(courier).toContain(String(deliveryCode));
    expect(courier).not.toContain(String(pickUpCode));
    expect(receiver).toContain(String(pickUpCode));
    expect(receiver).not.toContain(String(deliveryCode));
    for (const paper of papers) {
      expect(paper).toContain('3SABCD0012345');
      expect(paper).not.toMatch(/Print for|Register|Processes|Today|[\da-f]{8}-[\da-f]{4}/);
    }
  });

  test('what is wrong is said in words at its field, and a parcel that was refused goes back to its form', async () => {
    const page = await opened('/desk');
    await atCentral(page);
    const send = page.getByRole('button', { name: 'Register the parcel' });
    await send.click();
    await page.getByText('Please look at: Receiver, Size of the parcel, in centimeters.').waitFor();
    await hasFocus(page, 'Receiver');
    await page.keyboard.type('zand');
    const option = page.getByRole('option', { name: /Zelda Zandstra/ });
    await option.waitFor();
    expect(await option.innerText()).toContain(SCRIPT);
    expect(await page.locator('img').count()).toBe(0);
    await page.keyboard.press('Enter');
    await page.getByText('An account is made for them').waitFor();
    await page.getByLabel('First name').fill('');
    await page.getByLabel('Own measures').check();
    await page.getByLabel('Width').fill('a lot');
    await page.getByLabel('Height').fill('200');
    await page.getByLabel('Length').fill('300');
    await page.getByLabel('To be picked up within').selectOption({ label: 'Other…' });
    await page.getByLabel(/how long/).fill('soon');
    await send.click();
    await page.getByText('Please look at: First name, Width, To be picked up within.').waitFor();
    const wrongAt = (name: string) => page.locator('.field.is-wrong', { hasText: name }).innerText();
    expect(await wrongAt('First name')).toContain('Please fill this in.');
    expect(await wrongAt('Width')).toContain('Please type a number.');
    expect(await wrongAt('how long')).toContain('ISO 8601 duration');
    expect(await page.locator('main').innerText()).not.toMatch(/toUser|request\.|InvalidRequest|dimension/);
    await foundNothing(page, 'desk wrong');

    await page.getByLabel('First name').fill('Zelda');
    await page.getByLabel('Width').fill('100');
    await page.getByText('It fits into no locker here.').waitFor();
    await page.getByLabel(/how long/).fill('PT36H');
    await send.click();
    const parcel = page.locator('.parcel');
    await parcel.getByText('It is too large for every locker there').waitFor();
    await parcel.getByRole('button', { name: 'Back to the form' }).click();
    expect(await page.getByLabel('Height').inputValue()).toBe('200');
    await page.getByLabel(/^S up to/).check();
    await send.click();
    await parcel.getByText(/Booked: locker/).waitFor();
    const key = new URL(page.url()).searchParams.get('parcel') ?? '';
    const { input } = await started(key);
    expect(input).toMatchObject({ deadlines: { issue: { pickUp: 'PT36H' } } });
    expect(await page.title()).not.toBe('taken');
  });

  async function started(key: string): Promise<{ readonly input: unknown }> {
    const { events } = await at.installation.client.workflow.getHandle(key).fetchHistory();
    const payload = events?.[0]?.workflowExecutionStartedEventAttributes?.input?.payloads?.[0];
    return { input: JSON.parse(Buffer.from(payload?.data ?? []).toString()) };
  }

  test('a wall that does not answer is offered with the word that it is offline, and what that means', async () => {
    const pupUid = `pup-${randomUUID()}`;
    await at.installation.people.newPickUpPoint(pupUid, 2);
    const page = await opened(`/desk?pup=${pupUid}`);
    const option = page.locator(`[name="request.pupUid"] option[value="${pupUid}"]`);
    await expect.poll(() => option.innerText()).toContain('2 free');
    await (await sandboxAs(at.installation.service.address))('POST', 'faults', { pupUid, fault: 'offline' });
    await expect.poll(() => option.innerText()).toContain('offline');
    const note = page.locator('.offline-note', { hasText: 'is offline.' });
    await note.getByText(/Since .*\(.* ago\)/).waitFor();
    await note.getByText('no door opens until the wall answers').waitFor();
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
    await tabTo(page.getByLabel('Business key'));
    await page.keyboard.type(key);
    await page.keyboard.press('Enter');
    await hasFocus(page, 'Item');
    await page.getByRole('option', { name: /Laptop seven L-7 .*locker \d+/ }).waitFor();
    await page.keyboard.type('seven');
    await page.getByRole('option', { name: /Laptop seven/ }).waitFor();
    await page.keyboard.press('Enter');
    await hasFocus(page, 'Borrower');
    await page.keyboard.type('anna');
    await page.getByRole('option', { name: /Anna/ }).waitFor();
    // Nobody gets an account where the flow takes only one that exists.
    expect(await page.getByText('Somebody new').count()).toBe(0);
    await page.keyboard.press('Enter');
    await hasFocus(page, 'Where it is lent');
    await page.getByLabel('Where it is lent').selectOption('pup-central');
    await page.getByLabel('Within (optional)').selectOption({ label: '3 days' });
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
    await page.getByRole('combobox', { name: 'Item' }).focus();
    await page.getByLabel('Receiver').waitFor();
    await page.getByText('Deadlines (optional)').click();
    await foundNothing(page, 'desk start built in');
    expect(await page.locator('main').innerText()).not.toMatch(/[a-z][A-Z]|Uid|JSON/);
  });
});
