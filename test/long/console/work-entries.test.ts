// Entries of Work as the page shows them, by answers of the API that a test gives: what is tested is the page.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { WorkEntry } from '../../../processes/inbox/inbox-entry.ts';
import { describeInBrowser, foundNothing } from '../../console/in-browser.ts';
import { tabTo } from '../../console/keys.ts';

const entry = (id: string, more: Partial<WorkEntry>): WorkEntry => ({
  ...{ id, kind: 'late', since: null, clockAheadMs: 0, title: id, group: 'today' },
  ...{ why: '', ifNothing: '', toDo: '', key: id, pupUid: null, lockerName: null, shipmentUid: null },
  actions: [],
  ...more,
});

describeInBrowser({}, (at) => {
  async function opened(entries: () => readonly WorkEntry[]): Promise<Page> {
    const page = await at.opened('/');
    await page.route('**/v1/inbox/entries?*', (route) =>
      route.fulfill({ json: { entries: entries(), unread: [] } }),
    );
    await page.goto(`${at.tested.address}/inbox`);
    return page;
  }

  test('each of a group is opened in its place, with its own actions, by keyboard alone', async () => {
    const member = (key: string) =>
      entry(`late:${key}`, {
        key,
        title: `${key} is late`,
        actions: [
          {
            ...{ id: 'cancel', label: `Cancel ${key}`, consequence: 'It ends.', fields: [] },
            request: { path: `/v1/processes/${key}/commands/cancel`, body: {} },
          },
        ],
      });
    let members = ['skates', 'laptop', 'drill'].map(member);
    const group = () => {
      const many = { keys: members.flatMap(({ key }) => key ?? []), remedy: 'extend' as const, members };
      return entry('cause:late', { key: null, title: `${members.length} are late`, many });
    };
    const page = await opened(() => [group(), entry('after', { title: 'What comes after' })]);
    const row = (id: string) => page.locator(`.inbox a[data-entry="${id}"]`);
    const panel = page.locator('section.entry');
    await panel.getByRole('heading', { name: '3 are late' }).waitFor();
    expect(await row('late:laptop').count()).toBe(0);
    await tabTo(row('cause:late'));
    await page.keyboard.press('Enter');
    await row('late:laptop').waitFor();
    expect(await row('cause:late').getAttribute('aria-expanded')).toBe('true');
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await panel.getByRole('heading', { name: 'laptop is late' }).waitFor();
    await panel.getByRole('button', { name: 'Cancel laptop' }).waitFor();
    await row('late:laptop').and(page.locator(':focus')).waitFor();
    await foundNothing(page, 'group of Work');
    // Once it has gone, the next one stands in its place.
    members = members.filter(({ key }) => key !== 'laptop');
    await row('late:laptop').waitFor({ state: 'detached' });
    await page.keyboard.press('j');
    await panel.getByRole('heading', { name: 'drill is late' }).waitFor();
    await page.keyboard.press('j');
    await panel.getByRole('heading', { name: 'What comes after' }).waitFor();
    // From the panel of the group, too.
    await row('cause:late').click();
    await panel.getByRole('link', { name: 'skates' }).click();
    await panel.getByRole('button', { name: 'Cancel skates' }).waitFor();
    await row('late:skates').and(page.locator(':focus')).waitFor();
    await row('cause:late').click();
    await row('cause:late').click();
    await row('late:skates').waitFor({ state: 'detached' });
  });

  test('an answer of several fields that ends the case is confirmed before it is sent', async () => {
    const question = entry('question:check', {
      ...{ kind: 'question', key: 'check', title: 'Is it whole?' },
      task: { inbox: 'desk', holder: null, until: null, form: 'check' },
      actions: [
        {
          ...{ id: 'answer', command: 'answer', label: 'Answer', consequence: '' },
          fields: [
            { name: 'state', label: 'State', kind: 'text' },
            { name: 'kind', label: 'Kind', kind: 'select', options: ['whole'] },
            { name: 'note', label: 'Note', kind: 'text' },
          ],
          request: { path: '/v1/processes/check/answers', body: { question: 'check' } },
        },
      ],
    });
    const page = await opened(() => [question, entry('lamp', {})]);
    const sent: string[] = [];
    await page.route('**/v1/processes/check/answers*', (route) => {
      const { searchParams } = new URL(route.request().url());
      if (searchParams.get('dryRun') === 'true')
        return route.fulfill({ json: { words: 'the loan ends', isFinal: true } });
      sent.push(route.request().postData() ?? '');
      return route.fulfill({ json: { done: 'answered' } });
    });
    await page.getByLabel('State').fill('broken');
    await page.getByLabel('Note').fill('its hinge');
    // What is filled in is kept while somebody looks at another one.
    await page.locator('.inbox a[data-entry="lamp"]').click();
    await page.getByLabel('Note').waitFor({ state: 'detached' });
    await page.locator('.inbox a[data-entry="question:check"]').click();
    expect(await page.getByLabel('State').inputValue()).toBe('broken');
    await page.getByLabel('Note').focus();
    await page.keyboard.press('Enter');
    const confirmation = page.getByRole('alert', { name: 'Confirm the answer' });
    await confirmation.getByText('the loan ends').waitFor();
    await confirmation.getByText('This cannot be taken back.').waitFor();
    expect(sent).toEqual([]);
    await confirmation.getByRole('button', { name: 'Not yet' }).click();
    await confirmation.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Answer', exact: true }).click();
    await confirmation.locator('strong', { hasText: 'Not answered yet' }).waitFor();
    await confirmation.locator('.main', { hasText: 'Answer “Kind: whole”' }).click();
    await page.getByText('Answered: Is it whole?').waitFor();
    expect(sent.map((each) => JSON.parse(each))).toMatchObject([{ state: 'broken', note: 'its hinge' }]);
  });
});
