// What a desk colleague sees of a process, who has never seen a statechart: for whom it is, where the item is, what happens next
// and when, what is wrong, what to do. Processes of every kind, in a real Chromium; in light, in dark, and on a phone.
import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { expect, test, vi } from 'vitest';
import { issueRequest, newConsoleOf } from '../../../console/console-world.ts';
import { describeInBrowser, fits, foundNothing, PHONE, says } from '../../../console/in-browser.ts';
import { tabTo } from '../../../console/keys.ts';
import { ourService, startInstallation } from '../../../end-to-end/installation.ts';
import { type LossyWay, lossyWay } from '../../../end-to-end/lossy-way.ts';
import { picture } from '../../../support/chromium.ts';

const SOON = { timeout: 60_000 };

// A booking whose answer is lost cannot be asked for again: a person decides.
const vendor = {
  ...ourService,
  switches: { idempotencyKey: false },
  settings: { LOCKER_CAPABILITIES: 'accessCodes,accessMessages' },
};

const request = {
  ...issueRequest,
  details: { description: 'Laptop', referenceNo: 'LT-4711' },
};

const WINDOW = { viewport: { width: 1280, height: 800 }, locale: 'en-GB' };

const asking = (name: string) => `
name: ${name}
title: Check of a device
meaning: The desk checks a device, reminds every second, and has it repaired.
input:
  type: object
  required: [device, borrower]
  properties: { device: { type: string, item: true }, borrower: { type: string, format: account } }
context: { reminders: 0 }
initial: checking
states:
  checking:
    title: Checked at the desk
    invoke:
      id: check
      src: ask
      input:
        of: desk
        question: "Is \${input.device} whole?"
        fields: { state: { choice: [whole, broken] }, remark: { type: text, optional: true } }
        within: P2D
      onDone:
        - { guard: "\${event.output.state == 'broken'}", target: repairing }
        - { target: over }
      onError: over
    initial: quiet
    states:
      quiet: { title: Nobody was reminded, after: { PT1S: reminded } }
      reminded: { title: The desk was reminded }
  repairing:
    title: In repair
    after: { P3D: over }
    on: { broke: { target: over, actions: { type: assign, params: { reminders: "\${event.data.a.b.c + 1}" } } } }
  over: { type: final, title: Over }
output: { reminders: "\${context.reminders}" }
`;

describeInBrowser({}, (at) => {
  const issued = (key: string, dropOff = 'P3D') =>
    at.installation.flows.start('Issue', key, { request, deadlines: { issue: { dropOff, pickUp: 'P7D' } } });

  const opened = (key: string, name: 'anna' | 'bram' = 'bram') =>
    at.opened(`/process/${encodeURIComponent(key)}`, name, WINDOW);
  const answerOn = (page: Page, title: string) =>
    page.locator('.answers > div', { has: page.getByRole('heading', { name: title }) });
  /** What is wrong, and what to do. */
  const trouble = (page: Page) => page.locator('.banner');
  const troubles = (page: Page, words: RegExp | string) =>
    expect.poll(() => trouble(page).innerText(), SOON).toMatch(words);
  const answers = (page: Page, title: string, words: RegExp | string) =>
    expect.poll(() => answerOn(page, title).innerText(), SOON).toMatch(words);

  /** In both colours and on a phone: nothing to find for axe, nothing clipped, and nothing that people cannot read. */
  async function isWell(page: Page, name: string): Promise<void> {
    await page.locator('.step-list li').first().waitFor();
    await foundNothing(page, `process ${name}`);
    expect(await page.locator('main').innerText()).not.toMatch(
      /\d{4}-\d\d-\d\dT|[\da-f]{8}-[\da-f]{4}-[\da-f]{4}|xstate\.|\[object|undefined/,
    );
    await page.setViewportSize(PHONE.viewport);
    await fits(page, PHONE.viewport.width, `${name} on a phone`);
    await page.setViewportSize(WINDOW.viewport);
  }

  test('a parcel that waits: whom it is for, its locker, until when; its codes, and its door with a reason', async () => {
    const flow = await issued('parcel-4711');
    const page = await opened('parcel-4711');
    await says(page, 'h1', /^Laptop \(LT-4711\) for Anna /);
    await says(page, '.process-head', /parcel-4711 · Delivery/);
    await says(page, 'h1', 'In progress');
    await answers(page, 'Where the item is', /locker \S+/);
    await answers(
      page,
      'What happens next',
      /The desk puts the item into the locker\.\s+until .* \(in 3 days\)/,
    );
    // A healthy one has no box that says so, but one quiet line; what the desk is to do stands out.
    await says(
      page,
      '.banner',
      /^\s*What to do\s+Put the item into locker \S+, \S+\.\s+Open locker \S+: counts as put in$/,
    );
    await says(page, '.fine', 'No fault is known');
    expect(await page.locator('.progress .present').innerText()).toMatch(/dropped off.*in 3 days/s);
    expect(await page.locator('.progress .future').count()).toBeGreaterThan(0);
    // Codes only on request.
    expect(await page.locator('.locker-shown').innerText()).not.toContain('To drop off');
    await page.getByRole('button', { name: 'Show the codes' }).click();
    await says(page, '.locker-shown', /To drop off: \S+/);
    await isWell(page, 'waiting');
    // By keyboard alone; without a reason no door opens.
    await tabTo(page.getByRole('button', { name: 'Open: counts as put in…' }));
    await page.keyboard.press('Enter');
    await tabTo(page.getByRole('dialog').getByRole('button', { name: 'Open: counts as put in' }));
    await page.keyboard.press('Enter');
    await page.getByText('This needs a reason').first().waitFor();
    expect((await flow.progress()).shipments.issue?.stateCode).toBe('ReadyForDropoff');
    await page.keyboard.type('the scanner is broken');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await answers(page, 'Where the item is', /In locker \S+/);
    await says(page, '.step-list', /The issue is waiting to be picked up|to be picked up/);
    await flow.cancel();
  });

  test('an account that is created has no item, and its steps are told', async () => {
    const request = {
      emailAddress: 'glance@example.com',
      firstName: 'Gerda',
      lastName: 'Lans',
      pickUpPointUid: 'pup-central',
    };
    const flow = await at.installation.flows.start('OnboardAccount', 'account-glance', { request });
    await flow.result();
    const page = await opened('account-glance');
    await says(page, 'h1', /Gerda Lans/);
    await answers(page, 'Where the item is', 'This case has no locker');
    await says(page, '.step-list', /The account is found or created/);
    await isWell(page, 'account');
  });

  test('overdue, cancelled and ended: what to do, and nothing counts down that is over', async () => {
    const late = await issued('parcel-late', 'PT1S');
    const page = await opened('parcel-late');
    await says(page, 'h1', 'Overdue');
    await troubles(page, /1 thing is wrong[\s\S]*overdue since[\s\S]*extend/);
    // The way out is in the same line.
    await trouble(page).locator('.action-forms').getByRole('button', { name: 'Extend a deadline' }).waitFor();
    await page.locator('.progress .is-late').waitFor();
    await isWell(page, 'overdue');
    await late.cancel();
    await says(page, 'h1', 'Cancelled');
    await expect.poll(() => page.locator('main').innerText(), SOON).not.toMatch(/\(in \d/);
    await answers(page, 'How it ended', /Cancelled\s+today/);
    expect(await page.locator('.progress .present').count()).toBe(0);
    expect(await page.locator('.action-forms').count()).toBe(0);
    await isWell(page, 'cancelled');

    const flow = await issued('parcel-done');
    const { shipmentUid = '' } =
      (await vi.waitUntil(async () => (await flow.progress()).shipments.issue, SOON)) ?? {};
    await at.installation.people.dropOff(shipmentUid);
    await at.installation.people.pickUp(shipmentUid);
    const done = await opened('parcel-done');
    await says(done, 'h1', 'Done');
    await answers(done, 'What became of the item', 'Taken out');
    expect(await done.locator('.progress :is(.present, .future, .failed)').count()).toBe(0);
    await isWell(done, 'ended');
  });

  test('a booking whose answer was lost needs a person, and the page says what to do', async () => {
    let way: LossyWay | undefined;
    await using other = await startInstallation(vendor, {
      through: async (address) => (way = await lossyWay(address)),
    });
    await using console = await newConsoleOf(other);
    way?.lose('parcel-lost', 'after');
    const flow = await other.flows.start('Issue', 'parcel-lost', { request });
    const page = await console.pageOf(at.browser, 'bram', '/process/parcel-lost', WINDOW);
    await says(page, 'h1', 'Needs a person');
    await troubles(page, /1 thing is wrong[\s\S]*one booking with the number of this case/);
    expect(await page.locator('.action-forms .main').count()).toBe(1);
    await isWell(page, 'needs-a-person');
    await flow.cancel();
  });

  test('a flow file: its stages by their titles, its question, its data and answers; a step that failed is no check mark', async () => {
    const name = `Check${randomUUID().slice(0, 8)}`;
    await at.installation.flows.publish([{ path: 'check.flow.yaml', text: asking(name) }]);
    const key = `check-${name}`;
    await at.installation.flows.startPublished(name, key, {
      request: { device: 'Laptop 12', borrower: 'user-anna' },
    });
    const page = await opened(key);
    await says(page, 'h1', /^Laptop 12 · Borrower Anna .*\s+Waits for an answer/);
    await says(page, '.process-head', 'Check of a device');
    await troubles(page, 'Answer the question to desk: “Is Laptop 12 whole?”');
    await says(page, '.stages', 'Checked at the desk');
    await isWell(page, 'question');
    // By keyboard: the answer is the first thing.
    await tabTo(page.locator('.action-forms button.main'));
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByLabel(/state/i).selectOption('whole');
    await page.getByRole('dialog').locator('button.main').click();
    // As in Work: what ends the case is confirmed, what does not is answered by one press.
    const confirmation = page.getByRole('dialog').getByRole('alert');
    await confirmation.getByText('it ends: Over').waitFor();
    await confirmation.locator('button.main', { hasText: 'Answer “state: whole”' }).waitFor();
    await page.getByRole('dialog').getByLabel(/state/i).selectOption('broken');
    await confirmation.waitFor({ state: 'detached' });
    await page.getByRole('dialog').locator('button.main').click();
    await page.locator('.progress .present', { hasText: 'In repair' }).waitFor();
    await says(page, '.step-list', /Bram answers .*broken/);
    await at.installation.flows.fileHandle(key).sendEvent({ type: 'broke', id: 'broke-1' });
    await says(page, 'h1', 'Needs a person');
    await page.locator('.progress .failed', { hasText: 'In repair' }).waitFor();
    await troubles(page, /It has stopped: a rule of its flow has a mistake\.\n/);
    await isWell(page, 'step-failed');

    // The chart is there for who asks for it.
    expect(await page.getByRole('img').count()).toBe(0);
    await page.getByRole('button', { name: 'Show the machine' }).click();
    await page.getByRole('img', { name: 'The process is in repairing' }).waitFor();
    await picture(page, 'process-machine.png');

    // Who only looks sees no people, no data, no codes.
    const looking = await opened(key, 'anna');
    await says(looking, 'h1', 'Needs a person');
    await looking.locator('.step-list li').first().waitFor();
    expect(await looking.locator('main').innerText()).not.toMatch(/Borrower|Laptop 12, |Show the codes/);
    expect(await looking.locator('.action-forms').count()).toBe(0);
  });
});
