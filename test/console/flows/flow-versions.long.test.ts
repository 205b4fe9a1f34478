// The versions of a flow file in the console, with everything real behind it, in a real Chromium: how many processes stand where
// on which version, what differs, and a migration from its dry run over its end to the process's own page, and back. With
// SCREENSHOTS=<folder> it leaves the picture for the docs there.
import { randomUUID } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { picture } from '../../support/chromium.ts';
import { describeInBrowser, foundNothing, PAGE_MS, says } from '../in-browser.ts';
import { foundWithChart } from '../process/axe-with-chart.ts';

const first = (name: string) => `
name: ${name}
meaning: Keeps a parcel until somebody fetches it.
context: { reminders: 0 }
initial: kept
states:
  kept:
    after: { P10D: returned }
    on: { fetched: over, lost: missing }
  missing: { on: { fetched: over } }
  returned: { on: { fetched: over } }
  over: { type: final }
`;

/** `kept` has another name and a shorter time; nobody can be in `missing` any more. */
const second = (name: string) => `
name: ${name}
meaning: Keeps a parcel until somebody fetches it.
context: { reminders: 0 }
initial: waiting
states:
  waiting:
    was: kept
    after: { P7D: returned }
    on: { fetched: over }
  returned: { on: { fetched: over } }
  over: { type: final }
`;

const printing = (name: string, lock: string) => `
name: ${name}
meaning: Prints a label.
initial: printing
states:
  printing:
    invoke: { id: printer, src: lock, input: { key: ${lock} } }
    on: { printed: over }
  over: { type: final }
`;

describeInBrowser({}, (at) => {
  const size = { viewport: { width: 1280, height: 1400 } };
  /** On the version that is the newest then: a process fetches its file when it begins. */
  const begun = (key: string) =>
    vi.waitUntil(async () => (await at.installation.flows.fileHandle(key).progress()).events.length > 0, {
      timeout: PAGE_MS,
    });

  test('locks are reached from the flows and from a process: who holds one, who waits, and the next holder', async () => {
    const { flows } = at.installation;
    const [name, lock] = [`Printing${randomUUID().slice(0, 8)}`, `printer ${randomUUID()}`];
    await flows.publish([{ path: 'printing.flow.yaml', text: printing(name, lock) }]);
    const keys = ['first', 'second'].map((each) => `${name}-${each}`);
    const [holder = '', waiter = ''] = keys;
    const page = await at.opened('/flows', 'olga', size);
    for (const key of keys) {
      await flows.startPublished(name, key, { request: {} });
      await begun(key);
    }
    await page.getByRole('link', { name: 'Locks and rate limits' }).click();
    await page.getByRole('link', { name: lock }).click();
    const heldBy = `tr:has-text("${lock}") td:nth-child(3)`;
    const waiting = `tr:has-text("${lock}") td:nth-child(4)`;
    await says(page, heldBy, new RegExp(`^${holder} since`));
    await says(page, waiting, new RegExp(`^${waiter} since`));
    await foundNothing(page, 'a lock');
    await page.locator(waiting).getByRole('link').click();
    await page.getByRole('link', { name: lock }).click();
    // Live.
    await flows.fileHandle(holder).tell({ type: 'printed', id: 'printed-1' });
    await says(page, heldBy, new RegExp(`^${waiter} since`));
    await says(page, waiting, /^–$/);
    await flows.fileHandle(waiter).tell({ type: 'printed', id: 'printed-2' });
  });

  test('processes are counted by version and state, compared, migrated with their progress, looked at, and taken back', async () => {
    const { flows } = at.installation;
    // It is in a picture of the docs.
    const name = 'ShelfParcel';
    await flows.publish([{ path: 'parcel.flow.yaml', text: first(name) }]);
    const keys = ['a', 'b', 'c'].map((each) => `${name}-${each}`);
    for (const key of keys) await flows.startPublished(name, key, { request: {} });
    for (const key of keys) await begun(key);
    const [migrated = '', , lost = ''] = keys;
    await flows.fileHandle(lost).tell({ type: 'lost', id: 'lost-1' });
    await flows.publish([{ path: 'parcel.flow.yaml', text: second(name) }]);

    const page = await at.opened(`/flows/${name}`, 'olga', size);
    const wrong: string[] = [];
    page.on('pageerror', (error) => wrong.push(error.message));
    await says(page, 'tr[data-version="1"]', /3\s+.*Kept: 2/);
    await says(page, 'tr[data-version="1"]', /Missing: 1/);
    await says(page, 'tr[data-version="2"]', /newest/);

    // What differs, in words; its address can be kept.
    await page.getByLabel('What differs in version').selectOption('2');
    await says(page, '.diff', /waiting: state kept -> waiting/);
    await says(page, '.diff', /missing: state removed/);
    expect(new URL(page.url()).search).toBe('?to=2&from=1');
    await foundNothing(page, 'the versions and their difference');
    await picture(page, 'console-versions.png');

    // First what would happen, with the reason and the remedy of what stands in the way.
    await page.getByRole('button', { name: 'Migrate processes…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Show what would happen' }).click();
    await dialog.locator('.field.is-wrong', { hasText: 'Why' }).waitFor({ timeout: PAGE_MS });
    await dialog.getByLabel('Why').fill('a shorter shelf time');
    await dialog.getByRole('button', { name: 'Show what would happen' }).click();
    await dialog.getByText('2 would be carried').waitFor({ timeout: PAGE_MS });
    await says(page, 'dialog tbody tr', /1 need the plan\s+.*missing/);
    await says(page, 'dialog tbody tr', new RegExp(lost));
    await foundNothing(page, 'the dry run');

    // A plan, whose gaps are there to be filled in.
    const plan = dialog.getByLabel('Plan');
    expect(await plan.inputValue()).toContain('states:\n  "missing": TODO');
    await dialog.getByRole('button', { name: 'Show what would happen' }).click();
    await dialog.locator('.field.is-wrong', { hasText: 'still has gaps' }).waitFor({ timeout: PAGE_MS });
    await plan.fill('states: { missing: waiting }');
    await dialog.getByRole('button', { name: 'Show what would happen' }).click();
    await dialog.getByText('3 would be carried').waitFor({ timeout: PAGE_MS });
    await plan.fill('');
    await dialog.getByRole('button', { name: 'Show what would happen' }).click();
    await dialog.getByText('2 would be carried').waitFor({ timeout: PAGE_MS });
    await dialog.getByRole('button', { name: 'Migrate 2 processes now' }).click();
    await dialog.waitFor({ state: 'detached', timeout: PAGE_MS });
    await says(page, '.migrations', /To version 2 by olga.*a shorter shelf time/s);
    await says(page, '.migrations', /Done: 2 processes migrated\./);
    await says(page, '.migrations tbody tr', /1 need the plan/);
    await says(page, 'tr[data-version="2"]', /2\s+Waiting: 2/);
    await says(page, 'tr[data-version="1"]', /Missing: 1/);
    await foundNothing(page, 'the migrations');

    // On the page of a process it is a step, and the steps before it have the chart of before.
    const looked = await at.opened(`/process/${migrated}?machine=whole`, 'anna', size);
    await looked.locator('[data-path="waiting"].active').waitFor({ timeout: PAGE_MS });
    await says(looked, '.step-list', /Olga migrates it to version 2, because a shorter shelf time/);
    await says(looked, '.step-list', /goes over from version 1 to version 2/);
    expect(await looked.locator('[data-path="kept"]').count()).toBe(0);
    await looked.locator('.step-list a').first().click();
    await looked.locator('[data-path="kept"].active').waitFor({ timeout: PAGE_MS });
    expect(await looked.locator('[data-path="waiting"]').count()).toBe(0);
    await foundNothing(looked, 'a step before the migration', foundWithChart);
    await looked.goto(`${at.tested.address}/process/${migrated}?machine=whole`);
    await looked.locator('[data-path="waiting"].active').waitFor({ timeout: PAGE_MS });
    // Who only looks is offered no migration.
    await looked.goto(`${at.tested.address}/flows/${name}`);
    await says(looked, '.migrations', /Done/);
    expect(await looked.getByRole('button', { name: /Migrate|Take back|Pause/ }).count()).toBe(0);

    await page.getByRole('button', { name: 'Take back…' }).click();
    await dialog.getByLabel('Why').fill('a mistake');
    await dialog.getByRole('button', { name: 'Show what would happen' }).click();
    await dialog.getByRole('button', { name: 'Migrate 2 processes now' }).click({ timeout: PAGE_MS });
    await says(page, '.migrations', /Back to version 1 by olga/);
    await says(page, 'tr[data-version="1"]', /3\s+.*Kept: 2/);
    expect(wrong).toEqual([]);
  });

  test('over HTTP: a batch is paused and resumed, and one process is migrated alone', async () => {
    const { flows } = at.installation;
    const name = `Parcel${randomUUID().slice(0, 8)}`;
    const key = `${name}-a`;
    await flows.publish([{ path: 'parcel.flow.yaml', text: first(name) }]);
    await flows.startPublished(name, key, { request: {} });
    await begun(key);
    await flows.publish([{ path: 'parcel.flow.yaml', text: second(name) }]);
    const bram = { cookie: await at.tested.cookieOf('bram') };
    const olga = { cookie: await at.tested.cookieOf('olga') };
    const answered = async (answer: Promise<Response>) => {
      const { status } = await answer;
      return [status, (await (await answer).json()) as Record<string, unknown>] as const;
    };
    const path = `/v1/processes/${key}/commands/migrate`;
    const asked = { to: 2, why: 'a shorter shelf time' };
    await expect
      .poll(() => answered(at.tested.post(`${path}?dryRun=true`, asked, olga)), { timeout: PAGE_MS })
      .toMatchObject([200, { isDone: false, refusal: null, words: `${key} would be on ${name}@2` }]);
    expect(await answered(at.tested.post(path, asked, olga))).toMatchObject([
      200,
      { isDone: true, consequence: { outcome: 'migrated' } },
    ]);
    expect((await flows.fileHandle(key).progress()).version).toBe(2);

    const diff = `/v1/flows/${name}/versions/2/diff`;
    expect(await answered(fetch(at.tested.address + diff, { headers: olga }))).toMatchObject([
      200,
      { from: 1, to: 2, changes: expect.arrayContaining([expect.objectContaining({ how: 'renamed' })]) },
    ]);
    const unknown = fetch(at.tested.address + diff.replace('2/diff', '9/diff'), { headers: olga });
    expect(await answered(unknown)).toMatchObject([404, { code: 'NotFound' }]);

    // After the first one it looks for some seconds at what has become of it: so it is there to be paused.
    for (const each of ['b', 'c']) await flows.startPublished(name, `${name}-${each}`, { request: {} });
    const batch = `/v1/flows/${name}/migrations`;
    await expect
      .poll(() => answered(fetch(`${at.tested.address}/v1/flows/${name}/versions`, { headers: bram })), {
        timeout: PAGE_MS,
      })
      .toMatchObject([
        200,
        {
          items: [
            { version: 2, open: 3 },
            { version: 1, open: 0 },
          ],
        },
      ]);
    const back = { to: 1, back: true, why: 'a mistake', first: 1 };
    expect(await answered(at.tested.post(batch, back, olga))).toMatchObject([
      202,
      { flow: name, to: 1, by: 'olga', back: true },
    ]);
    expect(await answered(at.tested.post(batch, back, olga))).toMatchObject([
      409,
      { code: 'NotPossibleNow' },
    ]);
    expect(await answered(at.tested.post(`${batch}/1/pause`, {}, olga))).toMatchObject([
      200,
      { status: { phase: 'paused' } },
    ]);
    expect(await answered(at.tested.post(`${batch}/1/resume`, {}, olga))).toMatchObject([
      200,
      { status: { phase: 'running' } },
    ]);
    await expect
      .poll(() => answered(fetch(`${at.tested.address}${batch}/1`, { headers: bram })), {
        timeout: PAGE_MS,
      })
      .toMatchObject([200, { closedAt: expect.any(String), status: { phase: 'done', migrated: 3 } }]);
    const none = await answered(at.tested.post(`${batch}/1/pause`, {}, olga));
    expect(none).toMatchObject([404, { code: 'NotFound' }]);
  });
});
