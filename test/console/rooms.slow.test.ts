// The inbox, the walls and the desk, on everything real and in a real Chromium: a service, its callbacks, Temporal, a worker
// whose bookings can lose their answers. One world for all tests.
import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { parkReport } from '../../activities/routing/park.ts';
import type { InboxEntry, InboxView } from '../../console/inbox/inbox-view.ts';
import type { ConsoleRole } from '../../console/sign-in/user.ts';
import type { ShipmentReport } from '../../contract/flows/flow-messages.ts';
import { type LossyWay, lossyWay } from '../end-to-end/lossy-way.ts';
import { useInstallation } from '../end-to-end/use-installation.ts';
import { csv, uploaderAs } from '../service/accounts/suggestions/upload.ts';
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

/** Until the inbox has such an entry. */
async function untilEntry(
  testConsole: TestConsole,
  isIt: (entry: InboxEntry) => boolean,
): Promise<InboxEntry> {
  const { entries } = await untilInbox(testConsole, (inbox) => inbox.entries.some(isIt));
  return entries.find(isIt) as InboxEntry;
}

async function untilInbox(
  { address, signedIn }: TestConsole,
  isSo: (inbox: InboxView) => boolean,
): Promise<InboxView> {
  const cookie = `lockerflow-console=${signedIn('ada', decider)}`;
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
    const cookie = `lockerflow-console=${other.signedIn('olga', decider)}`;
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
    'a wall of eight columns is shown as it stands, side by side, at %s pixels',
    async (width) => {
      const pupUid = `pup-wide-${width}`;
      await installation().people.newPickUpPoint(pupUid, 60);
      const page = await opened(`/walls/${pupUid}`, 'ada', {
        ...{ viewport: { width, height: 720 }, bypassCSP: true },
      });
      const columns = page.locator('.wall-column');
      await columns.nth(7).waitFor({ timeout: 300_000 });
      const places = await columns.evaluateAll((all) =>
        all.map((each) => each.getBoundingClientRect()).map(({ left, right, top }) => ({ left, right, top })),
      );
      expect(new Set(places.map(({ top }) => top)).size).toBe(1);
      for (const [index, { left }] of places.entries())
        expect(left).toBeGreaterThan(places[index - 1]?.right ?? 0);
      // What does not fit is reached within the wall; the page itself is not scrolled sideways.
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      await picture(page, `console-wall-${width}.png`);
      const last = page.locator('.locker').last();
      await last.focus();
      await expect.poll(async () => (await last.boundingBox())?.x).toBeLessThan(width - 100);
      // Of what is scrolled out of sight in the picture of its use axe cannot say what it stands on.
      expect(await foundByAxe(page, width < 1_280 ? ['.use-picture'] : [])).toEqual([]);
    },
  );

  test('a person decides a booking whose answer was lost, by keyboard alone', async () => {
    const key = await lostBooking();
    const page = await opened('/processes');
    await page.getByRole('heading', { name: 'Processes' }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('i');
    const entry = page.locator('li.entry', { hasText: key });
    await entry.waitFor({ timeout: 300_000 });
    expect(await entry.innerText()).toMatch(
      /was it booked\?[\s\S]*If nobody does anything[\s\S]*locker stays taken/,
    );
    await pressTo(entry, 'j');
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
    await entry.waitFor({ state: 'detached', timeout: 120_000 });
    const { resolutions, shipments } = await installation().flows.handle<'Issue'>(key).progress();
    expect(resolutions).toMatchObject([{ action: 'adopt', by: 'ada', why: SCRIPT }]);
    expect(shipments.issue?.shipmentUid).toBe(await shipmentOf(key));
  });

  test('a person without the role decide sees why, and cannot decide, by page or by hand', async () => {
    const key = await lostBooking();
    const page = await console.pageOf('eve', ['look']);
    await page.goto(`${console.address}/inbox`);
    const entry = page.locator('li.entry', { hasText: key });
    await entry.waitFor({ timeout: 300_000 });
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

  test('a parcel is registered at the desk for a suggested person, whose remark is text, by keyboard alone', async () => {
    const upload = await uploaderAs(installation().service.address);
    await upload({
      content: csv(
        `zelda@example.com;+31612345678;nl;Zelda;Zandstra;"${SCRIPT.replaceAll('"', '""')}";pup-central`,
      ),
    });
    const page = await opened('/desk');
    await page.getByLabel('Pick up point').waitFor();
    await tabTo(page.getByLabel('Receiver'));
    await page.keyboard.type('zand');
    await page.getByRole('option', { name: /Zelda Zandstra/ }).waitFor();
    expect(await page.getByRole('option', { name: /Zelda/ }).innerText()).toContain(SCRIPT);
    expect(await page.locator('img').count()).toBe(0);
    expect(await page.title()).not.toBe('taken');
    await page.keyboard.press('Enter');
    await page.getByText('An account is made with the parcel').waitFor();
    await tabTo(page.getByLabel('Length'));
    await page.keyboard.press('Enter');
    // What is missing is said at its field, and the first of these has the focus.
    await page.locator('.measures .field.is-wrong').first().waitFor();
    for (const side of ['Width', 'Height', 'Length']) {
      await tabTo(page.getByLabel(side));
      await page.keyboard.type('10');
    }
    await page.keyboard.press('Enter');
    await page.getByText(/It is booked: locker \d+ of pup-central/).waitFor({ timeout: 300_000 });
    await tabTo(page.getByRole('button', { name: 'Show the codes' }));
    await page.keyboard.press('Enter');
    await page.locator('.codes dd').first().waitFor();
    const [dropOff = '', pickUp = ''] = await page.locator('.codes dd').allInnerTexts();
    // On paper are the codes, and neither the way around nor the buttons.
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('.codes dd').first().isVisible()).toBe(true);
    expect(await page.getByRole('button', { name: 'Print' }).isVisible()).toBe(false);
    expect(await page.getByRole('navigation').first().isVisible()).toBe(false);
    await page.emulateMedia({ media: 'screen' });
    await page.evaluate('window.print = () => { window.printed = true }');
    await tabTo(page.getByRole('button', { name: 'Print' }));
    await page.keyboard.press('Enter');
    expect(await page.evaluate('window.printed')).toBe(true);
    const key = (await page.locator('.parcel a').first().innerText()).trim();
    const shipmentUid = await shipmentOf(key);
    const codes = await installation().people.call('GetShipmentAccessCode', { shipmentUid });
    expect({ deliveryCode: dropOff, pickUpCode: pickUp }).toEqual({
      deliveryCode: codes.deliveryCode,
      pickUpCode: codes.pickUpCode,
    });
    const shown = console.logLines.filter(({ msg }) => msg === 'access codes are shown at the desk');
    expect(shown).toMatchObject([{ by: 'ada', shipmentUid }]);
    expect(JSON.stringify(console.logLines)).not.toContain(dropOff);
    const { items } = await installation().people.call('GetAuditLog', { pageSize: 50, uid: shipmentUid });
    expect(items).toContainEqual(
      expect.objectContaining({
        operation: 'GetShipmentAccessCode',
        outcome: 'Success',
        onBehalfOf: 'ada',
      }),
    );
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
    await page.getByText(shipmentUid).waitFor();
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
    await expect.poll(() => tile.innerText()).toMatch(/to be picked up\s+door open/);
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
    const entry = page.locator('li.entry', { hasText: `locker ${lockerName} of pup-central` });
    await entry.waitFor();
    await pressTo(entry, 'j');
    await tabTo(entry.getByRole('button', { name: 'The locker is empty now' }));
    await page.keyboard.press('Enter');
    await tabTo(page.getByRole('dialog').getByRole('button', { name: 'The locker is empty now' }));
    await page.keyboard.press('Enter');
    await page.getByText(`${lockerUid} is empty, said by ada`).waitFor();
    await entry.waitFor({ state: 'detached' });
  });

  test('a published flow is started by its form, with an error at its field, and its question answered in the inbox', async () => {
    const name = `DeskCheck${randomUUID().replaceAll('-', '').slice(0, 8)}`;
    await installation().flows.publish([{ path: 'check.flow.yaml', text: deskCheck(name) }]);
    const page = await opened(`/desk/start/${name}`);
    const key = `check-${randomUUID()}`;
    await page.getByLabel('Business key').fill(key);
    await page.getByRole('button', { name: `Start ${name}` }).click();
    await page.locator('.field.is-wrong', { hasText: 'is required' }).waitFor();
    await page.getByLabel('item').fill(SCRIPT);
    await page.getByRole('button', { name: `Start ${name}` }).click();
    await page.waitForURL(`**/process/${key}`);
    await page.goto(`${console.address}/inbox`);
    const entry = page.locator('li.entry', { hasText: key });
    await entry.waitFor({ timeout: 300_000 });
    expect(await entry.innerText()).toContain(`Is ${SCRIPT} whole?`);
    expect(await page.title()).not.toBe('taken');
    await entry.getByRole('button', { name: 'Answer' }).click();
    await page.getByLabel('state').selectOption('whole');
    await page.getByRole('dialog').getByRole('button', { name: 'Answer' }).click();
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
    await seen('/inbox', `li.entry:has-text("${key}")`);
    await page.getByRole('button', { name: 'Adopt what was booked' }).first().click();
    await foundNothing('the dialog');
    await seen('/walls', 'tbody a');
    await seen('/walls/pup-central?locker=pup-central-1', '.use-picture td');
    await page.goto(`${console.address}/desk`);
    await page.getByLabel('Receiver').fill('an');
    await page.locator('.people [role=option]').first().waitFor();
    await page.emulateMedia({ colorScheme: 'light' });
    await picture(page, 'console-desk.png');
    await foundNothing('people found');
    await seen('/desk/start', '.flow-list a');
    await seen('/desk/start/IssueFromStockAndSwapIntake', 'details');
    // As the flow's own schema has it: an account in the place of a uid.
    await page.getByText('toUser (optional)').click();
    await page.locator('[name="request.toUser.emailAddress"]').waitFor();
    await foundNothing('an open part of the form');
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
