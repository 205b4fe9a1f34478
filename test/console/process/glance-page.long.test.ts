// What a desk colleague sees of a process, who has never seen a statechart: for whom it is, where the item is, what happens next
// and when, what is wrong, what to do. Processes of every kind, in a real Chromium with everything real behind it; in light, in
// dark, and on a phone. With SCREENSHOTS=<folder> it leaves a picture of each there.
import { randomUUID } from 'node:crypto';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { type Installation, ourService, startInstallation } from '../../end-to-end/installation.ts';
import { type LossyWay, lossyWay } from '../../end-to-end/lossy-way.ts';
import { chromiumPath, launchChromium, noChromium, picture } from '../../support/chromium.ts';
import { sandboxAs } from '../../support/sandbox.ts';
import { foundByAxe } from '../../wall/axe.ts';
import { newConsoleOf, type TestConsole } from '../console-world.ts';
import { tabTo } from '../keys.ts';

const executablePath = chromiumPath();
// Everything, and a browser, on two cores that other tests keep busy.
const PATIENCE_MS = 400_000;
const SOON = { timeout: 60_000 };

// A booking whose answer is lost cannot be asked for again: a person decides.
const vendor = {
  ...ourService,
  switches: { idempotencyKey: false },
  settings: { LOCKER_CAPABILITIES: 'accessCodes,accessMessages' },
};

const request = {
  ...{ pupUid: 'pup-central', toUserUid: 'user-anna', dimension: { width: 10, height: 10, length: 10 } },
  ...{ allowLargerLockers: true, allowOverflowLockers: false },
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
  properties: { device: { type: string }, borrower: { type: string } }
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

describe.skipIf(!executablePath)(`in a browser (${executablePath ?? noChromium})`, () => {
  const stack = new AsyncDisposableStack();
  let installation: Installation;
  let tested: TestConsole;
  let browser: Browser;

  beforeAll(async () => {
    vi.stubEnv('TEMPORAL_ADDRESS', inject('temporalAddress'));
    installation = stack.use(await startInstallation(ourService));
    tested = stack.use(await newConsoleOf(installation));
    browser = await launchChromium(executablePath ?? '');
    stack.defer(() => browser.close());
  }, PATIENCE_MS);
  afterAll(async () => {
    await stack.disposeAsync();
    vi.unstubAllEnvs();
  });

  const issued = (key: string, dropOff = 'P3D') =>
    installation.flows.start('Issue', key, { request, deadlines: { issue: { dropOff, pickUp: 'P7D' } } });

  const opened = (key: string, name: 'anna' | 'bram' = 'bram') =>
    tested.pageOf(browser, name, `/process/${encodeURIComponent(key)}`, WINDOW);
  const answerOn = (page: Page, title: string) =>
    page.locator('.answer', { has: page.getByRole('heading', { name: title }) });
  const says = (page: Page, selector: string, words: RegExp | string) =>
    expect.poll(() => page.locator(selector).innerText(), SOON).toMatch(words);

  /** In both colours and on a phone: nothing to find for axe, nothing clipped, and nothing that people cannot read. */
  async function isWell(page: Page, name: string): Promise<void> {
    await page.locator('.step-slider').waitFor();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await picture(page, `process-${name}-${colorScheme}.png`);
      expect(await foundByAxe(page), `${name} in ${colorScheme}`).toEqual([]);
    }
    await page.emulateMedia({ colorScheme: 'light' });
    const words = await page.locator('main').innerText();
    expect(words).not.toMatch(
      /\d{4}-\d\d-\d\dT|[\da-f]{8}-[\da-f]{4}-[\da-f]{4}|xstate\.|\[object|undefined/,
    );
    await page.setViewportSize({ width: 390, height: 844 });
    const widest = await page.evaluate('document.documentElement.scrollWidth');
    expect(widest, `${name} on a phone`).toBeLessThanOrEqual(390);
    const { SCREENSHOTS } = process.env;
    if (SCREENSHOTS && SCREENSHOTS !== 'docs')
      await page.screenshot({ path: `${SCREENSHOTS}/process-${name}-phone.png`, fullPage: true });
    await page.setViewportSize({ width: 1280, height: 800 });
  }

  test(
    'a parcel that waits: whom it is for, its locker, until when; its codes, a day more, and its door with a reason',
    async () => {
      const flow = await issued('parcel-4711');
      const page = await opened('parcel-4711');
      await says(page, '.about', /For Anna .*Laptop \(LT-4711\)/s);
      await says(page, 'h1', 'On its way');
      await expect.poll(() => answerOn(page, 'Where the item is').innerText(), SOON).toMatch(/locker \S+/);
      await expect
        .poll(() => answerOn(page, 'What happens next').innerText(), SOON)
        .toMatch(/The desk puts the item into the locker\.\s+until .* \(in 2 d 23 h\)/);
      expect(await answerOn(page, 'What is wrong').innerText()).toMatch(/Nothing$/);
      expect(await page.locator('.track .present').innerText()).toMatch(/dropped off.*in 2 d 23 h/s);
      expect(await page.locator('.track .future').count()).toBeGreaterThan(0);
      await page.getByRole('button', { name: '+1 day' }).click();
      await expect.poll(() => answerOn(page, 'What happens next').innerText(), SOON).toContain('in 3 d 23 h');
      // Codes only on request.
      expect(await page.locator('.locker-shown').innerText()).not.toContain('To drop off');
      await page.getByRole('button', { name: 'Show the codes' }).click();
      await says(page, '.locker-shown', /To drop off: \S+/);
      await isWell(page, 'waiting');
      // By keyboard alone; without a reason no door opens.
      await tabTo(page.getByRole('button', { name: 'Open the door…' }));
      await page.keyboard.press('Enter');
      await tabTo(page.getByRole('dialog').getByRole('button', { name: 'Open the door' }));
      await page.keyboard.press('Enter');
      await page.getByText('say why the locker is opened').first().waitFor();
      expect((await flow.progress()).shipments.issue?.stateCode).toBe('ReadyForDropoff');
      await page.keyboard.type('the scanner is broken');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await expect.poll(() => answerOn(page, 'Where the item is').innerText(), SOON).toMatch(/In locker \S+/);
      await says(page, '.step-list', /The issue is waiting to be picked up|to be picked up/);
      await flow.cancel();
    },
    PATIENCE_MS,
  );

  test(
    'a door that stays shut is what is wrong, and the page says what to do until it opens',
    async () => {
      const flow = await issued('parcel-shut');
      const { lockerName = '', shipmentUid = '' } =
        (await vi.waitUntil(async () => (await flow.progress()).shipments.issue, SOON)) ?? {};
      const sandbox = await sandboxAs(installation.service.address);
      const fault = (name: string | null) =>
        sandbox('POST', 'faults', { lockerUid: `pup-central-${lockerName}`, fault: name });
      await fault('stuck');
      const page = await opened('parcel-shut');
      await page.getByRole('button', { name: 'Open the door…' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Why').fill('the scanner is broken');
      await dialog.getByRole('button', { name: 'Open the door' }).click();
      // No word of a program.
      const refused = dialog.getByRole('alert');
      await expect.poll(() => refused.innerText(), SOON).toMatch(/^The locker \S+ did not open: .*stuck$/);
      await dialog.getByRole('button', { name: 'Do nothing' }).click();
      await expect
        .poll(() => answerOn(page, 'What is wrong').innerText(), SOON)
        .toMatch(/The door of locker \S+ of \S+ stayed shut\.\s+The last try to open it failed: .*stuck\./);
      expect(await answerOn(page, 'What to do').innerText()).toContain('Let somebody go there');
      await isWell(page, 'door-shut');
      await fault(null);
      await installation.people.call('UnlockShipmentLocker', { shipmentUid, unlockGoal: 'DropOff' });
      await expect.poll(() => answerOn(page, 'What is wrong').innerText(), SOON).toMatch(/Nothing$/);
      await flow.cancel();
    },
    PATIENCE_MS,
  );

  test(
    'overdue, cancelled and ended: what to do, and nothing counts down that is over',
    async () => {
      const late = await issued('parcel-late', 'PT1S');
      const page = await opened('parcel-late');
      await says(page, 'h1', 'Overdue');
      await expect.poll(() => answerOn(page, 'What to do').innerText(), SOON).toMatch(/extend/);
      await expect.poll(() => answerOn(page, 'What is wrong').innerText()).toMatch(/overdue since/);
      await page.locator('.choices').getByRole('button', { name: 'Extend a deadline' }).waitFor();
      await page.locator('.track .overdue').waitFor();
      await isWell(page, 'overdue');
      await late.cancel();
      await says(page, 'h1', 'Cancelled');
      await expect.poll(() => page.locator('main').innerText(), SOON).not.toMatch(/\(in \d/);
      await expect.poll(() => answerOn(page, 'What happens next').innerText()).toMatch(/Nothing: it ended/);
      expect(await page.locator('.track .present').count()).toBe(0);
      expect(await page.locator('.choices').count()).toBe(0);
      await isWell(page, 'cancelled');

      const flow = await issued('parcel-done');
      const { shipmentUid = '' } =
        (await vi.waitUntil(async () => (await flow.progress()).shipments.issue, SOON)) ?? {};
      await installation.people.dropOff(shipmentUid);
      await installation.people.pickUp(shipmentUid);
      const done = await opened('parcel-done');
      await says(done, 'h1', 'Done');
      await expect.poll(() => answerOn(done, 'Where the item is').innerText(), SOON).toContain('Picked up');
      expect(await done.locator('.track :is(.present, .future, .failed)').count()).toBe(0);
      await isWell(done, 'ended');
    },
    PATIENCE_MS,
  );

  test(
    'a booking whose answer was lost needs a person, and the page says what to do',
    async () => {
      let way: LossyWay | undefined;
      await using other = await startInstallation(vendor, {
        through: async (address) => (way = await lossyWay(address)),
      });
      await using console = await newConsoleOf(other);
      way?.lose('parcel-lost', 'after');
      const flow = await other.flows.start('Issue', 'parcel-lost', { request });
      const page = await console.pageOf(browser, 'bram', '/process/parcel-lost', WINDOW);
      await says(page, 'h1', 'Needs a person');
      await expect
        .poll(() => answerOn(page, 'What to do').innerText(), SOON)
        .toMatch(/Decide how it goes on/);
      expect(await answerOn(page, 'What is wrong').innerText()).not.toContain('Nothing');
      expect(await page.locator('.choices .main').count()).toBe(1);
      await isWell(page, 'needs-a-person');
      await flow.cancel();
    },
    PATIENCE_MS,
  );

  test(
    'a flow file: its stages by their titles, its question, its data and answers; a step that failed is no check mark',
    async () => {
      const name = `Check${randomUUID().slice(0, 8)}`;
      await installation.flows.publish([{ path: 'check.flow.yaml', text: asking(name) }]);
      const key = `check-${name}`;
      await installation.flows.startPublished(name, key, {
        request: { device: 'Laptop 12', borrower: 'user-anna' },
      });
      const page = await opened(key);
      await says(page, 'h1', /Check of a device\s+Waits for an answer/);
      await says(page, '.about', /Borrower Anna .*Laptop 12/s);
      await expect
        .poll(() => answerOn(page, 'What to do').innerText())
        .toContain('Answer the question: “Is Laptop 12 whole?”');
      await says(page, '.tracks', 'Checked at the desk');
      await isWell(page, 'question');
      // By keyboard: the answer is the first thing.
      await page.keyboard.press('a');
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').getByLabel(/state/i).selectOption('broken');
      await page.getByRole('dialog').locator('button.main').click();
      await page.locator('.track .present', { hasText: 'In repair' }).waitFor();
      await says(page, '.sides', /State\s+broken \(bram\)|broken/);
      await installation.flows.fileHandle(key).tell({ type: 'broke', id: 'broke-1' });
      await says(page, 'h1', 'Needs a person');
      await page.locator('.track .failed', { hasText: 'In repair' }).waitFor();
      await expect
        .poll(() => answerOn(page, 'What is wrong').innerText())
        .toMatch(/could not be taken: the rules of the flow have an error \(No such key: a\)\.$/);
      await isWell(page, 'step-failed');

      // The chart is there for who asks for it, without the states that do not matter now.
      expect(await page.locator('.chart').count()).toBe(0);
      await page.getByRole('button', { name: 'Show the machine' }).click();
      await page.locator('[data-path="repairing"].active').waitFor();
      expect(await page.locator('[data-path="checking.quiet"]').count()).toBe(0);
      await picture(page, 'process-machine.png');
      await page.getByRole('button', { name: 'With all its states' }).click();
      await page.locator('[data-path="checking.quiet"]').waitFor();

      // Who only looks sees no people, no data, no codes.
      const looking = await opened(key, 'anna');
      await says(looking, 'h1', 'Needs a person');
      await looking.locator('.step-slider').waitFor();
      expect(await looking.locator('main').innerText()).not.toMatch(/Borrower|Laptop 12, |Show the codes/);
      expect(await looking.locator('.choices').count()).toBe(0);
    },
    PATIENCE_MS,
  );
});
