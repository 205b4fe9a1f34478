// The inbox, the walls and the desk, on everything real and in a real Chromium: a service, its callbacks, Temporal, a worker
// whose bookings can lose their answers. One world for all tests.
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { parkReport } from '../../activities/routing/park.ts';
import type { InboxEntry, InboxView } from '../../console/inbox/inbox-view.ts';
import type { ConsoleRole } from '../../console/sign-in/user.ts';
import type { ShipmentReport } from '../../contract/flows/flow-messages.ts';
import { type LossyWay, lossyWay } from '../end-to-end/lossy-way.ts';
import { useInstallation } from '../end-to-end/use-installation.ts';
import { chromiumPath, noChromium, picture } from '../support/chromium.ts';
import { sandboxAs } from '../support/sandbox.ts';
import { foundByAxe } from '../wall/axe.ts';
import { pressTo, tabTo } from './keys.ts';
import { startTestConsole, type TestConsole } from './start-console.ts';

const executablePath = chromiumPath();
const decider: readonly ConsoleRole[] = ['look', 'decide'];
// Typed by people, and shown to others.
const SCRIPT = '<img src=x onerror="document.title=`taken`">';

// Neither keys nor a listing: a lost answer stays unknown, and a person decides.
const vendor = {
  name: 'a service that cannot be asked',
  switches: { idempotencyKey: false },
  settings: { LOCKER_CAPABILITIES: '' },
};
let way: LossyWay;
const installation = useInstallation(vendor, {
  through: async (address) => (way = await lossyWay(address)),
});

const issueRequest = {
  ...{ pupUid: 'pup-central', toUserUid: 'user-anna', dimension: { width: 10, height: 10, length: 10 } },
  ...{ allowLargerLockers: true, allowOverflowLockers: false },
};

const reportOf = (shipmentUid: string): ShipmentReport => ({
  ...{
    shipmentUid,
    stateCode: 'ReadyForPickup',
    stateStart: '2031-05-01T12:00:00Z',
    shipmentType: 'LocalPupShipment',
  },
  ...{ referenceNo: null, referenceCaseNo: 'order-of-nobody', description: null },
  ...{ pupUid: 'pup-central', fromUserUid: null, toUserUid: null },
  ...{ receivedAt: new Date().toISOString(), source: 'callback' as const },
});

/** In the browser. */
const shadeIn = (element: unknown): string =>
  (
    globalThis as unknown as { getComputedStyle(of: unknown): { readonly backgroundColor: string } }
  ).getComputedStyle(element).backgroundColor;

/** Until the inbox has such an entry. */
async function untilEntry(
  testConsole: TestConsole,
  isIt: (entry: InboxEntry) => boolean,
): Promise<InboxEntry> {
  const { entries } = await untilInbox(testConsole, (inbox) => inbox.entries.some(isIt));
  return entries.find(isIt) as InboxEntry;
}

async function untilInbox(
  { address, cookieName, signedIn }: TestConsole,
  isSo: (inbox: InboxView) => boolean,
): Promise<InboxView> {
  const cookie = `${cookieName}=${signedIn('ada', decider)}`;
  return await vi.waitUntil(
    async () => {
      const answer = await fetch(`${address}/v1/inbox/entries`, { headers: { cookie } });
      const inbox = (await answer.json()) as InboxView;
      return isSo(inbox) && inbox;
    },
    { timeout: 120_000, interval: 200 },
  );
}

describe('over HTTP', () => {
  let console: TestConsole;
  beforeAll(async () => {
    console = await startTestConsole(installation());
  });
  afterAll(() => console[Symbol.asyncDispose]());

  /** By the request that the entry itself names. */
  const act = ({ actions }: InboxEntry, action: string, values: object, name = 'ada') => {
    const { path, body } = actions.find(({ id }) => id === action)?.request ?? { path: '/none', body: {} };
    return console.post(console.signedIn(name, decider), path, { ...body, ...values });
  };

  test('a parked callback is shown with its case, and dropped in the name of the person', async () => {
    const { client, taskQueue } = installation();
    const shipmentUid = `shipment-${randomUUID()}`;
    const workflowId = await parkReport(client, { taskQueue, parkFor: 'P30D' }, reportOf(shipmentUid));
    const entry = await untilEntry(console, ({ id }) => id === `parked:${workflowId}`);
    expect(entry).toMatchObject({
      ...{
        kind: 'parked',
        shipmentUid,
        pupUid: 'pup-central',
        why: expect.stringContaining('case order-of-nobody'),
      },
      actions: [{ id: 'claim' }, { id: 'drop', isDestructive: true }],
    });
    const claimed = await act(entry, 'claim', { why: 'mine', to: 'order-of-nobody' });
    expect(claimed).toMatchObject({
      status: 404,
      body: { detail: expect.stringContaining('there is no flow') },
    });
    expect(await act(entry, 'drop', {})).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'why', message: expect.any(String) }] },
    });
    expect(await act(entry, 'drop', { why: 'a test of theirs' })).toMatchObject({ status: 200 });
    expect(await client.workflow.getHandle(workflowId).result()).toMatchObject({
      ...{ ended: 'Dropped', by: 'ada', why: 'a test of theirs' },
    });
  });

  test('a callback that does not arrive shows by itself, and a person tells the process', async () => {
    const { flows, people, hearCallbacks } = installation();
    const key = `order-${randomUUID()}`;
    const handle = await flows.start('Issue', key, { request: issueRequest });
    const heard = async () => (await handle.progress()).shipments.issue;
    const { shipmentUid } = await vi.waitUntil(heard, { timeout: 120_000, interval: 100 });
    await hearCallbacks(false);
    await people.dropOff(shipmentUid);
    await hearCallbacks(true);
    const entry = await untilEntry(console, (each) => each.key === key);
    expect(entry).toMatchObject({
      ...{
        kind: 'disagreement',
        title: 'A callback has not arrived',
        shipmentUid,
        since: expect.any(String),
      },
      why: expect.stringMatching(/The locker service says ReadyForPickup; .* ReadyForDropoff only/),
      ifNothing: expect.stringContaining('may become overdue'),
      toDo: expect.stringContaining('the receiver runs'),
      actions: [{ id: 'setState', label: 'Tell the process: ReadyForPickup' }],
    });
    expect(await act(entry, 'setState', { why: 'the item is in it' })).toMatchObject({ status: 200 });
    expect(await heard()).toMatchObject({ stateCode: 'ReadyForPickup' });
    await untilInbox(console, ({ entries }) => entries.every((each) => each.key !== key));
    // What has been heard of is not shown: a look at all that changed has found nothing else.
    expect((await untilInbox(console, ({ compared }) => compared.lookedAt !== null)).entries).toEqual([]);
    await handle.cancel();
  });

  test('a comparison finds a booking that no process has, and a person cancels it', async () => {
    const { people } = installation();
    const { shipmentUids } = await people.call('CreateLocalShipmentAsIssue', issueRequest);
    const [shipmentUid = ''] = shipmentUids as readonly string[];
    const compared = await console.post(console.signedIn('ada', decider), '/v1/comparison', {});
    expect(compared).toMatchObject({ status: 200, body: { done: expect.stringMatching(/disagreements/) } });
    const entry = await untilEntry(console, (each) => each.shipmentUid === shipmentUid);
    expect(entry).toMatchObject({ kind: 'disagreement', title: 'A shipment without a process' });
    expect(await act(entry, 'cancelShipment', {})).toMatchObject({ status: 200 });
    // What is not so any more is shown no more, and not done twice.
    expect(await act(entry, 'cancelShipment', {})).toMatchObject({
      ...{ status: 409, body: { code: 'NotSoAnyMore' } },
    });
  });

  test('another task queue has nothing of this one in its inbox', async () => {
    const { client, taskQueue } = installation();
    const shipmentUid = `shipment-${randomUUID()}`;
    const workflowId = await parkReport(client, { taskQueue, parkFor: 'P30D' }, reportOf(shipmentUid));
    const own = await untilEntry(console, ({ id }) => id === `parked:${workflowId}`);
    await using other = await startTestConsole({ ...installation(), taskQueue: `other-${randomUUID()}` });
    const cookie = `${other.cookieName}=${other.signedIn('olga', decider)}`;
    const answer = await fetch(`${other.address}/v1/inbox/entries`, { headers: { cookie } });
    const { entries } = (await answer.json()) as InboxView;
    expect(entries.filter(({ kind }) => kind !== 'itemLeft')).toEqual([]);
    await act(own, 'drop', { why: 'the test is over' });
  });
});

describe.skipIf(!executablePath)(`in a browser (${executablePath ?? noChromium})`, () => {
  let console: TestConsole;
  beforeAll(async () => {
    console = await startTestConsole(installation());
  });
  afterAll(() => console[Symbol.asyncDispose]());

  const input = () => ({ request: issueRequest });

  async function opened(path: string, name = 'ada', options = {}): Promise<Page> {
    const page = await console.pageOf(name, decider, options);
    await page.goto(console.address + path);
    return page;
  }

  /** A booking whose answer is lost after the service has made it. */
  async function lostBooking(): Promise<string> {
    const key = `order-${randomUUID()}`;
    way.lose(key, 'after');
    await installation().flows.start('Issue', key, input());
    return key;
  }

  const shipmentOf = async (referenceCaseNo: string): Promise<string> => {
    const { items } = await installation().people.call('GetShipments', {
      pageNo: 1,
      pageSize: 1,
      referenceCaseNo,
    });
    return (items as { shipmentUid: string }[])[0]?.shipmentUid ?? '';
  };

  test.each([1_280, 360])(
    'a wall of 60 lockers wraps, so that all of them fit at %s pixels',
    async (width) => {
      const pupUid = `pup-wide-${width}`;
      await installation().people.newPickUpPoint(pupUid, 60);
      const page = await opened(`/walls/${pupUid}`, 'ada', {
        ...{ viewport: { width, height: 720 }, bypassCSP: true },
      });
      const tiles = page.locator('button.locker');
      await tiles.nth(59).waitFor({ timeout: 300_000 });
      const places = await tiles.evaluateAll((all) =>
        all.map((each) => each.getBoundingClientRect()).map(({ left, right }) => ({ left, right })),
      );
      for (const { left, right } of places) {
        expect(left).toBeGreaterThanOrEqual(0);
        expect(right).toBeLessThanOrEqual(width);
      }
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      await picture(page, `console-wall-${width}.png`);
      // Of what is scrolled out of sight in the picture of its use axe cannot say what it stands on.
      expect(await foundByAxe(page, width < 1_280 ? ['.use-picture'] : [])).toEqual([]);
    },
  );

  test('the use of a wall is a heat map whose legend says what each shade stands for, in the language of the reader', async () => {
    const pupUid = `pup-use-${randomUUID()}`;
    const { people } = installation();
    await people.newPickUpPoint(pupUid, 4);
    // Of four lockers one is occupied from eight o'clock, one more each hour, and one less each hour in the evening.
    await sql`
      insert into locker_uses (tenant_id, pick_up_point_id, locker_id, locker_size_id, held_from, held_until)
      select tenant_id, pick_up_point_id, locker_id, locker_size_id,
        day + make_interval(hours => 7 + locker_name::int), day + make_interval(hours => 21 - locker_name::int)
      from lockers join pick_up_points as pup using (pick_up_point_id, tenant_id),
        generate_series(1, 6) as back, lateral (select date_trunc('day', now(), 'UTC') - make_interval(days => back)) as of (day)
      where pup_uid = ${pupUid}
    `.execute(people.database);
    await sql`
      insert into locker_refusals (tenant_id, pick_up_point_id, hour, size, refused)
      select tenant_id, pick_up_point_id, date_trunc('day', now(), 'UTC') - interval '12 hours', 'M', 2
      from pick_up_points where pup_uid = ${pupUid}
    `.execute(people.database);
    const page = await opened(`/walls/${pupUid}`, 'ada', {
      ...{ timezoneId: 'UTC', bypassCSP: true, viewport: { width: 1_280, height: 900 } },
    });
    const use = page.locator('.use');
    const shadeOf = (of: Locator) => of.evaluate(shadeIn);
    await use.locator('td').first().waitFor();
    expect(await use.locator('.use-legend li').allInnerTexts()).toEqual([
      ...['0%', 'up to 25%', 'up to 50%', 'up to 75%', 'up to 100%'],
      'a booking found no locker',
    ]);
    const steps = [
      ['07:00', '0%'],
      ['08:00', '25%'],
      ['09:00', '50%'],
      ['10:00', '75%'],
      ['11:00', '100%'],
    ] as const;
    const shades = [];
    for (const [hour, percent] of steps) {
      const shade = await shadeOf(use.getByLabel(`${hour}: ${percent} occupied`).first());
      const [legend] = await use.locator('.use-legend li', { hasText: ` ${percent}` }).all();
      expect(legend && (await shadeOf(legend.locator('.use-hour')))).toBe(shade);
      shades.push(shade);
    }
    expect(new Set(shades).size).toBe(steps.length);
    expect(await use.locator('td.is-refused').getAttribute('aria-label')).toMatch(/12:00: 100%.*2 refused/);
    await use.getByText('2 bookings found no locker.').waitFor();
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await foundByAxe(page), colorScheme).toEqual([]);
      await picture(use, colorScheme === 'light' ? 'console-wall-use.png' : 'console-wall-use-dark.png');
    }
    // On a phone the map alone scrolls, also by keyboard.
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    await tabTo(use.locator('.use-picture'));
    await picture(use, 'console-wall-use-390.png');
    const french = await opened(`/walls/${pupUid}`, 'ada', { locale: 'fr-FR' });
    await french.getByText('une réservation n’a trouvé aucun casier').waitFor();
  });

  test('a person decides a booking whose answer was lost, by keyboard alone', async () => {
    const key = await lostBooking();
    const page = await opened('/processes');
    await page.getByRole('heading', { name: 'Processes' }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('i');
    const link = page.locator('.inbox a', { hasText: key });
    const entry = page.locator('section.entry', { hasText: key });
    await link.waitFor({ timeout: 300_000 });
    // Others stand above and below it: the first one was chosen before this came.
    for (const _ of await page.locator('.inbox a').all()) await page.keyboard.press('k');
    await pressTo(link, 'j');
    expect(await entry.innerText()).toMatch(
      /was it booked\?[\s\S]*If nobody does anything[\s\S]*locker stays taken/,
    );
    await tabTo(entry.getByRole('button', { name: 'Adopt what was booked' }));
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Adopt what was booked' }).waitFor();
    await picture(page, 'console-inbox.png');
    // The first field has the focus. Without a reason it is refused, and the focus is at the field that lacks.
    await page.keyboard.type(await shipmentOf(key));
    await page.keyboard.press('Enter');
    await page.getByText('This needs a reason').waitFor();
    await page.keyboard.type(SCRIPT);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText(`${key}: adopt is done`).waitFor();
    await link.waitFor({ state: 'detached', timeout: 120_000 });
    const { resolutions, shipments } = await installation().flows.handle<'Issue'>(key).progress();
    expect(resolutions).toMatchObject([{ action: 'adopt', by: 'ada', why: SCRIPT }]);
    expect(shipments.issue?.shipmentUid).toBe(await shipmentOf(key));
  });

  test('processes in doubt are tried again together, after a look at what would follow', async () => {
    const keys = [await lostBooking(), await lostBooking()];
    const page = await opened('/processes?phase=NeedsPerson');
    for (const key of keys) await page.getByLabel(`Choose ${key}`).check({ timeout: 300_000 });
    await page.getByRole('button', { name: 'Try again…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Try again for 2 processes' });
    await dialog.getByLabel('Why').fill('the service answers again');
    await dialog.getByRole('button', { name: 'Show what would happen' }).click();
    await dialog.getByText('Can try again (2)').waitFor();
    for (const key of keys)
      expect(await dialog.locator(`tr[data-key="${key}"]`).innerText()).toContain('books again');
    await dialog.getByRole('button', { name: 'Try again for 2 processes now' }).click();
    await dialog.getByText('2 of 2 done').waitFor();
    for (const key of keys)
      expect(await installation().flows.handle<'Issue'>(key).progress()).toMatchObject({
        resolutions: [{ action: 'retry', by: 'ada', why: 'the service answers again' }],
      });
  });

  test('a person without the role decide sees why, and cannot decide, by page or by hand', async () => {
    const key = await lostBooking();
    const page = await console.pageOf('eve', ['look']);
    await page.goto(`${console.address}/inbox`);
    await page.locator('.inbox a', { hasText: key }).click({ timeout: 300_000 });
    const entry = page.locator('section.entry', { hasText: key });
    expect(await entry.getByRole('button', { name: 'Book again' }).isDisabled()).toBe(true);
    const giveUp = `/v1/processes/${key}/commands/giveUp`;
    const cookie = console.signedIn('eve', ['look']);
    for (const [path, body] of [
      [giveUp, { why: 'mine' }],
      ['/api/walls/out-of-order', { lockerUid: 'pup-central-1', outOfOrder: true }],
      ['/api/walls/emptied', { lockerUid: 'pup-central-1' }],
      ['/api/desk/codes', { shipmentUid: await shipmentOf(key) }],
    ] as const)
      expect(await console.post(cookie, path, body), path).toMatchObject({
        status: 403,
        body: path === giveUp ? { code: 'RoleMissing' } : { error: 'RoleMissing' },
      });
    await page.goto(`${console.address}/desk`);
    await page.getByText('needs the role decide').waitFor();
    const done = await console.post(console.signedIn('ada', decider), giveUp, { why: 'mine' });
    expect(done).toMatchObject({ status: 200, body: { isDone: true } });
  });

  test('a wall shows a stuck door, and a code that is typed there opens it once it is mended, by keyboard alone', async () => {
    const { people, service } = installation();
    const { shipmentUids } = await people.call('CreateLocalShipmentAsIssue', issueRequest);
    const [shipmentUid = ''] = shipmentUids as readonly string[];
    const { items } = await people.call('GetShipments', { pageNo: 1, pageSize: 1, shipmentUid });
    const { lockerName } = (items as { lockerName: string }[])[0] ?? { lockerName: '' };
    const lockerUid = `pup-central-${lockerName}`;
    const sandbox = await sandboxAs(service.address);
    await sandbox('POST', 'faults', { lockerUid, fault: 'stuck' });
    const { deliveryCode } = await people.call('GetShipmentAccessCode', { shipmentUid });
    const page = await opened('/walls/pup-central');
    const tile = page.locator(`[data-locker="${lockerName}"]`);
    await expect.poll(() => tile.innerText()).toContain('door stayed shut');
    await tabTo(tile);
    await page.keyboard.press('Enter');
    await page.getByText('the door is stuck').waitFor();
    // Whom it is for, and no word of a program.
    await page.getByText(/^For Anna/).waitFor({ timeout: 30_000 });
    const panel = page.getByRole('region', { name: 'The chosen locker' });
    expect(await panel.innerText()).not.toMatch(/ReadyForDropoff|user-anna|[\da-f]{8}-[\da-f]{4}-/);
    await panel.getByText('For support').click();
    await panel.getByText(shipmentUid).waitFor();
    expect(new URL(page.url()).searchParams.get('locker')).toBe(lockerUid);
    const type = async () => {
      await tabTo(page.getByLabel('Access code'));
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.type(String(deliveryCode));
      await page.keyboard.press('Enter');
    };
    await type();
    await page.getByRole('alert').getByText(/stuck/).waitFor();
    await picture(page, 'console-wall.png');
    await sandbox('POST', 'faults', { lockerUid, fault: null });
    await type();
    await page.getByText(`Locker ${lockerName} is open`).waitFor();
    await expect.poll(() => tile.innerText()).toMatch(/to be picked up[\s\S]*door open/);
    await panel.getByText(/to drop off, with a code/).waitFor();
    await panel.getByRole('button', { name: 'Open the door…' }).waitFor();
    await picture(page, 'console-locker.png');
    // Only the stuck ones, of which there is none any more, and only the open ones.
    const wall = page.locator('.wall .locker');
    expect(await page.getByRole('button', { name: 'door stayed shut 0' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: /^door open/ }).click();
    await expect.poll(() => wall.count()).toBe(1);
    await page.getByRole('button', { name: /^door open/ }).click();
    await expect.poll(() => wall.count()).toBe(24);
    await tabTo(page.getByRole('button', { name: 'Take out of order' }));
    await page.keyboard.press('Enter');
    await page.getByText(`${lockerUid} is out of order`).waitFor();
    const { items: audited } = await people.call('GetAuditLog', { pageSize: 1, uid: lockerUid });
    expect(audited).toMatchObject([
      { operation: 'SetLockerOutOfOrder', clientId: 'demo', onBehalfOf: 'ada' },
    ]);
    // Cancelled with the item inside: it waits in the inbox, and whoever takes it out says so there.
    await people.call('CancelShipment', { shipmentUid });
    await page.keyboard.press('g');
    await page.keyboard.press('i');
    const link = page.locator('.inbox a', { hasText: `An item lies in locker ${lockerName} of` });
    const entry = page.locator('section.entry');
    await link.waitFor();
    await pressTo(link, 'j');
    await tabTo(entry.getByRole('button', { name: 'The locker is empty now' }));
    await page.keyboard.press('Enter');
    await tabTo(page.getByRole('dialog').getByRole('button', { name: 'The locker is empty now' }));
    await page.keyboard.press('Enter');
    await page.getByText(`${lockerUid} is empty, said by ada`).waitFor();
    await link.waitFor({ state: 'detached' });
  });

  test('a published flow is started by its form, with an error at its field, and its question answered in the inbox', async () => {
    const name = `DeskCheck${randomUUID().replaceAll('-', '').slice(0, 8)}`;
    await installation().flows.publish([{ path: 'check.flow.yaml', text: deskCheck(name) }]);
    const page = await opened(`/desk/start/${name}`);
    const key = `check-${randomUUID()}`;
    await page.getByLabel('Business key').fill(key);
    const start = page.getByRole('button', { name: 'Start', exact: true });
    await start.click();
    await page.locator('.field.is-wrong', { hasText: 'Please fill this in' }).waitFor();
    await page.getByLabel('Item').fill(SCRIPT);
    await start.click();
    await page.waitForURL(`**/process/${key}`);
    await page.goto(`${console.address}/inbox`);
    await page.locator('.inbox a', { hasText: key }).click({ timeout: 300_000 });
    const entry = page.locator('section.entry', { hasText: key });
    expect(await entry.innerText()).toContain(`Is ${SCRIPT} whole?`);
    expect(await page.title()).not.toBe('taken');
    await entry.getByRole('button', { name: 'whole' }).click();
    await vi.waitFor(
      async () =>
        expect((await installation().flows.fileHandle(key).progress()).output).toEqual({ by: 'ada' }),
      { timeout: 120_000, interval: 100 },
    );
  });

  test('the end of a wait of a flow file is extended on the page of its process', async () => {
    const name = `Waiting${randomUUID().replaceAll('-', '').slice(0, 8)}`;
    const { flows } = installation();
    const states = 'initial: waiting\nstates: { waiting: { after: { P2D: over } }, over: { type: final } }';
    const text = `name: ${name}\nmeaning: Waits for two days.\n${states}\n`;
    await flows.publish([{ path: 'waiting.flow.yaml', text }]);
    const key = `wait-${randomUUID()}`;
    await flows.startPublished(name, key, {});
    const page = await opened(`/process/${key}`);
    await page.locator('.choices summary').click({ timeout: 300_000 });
    await page.locator('.choices').getByRole('button', { name: 'Extend a wait' }).click({ timeout: 300_000 });
    const dialog = page.getByRole('dialog');
    // As the process says it, and chosen already: there is no other.
    await expect
      .poll(() => dialog.getByLabel('Wait').locator('option:checked').innerText())
      .toMatch(/P2D.*: \d{4}-/);
    await dialog.getByLabel('Until').fill('2131-05-01T12:00');
    await dialog.getByRole('button', { name: 'Extend a wait' }).click();
    await expect
      .poll(
        async () =>
          (await flows.fileHandle(key).progress()).awaits.find(({ kind }) => kind === 'time')?.until,
      )
      .toMatch(/^2131-05-01T/);
  });

  test('axe finds nothing on any of these views, in light and in dark', async () => {
    const key = await lostBooking();
    const page = await console.pageOf('ada', ['look', 'decide', 'administer'], { bypassCSP: true });
    const foundNothing = async (what: string) => {
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        expect(await foundByAxe(page), `${what}, ${colorScheme}`).toEqual([]);
      }
    };
    const seen = async (path: string, ready: string) => {
      await page.goto(console.address + path);
      await page.locator(ready).first().waitFor({ state: 'attached', timeout: 120_000 });
      await foundNothing(path);
      // From a phone to a wide screen, nothing sticks out.
      for (const width of [360, 1_920, 1_280]) {
        await page.setViewportSize({ width, height: 720 });
        expect(await page.evaluate('document.documentElement.scrollWidth'), `${path} at ${width}`).toBe(
          width,
        );
      }
    };
    await seen('/', '[data-part=needsYou] li');
    await seen('/inbox', `.inbox a:has-text("${key}")`);
    await page.locator('.inbox a', { hasText: key }).click();
    await page.getByRole('button', { name: 'Adopt what was booked' }).first().click();
    await foundNothing('the dialog');
    await seen('/walls', '.wall-card a');
    await seen('/walls/pup-central?locker=pup-central-1', '.use-picture td');
    await page.goto(`${console.address}/desk`);
    await page.getByLabel('Receiver').fill('an');
    await page.locator('.found-items [role=option]').first().waitFor();
    await foundNothing('people found');
    await seen('/desk/start', '.flow-list a');
    await seen('/desk/start/IssueFromStockAndSwapIntake', 'details');
    // As the flow's own schema has it: an account in the place of a uid.
    await page.getByRole('combobox', { name: 'Receiver' }).fill('Nobody Known');
    await page.getByRole('option', { name: 'Somebody new: Nobody Known' }).click();
    await page.locator('[name="request.toUser.emailAddress"]').waitFor();
    await foundNothing('a new account');
    await console.post(console.signedIn('ada', decider), `/v1/processes/${key}/commands/giveUp`, {
      why: 'the test is over',
    });
  });
});

const deskCheck = (name: string) => `
name: ${name}
meaning: The desk checks a device.
input: { type: object, required: [item], properties: { item: { type: string } } }
context: { by: null }
initial: checking
states:
  checking:
    invoke:
      src: ask
      input: { of: desk, question: "Is \${input.item} whole?", fields: { state: { choice: [whole, broken] } } }
      onDone: { target: over, actions: { type: assign, params: { by: "\${event.output.by}" } } }
  over: { type: final }
output: { by: "\${context.by}" }
`;
