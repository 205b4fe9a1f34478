// Work in a real Chromium, on a real Temporal and worker: questions are answered inline, and taken.
import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { describeInBrowser, fits, foundNothing } from '../../console/in-browser.ts';
import { tabTo } from '../../console/keys.ts';
import { picture } from '../../support/chromium.ts';

const check = (name: string, of = 'desk') => `
name: ${name}
meaning: The desk checks a device.
input: { type: object, required: [item], properties: { item: { type: string } } }
context: { said: null }
initial: checking
states:
  checking:
    invoke:
      src: ask
      input: { of: ${of}, question: "Is \${input.item} whole?", fields: { state: { choice: [whole, broken] } } }
      onDone: { target: noting, actions: { type: assign, params: { said: "\${event.output.state}" } } }
  noting:
    invoke:
      src: ask
      input: { of: ${of}, question: "What about \${input.item}?", fields: { note: { type: text, minLength: 10, label: Note } } }
      onDone: over
  over: { type: final }
output: { said: "\${context.said}" }
`;

const paying = (name: string) => `
name: ${name}
meaning: Whoever checks an invoice does not pay it.
context: { checkedBy: "", paid: false }
initial: checking
states:
  checking:
    invoke:
      id: check
      src: ask
      input: { of: office, question: "Is the invoice right?", fields: { right: { type: yesNo } } }
      onDone:
        - guard: "\${event.output.right}"
          target: paying
          actions: { type: assign, params: { checkedBy: "\${event.output.by}" } }
        - target: refused
  paying:
    invoke:
      id: pay
      src: ask
      input: { of: office, question: "Pay it?", fields: { pay: { type: yesNo } }, not: "\${context.checkedBy}" }
      onDone: { target: paid, actions: { type: assign, params: { paid: "\${event.output.pay}" } } }
  paid: { type: final }
  refused: { type: final }
output: { paid: "\${context.paid}" }
`;

describeInBrowser({}, (at) => {
  /** Processes that ask the same. */
  async function asked(of: string, ...items: readonly string[]): Promise<string[]> {
    const name = `Check${randomUUID().replaceAll('-', '').slice(0, 8)}`;
    const { flows } = at.installation;
    await flows.publish([{ path: 'check.flow.yaml', text: check(name, of) }]);
    return await Promise.all(
      items.map(async (item) => {
        const key = `${item.replaceAll(' ', '-')}-${randomUUID().slice(0, 4)}`;
        await flows.startPublished(name, key, { request: { item } });
        return key;
      }),
    );
  }

  const questionOf = async (key: string) =>
    (await at.installation.flows.fileHandle(key).progress()).questions?.[0];

  async function opened(inbox: string, count: number, options = {}): Promise<Page> {
    const page = await at.opened('/inbox', 'bram', options);
    await page
      .locator('option', { hasText: `${inbox} (${count})` })
      .waitFor({ state: 'attached', timeout: 300_000 });
    await page.getByLabel('Show only').selectOption(inbox);
    return page;
  }

  test('what was answered stays in its place, with what follows, until one goes on', async () => {
    const [first = '', second = ''] = await asked('desk', 'lamp 1', 'lamp 2');
    const page = await opened('desk', 2);
    const entry = page.locator('section.entry');
    await page.locator('.inbox a', { hasText: first }).click();
    await entry.getByRole('heading', { name: 'Is lamp 1 whole?' }).waitFor();
    await picture(page, 'console-work.png');
    await tabTo(entry.getByRole('button', { name: 'whole' }));
    await page.keyboard.press('Enter');
    await page.getByText('Answered: Is lamp 1 whole?').waitFor();
    await entry.getByText(/^What follows: /).waitFor();
    await entry.getByRole('heading', { name: 'Is lamp 1 whole?' }).waitFor();
    // A second press finds no button of another question.
    expect(await entry.getByRole('button', { name: 'whole' }).count()).toBe(0);
    await picture(page, 'console-answered.png');
    await page.keyboard.press('Enter');
    await entry.getByRole('heading', { name: 'Is lamp 2 whole?' }).waitFor();
    await expect.poll(async () => (await questionOf(first))?.question).toBe('What about lamp 1?');
    // What is too short is said at its field.
    await page.locator('.inbox a', { hasText: 'What about lamp 1?' }).click({ timeout: 60_000 });
    await entry.getByLabel('Note').fill('short');
    await entry.getByRole('button', { name: 'Answer', exact: true }).click();
    await entry.locator('.field.is-wrong').waitFor();
    for (const key of [first, second]) await at.installation.flows.fileHandle(key).cancel();
  });

  test('a question is taken and given back', async () => {
    const keys = await asked('store', 'door 1', 'door 2');
    const page = await opened('store', 2);
    const entry = page.locator('section.entry');
    await page.locator('.inbox a', { hasText: 'door 1' }).click();
    await entry.getByRole('button', { name: 'Take it' }).click();
    await expect.poll(async () => (await questionOf(keys[0] ?? ''))?.holder).toBe('bram');
    await entry.getByRole('button', { name: 'Give it back' }).click();
    await expect.poll(async () => (await questionOf(keys[0] ?? ''))?.holder ?? null).toBe(null);
    for (const key of keys) await at.installation.flows.fileHandle(key).cancel();
  });

  test('four eyes: who has judged sees why not; the other sees what was judged, and confirms what is final', async () => {
    const { flows } = at.installation;
    const name = `Paying${randomUUID().replaceAll('-', '').slice(0, 8)}`;
    const key = `invoice-${randomUUID().slice(0, 8)}`;
    await flows.publish([{ path: 'paying.flow.yaml', text: paying(name) }]);
    await flows.startPublished(name, key, {});
    const at1 = await at.opened('/inbox', 'bram');
    const entry = at1.locator('section.entry');
    const choose = async (page: Page) =>
      await page.locator('.inbox a', { hasText: key }).click({ timeout: 120_000 });
    await choose(at1);
    // Final: it asks before.
    await entry.getByRole('button', { name: 'no', exact: true }).click();
    const confirmation = entry.getByRole('alert');
    await confirmation.getByText('it ends: Refused').waitFor();
    await picture(at1, 'console-confirm.png');
    await confirmation.getByRole('button', { name: 'Not yet' }).click();
    expect(await questionOf(key)).toMatchObject({ id: 'check' });
    // Not final, and not guarded: one press.
    await entry.getByRole('button', { name: 'yes', exact: true }).click();
    await expect.poll(async () => (await questionOf(key))?.id).toBe('pay');

    await at1.goto(`${at.tested.address}/inbox`);
    await choose(at1);
    await entry.getByText('another person must, who has not judged before (four eyes)').waitFor();
    expect(await entry.getByRole('button', { name: 'yes', exact: true }).count()).toBe(0);
    expect(await entry.getByRole('button', { name: 'Take it' }).count()).toBe(0);
    await at1.goto(`${at.tested.address}/process/${key}`);
    await at1.getByText('another person must, who has not judged before (four eyes)').waitFor();
    expect(await at1.getByRole('button', { name: 'Answer for office' }).count()).toBe(0);

    const other = await at.opened('/inbox', 'olga');
    await choose(other);
    const theirs = other.locator('section.entry');
    const judged = theirs.getByRole('region', { name: 'Who has judged before' });
    await judged.getByText('bram').first().waitFor();
    expect(await judged.innerText()).toContain('right: yes');
    await theirs.getByText('bram, who has judged before, may not (four eyes)').waitFor();
    await theirs.getByRole('button', { name: 'yes', exact: true }).click();
    const asked = theirs.getByRole('alert').locator('.main');
    await asked.getByText('Answer “pay: yes”').waitFor();
    expect(await theirs.locator('.main').count()).toBe(1);

    // The page of the case asks the same.
    await other.goto(`${at.tested.address}/process/${key}`);
    await other.getByRole('button', { name: 'Answer for office' }).first().click();
    const dialog = other.getByRole('dialog');
    await dialog.getByRole('button', { name: 'yes', exact: true }).click();
    await dialog.getByRole('alert').getByText('it ends: Paid').waitFor();
    expect(await questionOf(key)).toMatchObject({ id: 'pay' });
    await dialog.getByRole('button', { name: 'Answer “pay: yes”' }).click();
    await other.getByText('Answered: pay: yes').waitFor();
    expect(await flows.fileHandle(key).result()).toMatchObject({ paid: true });
  });

  test('on a phone it is the list or the entry, and axe finds nothing in light and dark', async () => {
    const keys = await asked('phone', 'window 1', 'window 2');
    const page = await opened('phone', 2, { viewport: { width: 390, height: 800 } });
    expect(await page.locator('section.entry').count()).toBe(0);
    await fits(page, 390);
    await page.locator('.inbox a', { hasText: 'window 1' }).click();
    await page.getByRole('button', { name: '← All work' }).waitFor();
    await fits(page, 390);
    for (const width of [390, 1_280]) {
      await page.setViewportSize({ width, height: 800 });
      await foundNothing(page, `work ${width}`);
    }
    for (const key of keys) await at.installation.flows.fileHandle(key).cancel();
  });
});
