// Buttons that reach outside, in a real Chromium with everything real behind it: a message with its proposed text, a mechanic for a door
// and for a wall, and all who are affected by a wall. Without a connector they are not there.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { Connectors } from '../../../activities/connectors/connectors.ts';
import { outreachChannels } from '../../../activities/connectors/outreach-channel.ts';
import { readConnectors } from '../../../shared/settings/connectors.ts';
import { issueRequest, newConsoleOf } from '../../console/console-world.ts';
import { DESK, describeInBrowser, fits, foundNothing, PHONE } from '../../console/in-browser.ts';
import { json, startTestServer, type TestServer } from '../../shared/locker-api/test-server.ts';
import { sandboxAs } from '../../support/sandbox.ts';

let receiver: TestServer;
let connectors: Connectors | undefined;
beforeAll(async () => {
  receiver = await startTestServer(json(202, {}));
});
afterAll(async () => {
  await connectors?.close();
  await receiver[Symbol.asyncDispose]();
});
const sent = () => receiver.requests.map(({ body }) => JSON.parse(Buffer.from(body, 'latin1').toString()));

// In the language of whom it is for.
const inDutch = 'kunnen op dit moment niet worden geopend';
const names = { message: 'outside', sendMechanic: 'outside' };
const installed = {
  get dependencies() {
    const file = readConnectors(
      JSON.stringify({ connectors: { outside: { address: receiver.url, messages: {}, mechanic: {} } } }),
      () => '',
    );
    connectors = new Connectors(file);
    const channels = outreachChannels(file, connectors, names);
    return { outreach: { ...channels, address: 'none' as const, consoleUrl: null } };
  },
};
const variables = async () => ({
  MESSAGE_CONNECTOR: names.message,
  MECHANIC_CONNECTOR: names.sendMechanic,
  MESSAGE_ADDRESS: 'none',
});

describeInBrowser({ installed, variables }, (at) => {
  async function bookedAt(pupUid: string) {
    const { flows } = at.installation;
    const key = `loan-${randomUUID().slice(0, 8)}`;
    const handle = await flows.start('Issue', key, { request: { ...issueRequest, pupUid } });
    const booked = await vi.waitUntil(async () => (await handle.progress()).shipments.issue, {
      timeout: 60_000,
    });
    return { key, handle, ...booked };
  }
  async function loanAt(pupUid: string) {
    const { key, handle, ...booked } = await bookedAt(pupUid);
    await at.installation.people.dropOff(booked.shipmentUid);
    const isInside = async () => (await handle.progress()).shipments.issue?.stateCode === 'ReadyForPickup';
    await vi.waitUntil(isInside, { timeout: 60_000 });
    return { key, ...booked };
  }
  const fault = async (what: object) =>
    await (await sandboxAs(at.installation.service.address))('POST', 'faults', what);
  const newWall = async (lockers: number) => {
    const pupUid = `pup-${randomUUID()}`;
    await at.installation.people.newPickUpPoint(pupUid, lockers);
    return pupUid;
  };

  test('a message is proposed, edited and sent, and the timeline says that it arrived', async () => {
    const { key, lockerName } = await loanAt(await newWall(1));
    const page = await at.opened(`/process/${key}`, 'bram', DESK);
    await page.getByRole('button', { name: 'Message…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Send a message' });
    await dialog.getByText('Anna Jansen').waitFor();
    const field = dialog.getByLabel('Message', { exact: true });
    expect(await field.inputValue()).toContain(`ligt in vak ${lockerName}`);
    await foundNothing(page, 'a message before it is sent');
    await field.fill('Your laptop is ready.');
    await dialog.getByRole('button', { name: 'Send', exact: true }).dblclick();
    await page.getByText(/^told .* ago by bram/).waitFor();
    const row = page.locator('.step-list li', { hasText: 'writes to Anna Jansen: “Your laptop is ready.”' });
    await row.getByText('Delivered').waitFor();
    expect(sent()).toEqual([expect.objectContaining({ text: 'Your laptop is ready.', by: 'bram' })]);
    // After a reload, and for the next person.
    const other = await at.opened(`/process/${key}`, 'olga', DESK);
    await other.getByText(/^told .* ago by bram/).waitFor();
    await other.getByRole('button', { name: 'Message again…' }).waitFor();
    await foundNothing(page, 'a case with a message');
  });

  test('a mechanic is sent to a door that stays shut, from the case and from Work', async () => {
    receiver.requests.length = 0;
    const pupUid = await newWall(1);
    const { key, shipmentUid, lockerName } = await loanAt(pupUid);
    const { lockerUid } = await at.installation.people.call('GetShipment', { shipmentUid });
    await fault({ lockerUid, fault: 'stuck' });
    const page = await at.opened(`/process/${key}`, 'bram', PHONE);
    await page.locator('.trouble').getByRole('button', { name: 'Send a mechanic…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Send a mechanic' });
    const field = dialog.getByLabel('What is wrong');
    await field.waitFor();
    expect(await field.inputValue()).toContain(`The door of locker ${lockerName} stayed shut`);
    // What is wrong says why.
    expect(await dialog.getByLabel('Why').count()).toBe(0);
    await field.fill(`Locker ${lockerName} stayed shut, and Anna stands before it`);
    await fits(page, 390, 'a request for a mechanic');
    await dialog.getByRole('button', { name: 'Send the request' }).click();
    await page.locator('.step-list li', { hasText: 'asks for a mechanic' }).getByText('Delivered').waitFor();
    expect(sent()).toEqual([
      expect.objectContaining({ lockerName, problem: expect.stringContaining('Anna stands before it') }),
    ]);
    const again = 'Ask again for a mechanic…';
    const asked = /bram asked for a mechanic.*Anna stands before it.*Delivered/;
    await page.reload();
    await page.locator('.trouble').getByText(asked).waitFor();
    await page.locator('.trouble').getByRole('button', { name: again }).click();
    const second = page.getByRole('dialog', { name: 'Ask again for a mechanic' });
    await second.getByText('Somebody has sent for one already').waitFor();
    await fits(page, 390, 'a second request for a mechanic');
    await second.getByRole('button', { name: 'Send a second request' }).waitFor();
    // Also to others.
    const other = await at.opened(`/inbox?entry=${encodeURIComponent(`door:${lockerUid}`)}`, 'olga', DESK);
    const entry = other.getByLabel('The chosen entry');
    await entry.getByText(asked).waitFor();
    for (const name of ['Message…', again]) await entry.getByRole('button', { name }).waitFor();
    await other.goto(`${at.tested.address}/walls/${pupUid}?locker=${lockerUid}`);
    await other.getByText(asked).waitFor();
    const panel = other.getByRole('region', { name: 'The chosen locker' });
    await panel.getByRole('button', { name: 'Message…' }).waitFor();
    await other.getByRole('button', { name: again }).click();
    await other.getByText('Somebody has sent for one already').waitFor();
    await foundNothing(other, 'a second request for a mechanic');
  });

  test('of an offline wall all are told at once, and a mechanic is sent to the wall', async () => {
    receiver.requests.length = 0;
    const pupUid = await newWall(3);
    for (let one = 0; one < 2; one++) await loanAt(pupUid);
    await fault({ pupUid, fault: 'offline' });
    const page = await at.opened(
      `/inbox?entry=${encodeURIComponent(`door:${pupUid}:offline`)}`,
      'bram',
      DESK,
    );
    await page.getByRole('button', { name: 'Tell all 2…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Show what would happen' }).click();
    await dialog.getByText(inDutch).first().waitFor();
    await foundNothing(page, 'what two people would be told');
    await dialog.getByRole('button', { name: 'Send for 2 cases now' }).click();
    await dialog.getByText('2 of 2 done').waitFor();
    await vi.waitUntil(() => sent().length === 2, { timeout: 60_000 });
    for (const row of await dialog.locator('tbody tr').all()) await row.getByText('Delivered').waitFor();
    await dialog.getByRole('button', { name: 'Back to the list' }).click();
    // Who comes after does not send it again unknowingly.
    await page.getByText(/^told 2 of 2, .* ago by bram/).waitFor();
    await page.reload();
    const again = page.getByRole('button', { name: 'Tell again…' });
    await again.waitFor();
    expect(await again.getAttribute('class')).toBe('button');
    expect(await page.getByRole('button', { name: 'Tell all 2…' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Send a mechanic…' }).click();
    await page.getByRole('button', { name: 'Send the request' }).click();
    await page.getByText(/bram asked for a mechanic/).waitFor();
    await page.goto(`${at.tested.address}/walls/${pupUid}`);
    await page.getByText(/bram asked for a mechanic.*Delivered/).waitFor();
    // The page of the wall has the same.
    const affected = page.getByRole('region', { name: 'Who is affected' });
    await affected.getByText(/^told 2 of 2, .* ago by bram/).waitFor();
    expect(await affected.getByRole('link', { name: 'for Anna Jansen' }).count()).toBe(2);
    await fits(page, 1280, 'an offline wall');
    await affected.getByRole('button', { name: 'Tell again…' }).click();
    await dialog.getByRole('button', { name: 'Show what would happen' }).click();
    await dialog.getByText(inDutch).first().waitFor();
    await dialog.getByText('told 2 of 2').waitFor();
    await foundNothing(page, 'what two people would be told, at the wall');
    // That others were told something else since is no reason to tell these again.
    const { key } = await loanAt(await newWall(1));
    const cookie = await at.tested.cookieOf('bram');
    const others = { command: 'message', fields: { text: 'Please call us.' }, keys: [key] };
    expect((await at.tested.post('/v1/batches', others, { cookie })).status).toBe(202);
    await vi.waitUntil(() => sent().length === 3, { timeout: 60_000 });
    await page.reload();
    await affected.getByText('told 2 of 2').waitFor();
    await affected.getByRole('button', { name: 'Tell again…' }).waitFor();
    // Who was told alone is told, too; who came since was not.
    const third = await bookedAt(pupUid);
    await affected.getByText('told 2 of 3').waitFor();
    await affected.getByRole('button', { name: 'Tell the other 1…' }).waitFor();
    const path = `/v1/processes/${third.key}/commands/message`;
    expect((await at.tested.post(path, { text: 'Not yet.' }, { cookie })).status).toBe(200);
    await affected.getByText('told 3 of 3').waitFor();
  });

  test('whom an item is for that no case follows is told at the wall, and the next person sees that', async () => {
    receiver.requests.length = 0;
    const pupUid = await newWall(1);
    const { people } = at.installation;
    const { shipmentUids } = await people.call('CreateLocalShipmentAsIssue', { ...issueRequest, pupUid });
    const [shipmentUid = ''] = shipmentUids as readonly string[];
    await people.dropOff(shipmentUid);
    await fault({ pupUid, fault: 'offline' });
    const page = await at.opened(`/walls/${pupUid}`, 'bram', PHONE);
    const affected = page.getByRole('region', { name: 'Who is affected' });
    await affected.getByRole('button', { name: 'Message…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Send a message' });
    await dialog.getByText('Anna Jansen').waitFor();
    expect(await dialog.getByLabel('Message', { exact: true }).inputValue()).toContain(inDutch);
    await dialog.getByRole('button', { name: 'Send', exact: true }).click();
    await affected.getByText(/bram sent a message.*Delivered/).waitFor();
    await fits(page, 390, 'an item that no case follows, with a message');
    expect(sent()).toEqual([expect.objectContaining({ key: null, text: expect.stringContaining(inDutch) })]);
    const other = await at.opened(`/walls/${pupUid}`, 'olga', DESK);
    await other.getByText(/bram sent a message.*Delivered/).waitFor();
    await other.getByRole('button', { name: 'Message again…' }).click();
    await other.getByRole('dialog').getByText('Somebody has sent one already').waitFor();
    await foundNothing(other, 'a second message about an item that no case follows');
    const looking = await at.opened(`/walls/${pupUid}`, 'anna', DESK);
    await looking.getByRole('region', { name: 'Who is affected' }).waitFor();
    expect(await looking.getByRole('button', { name: 'Message…' }).count()).toBe(0);
  });

  test('where nothing can be proposed, the dialogs say that somebody must write the text', async () => {
    const pupUid = await newWall(2);
    const { key } = await loanAt(pupUid);
    await loanAt(pupUid);
    const page = await at.opened('/', 'bram', DESK);
    const to = { userUid: 'user-anna', name: 'Anna Jansen' };
    await page.route('**/commands/message?dryRun=true', (route) =>
      route.fulfill({ json: { refusal: null, consequence: { to, text: null }, words: 'to Anna Jansen' } }),
    );
    await page.goto(`${at.tested.address}/process/${key}`);
    await page.getByRole('button', { name: 'Message…' }).click();
    const dialog = page.getByRole('dialog');
    const words = 'Nothing is known that could be proposed: somebody must write the text.';
    await dialog.getByText(words).waitFor();
    await fault({ pupUid, fault: 'offline' });
    await page.goto(`${at.tested.address}/walls/${pupUid}`);
    await page.getByRole('button', { name: 'Tell all 2…' }).click();
    await dialog.getByRole('button', { name: 'Show what would happen' }).click();
    await dialog.getByText('0 can be told, and 2 cannot').waitFor();
    expect(await dialog.getByText(words).count()).toBe(2);
    expect(await dialog.getByRole('button', { name: /^Send for/ }).count()).toBe(0);
  });

  test('on the page of a person a case and what it has started have one message', async () => {
    const { key } = await loanAt(await newWall(1));
    const page = await at.opened('/', 'bram', DESK);
    await page.route('**/v1/processes?*state=open*', async (route) => {
      const response = await route.fetch();
      const json = (await response.json()) as { items: { key: string }[] };
      const items = json.items.filter((each) => each.key === key);
      const started = items.map((each) => ({ ...each, key: `${key}-of-it`, runId: 'of it', parent: key }));
      await route.fulfill({ response, json: { ...json, items: [...items, ...started] } });
    });
    await page.goto(`${at.tested.address}/people/user-anna`);
    const messages = page.getByRole('region', { name: 'Messages' });
    await messages.getByRole('button', { name: 'Message…' }).first().waitFor();
    expect(await messages.getByRole('button', { name: 'Message…' }).count()).toBe(1);
    const cookie = await at.tested.cookieOf('olga');
    const path = `/v1/processes/${key}/commands/message`;
    expect((await at.tested.post(path, { text: 'It is Tuesday.' }, { cookie })).status).toBe(200);
    const sentBefore = page.getByRole('region', { name: 'Messages sent' });
    await sentBefore.getByText(/olga sent a message.*It is Tuesday\..*Delivered/).waitFor();
    await messages.getByRole('button', { name: 'Message again…' }).waitFor();
    const person = await at.opened('/', 'bram', DESK);
    // As long as most keys of other programs: it fills the line that its flow's name is on.
    const longKey = `order-${randomUUID()}`;
    await person.route('**/v1/processes?*state=open*', async (route) => {
      const response = await route.fetch();
      const json = (await response.json()) as { items: { key: string }[] };
      const items = json.items.map((each) => ({ ...each, key: longKey, caseNo: longKey }));
      await route.fulfill({ response, json: { ...json, items: items.slice(0, 1) } });
    });
    await person.goto(`${at.tested.address}/people/user-anna`);
    await person.getByRole('region', { name: 'Messages sent' }).waitFor();
    await person.getByText(longKey).first().waitFor();
    await foundNothing(person, 'a person to whom somebody has written');
    // They ask again and again, also while they are closed.
    for (const each of [page, person]) await each.unrouteAll({ behavior: 'ignoreErrors' });
  });

  test('without a connector, and for who may only look, there are no such buttons', async () => {
    const pupUid = await newWall(1);
    const { key } = await loanAt(pupUid);
    await fault({ pupUid, fault: 'offline' });
    await using without = await newConsoleOf(at.installation);
    const pages = [
      await without.pageOf(at.browser, 'bram', `/process/${key}`, DESK),
      await at.opened(`/process/${key}`, 'anna', DESK),
    ];
    for (const page of pages) {
      await page.locator('.trouble').waitFor();
      await page.getByText('What happened', { exact: true }).waitFor();
      for (const name of ['Message…', 'Send a mechanic…'])
        expect(await page.getByRole('button', { name }).count(), name).toBe(0);
    }
  });
});
