// The kiosk in a real Chromium, with a peer as the service: by finger and by keyboard, open to everybody (axe),
// and silent towards every other site.
import type { Browser, BrowserContextOptions, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { foundByAxe } from '../../../service/simulated-wall/axe.ts';
import {
  advanceClock,
  openWithoutHaste,
  says,
  withFinger,
  withKeyboard,
} from '../../../service/simulated-wall/person-at-kiosk.ts';
import type { ProtocolPeer } from '../../../service/simulated-wall/protocol-peer.ts';
import { type TestWalls, wallAndPeer } from '../../../service/simulated-wall/start-walls.ts';
import { chromiumPath, launchChromium, noChromium } from '../../../support/chromium.ts';

const executablePath = chromiumPath();
const people = { finger: withFinger, keyboard: withKeyboard };
/** A page that is opened, and shows nothing yet. */
const NOT_YET = 'about:blank';
const kiosk = { viewport: { width: 1080, height: 1920 }, hasTouch: true } as const;

describe.skipIf(!executablePath)(`in a browser (${executablePath ?? noChromium})`, () => {
  const stack = new AsyncDisposableStack();
  let walls: TestWalls;
  let peer: ProtocolPeer;
  let browser: Browser;
  let commands = 0;

  beforeAll(async () => {
    ({ walls, peer } = await wallAndPeer(stack));
    browser = await launchChromium(executablePath ?? '');
    stack.defer(() => browser.close());
    // The codes 1000 + n and 2000 + n open locker n, to take out and to put in; every other one is wrong.
    peer.onCode = ({ id, code }) => {
      const lockerUid = `pup-1-${Number(code) % 1_000}`;
      if (!peer.lockers.some((locker) => locker.lockerUid === lockerUid))
        return peer.say({ type: 'codeAnswered', id, opens: null, error: 'InvalidAccessCode' });
      commands += 1;
      const opens = {
        lockerUid,
        commandId: `c-${commands}`,
        goal: Number(code) < 2_000 ? 'PickUp' : 'DropOff',
        languageCode: null,
      } as const;
      peer.say({ type: 'codeAnswered', id, opens });
      peer.openDoor(opens.commandId, lockerUid);
    };
  });
  afterAll(() => stack.disposeAsync());

  /** A page of its own, and every address that it asked. */
  async function opened(path = '/walls/pup-1', options: BrowserContextOptions = {}) {
    const context = await browser.newContext({ ...kiosk, locale: 'en-GB', ...options });
    context.setDefaultTimeout(120_000);
    onTestFinished(() => context.close());
    const page = await context.newPage();
    const asked: string[] = [];
    const wrong: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    page.on('console', (line) => line.type() === 'error' && wrong.push(line.text()));
    page.on('pageerror', (error) => wrong.push(error.message));
    if (path !== NOT_YET) await openWithoutHaste(page, `${walls.address}${path}`);
    return { page, asked, wrong };
  }

  const door = (page: Page, name: string) => page.locator(`li[data-locker="${name}"]`);

  test.each(['finger', 'keyboard'] as const)(
    'a person with a %s opens, fills, empties and closes a door',
    async (kind) => {
      const { page, asked, wrong } = await opened();
      const person = people[kind](page);
      await person.type('1001');
      await says(page, 'status', 'Locker 1 is open');
      // A screen reader goes on where the person does.
      await expect.poll(() => page.locator(':focus').innerText()).toBe('Locker 1 is open');
      expect(walls.door('pup-1-1').door).toBe('open');
      await person.press(/^Put it in/);
      await expect.poll(() => door(page, '1').innerText()).toContain('There is something in it.');
      await person.press(/^Take it out/);
      await expect.poll(() => door(page, '1').innerText()).toContain('The locker is empty.');
      await person.press(/^Close the door/);
      await says(page, 'status', 'Locker 1 is closed. Thank you.');
      expect(walls.door('pup-1-1')).toMatchObject({ door: 'closed', item: false });
      await expect.poll(() => page.locator(':focus').getAttribute('id')).toBe('again');
      await advanceClock(page, 10);
      await expect.poll(() => page.locator(':focus').getAttribute('id')).toBe('code');
      for (const url of asked) expect(new URL(url).origin).toBe(walls.address);
      expect(wrong).toEqual([]);
    },
  );

  test.each(['finger', 'keyboard'] as const)(
    'a person with a %s is told of a wrong code, and corrects it',
    async (kind) => {
      const { page } = await opened();
      const person = people[kind](page);
      await person.type('999');
      await says(page, 'alert', 'This code opens no door now');
      expect(await page.locator('#code').inputValue()).toBe('');
      if (kind === 'finger') {
        await person.press('Back to the start');
        for (const key of ['1', '0', '0', '9', 'Erase a digit']) await person.press(key);
      }
      await person.type(kind === 'finger' ? '2' : '1002');
      await says(page, 'status', 'Locker 2 is open');
      await person.press(/^Close the door/);
      await says(page, 'status', 'Locker 2 is closed');
    },
  );

  test.each([
    ['Stuck', 'The door of locker 3 does not open'],
    ['SaysOpened', 'Locker 3 should be open'],
  ] as const)('the fault %s is told to the person, and whom to call', async (fault, text) => {
    const { page } = await opened();
    walls.wall().setFault('pup-1-3', fault);
    await withFinger(page).type('1003');
    await says(page, 'alert', text);
    await page.getByText('Do you need help? Ask the staff.').waitFor();
    walls.wall().setFault('pup-1-3', 'None');
    walls.wall().close('pup-1-3');
  });

  test('without a connection the kiosk says so, and works again after it', async () => {
    const { page } = await opened();
    walls.wall().plugIn(false);
    await expect.poll(() => walls.wall().view().isConnected).toBe(false);
    await withKeyboard(page).type('1001');
    await says(page, 'alert', 'There is no connection');
    walls.wall().plugIn(true);
    await expect.poll(() => walls.wall().view().isConnected).toBe(true);
    await withKeyboard(page).type('1001');
    await says(page, 'status', 'Locker 1 is open');
    walls.wall().close('pup-1-1');
  });

  test('what the kiosk said of a code stays, also when it sees the wall late or loses sight of it', async () => {
    const { page } = await opened(NOT_YET);
    const streams: Route[] = [];
    await page.route('**/events', (route) => streams.push(route));
    await openWithoutHaste(page, `${walls.address}/walls/pup-1`);
    await withKeyboard(page).type('1001');
    await says(page, 'status', 'Locker 1 is open');
    // One view, and then its end.
    const view = `retry: 10\n\ndata: ${JSON.stringify(walls.wall().view())}\n\n`;
    await streams[0]?.fulfill({ contentType: 'text/event-stream', body: view });
    await says(page, 'alert', 'This screen has no connection');
    await expect.poll(() => streams.length).toBe(2);
    await streams[1]?.continue();
    await says(page, 'status', 'Locker 1 is open');
    await door(page, '1').waitFor();
    walls.wall().close('pup-1-1');
  });

  test('an empty code is not sent', async () => {
    const { page } = await opened();
    const before = peer.of('codeTyped').length;
    await page.locator('#enter').tap();
    await says(page, 'alert', 'Enter your code first.');
    expect(peer.of('codeTyped')).toHaveLength(before);
  });

  test('a person who closes the door by hand, and has left the item, is told', async () => {
    const { page } = await opened();
    const person = withFinger(page);
    await person.type('2001');
    await person.press(/^Put it in/);
    await expect.poll(() => walls.door('pup-1-1').item).toBe(true);
    walls.wall().close('pup-1-1');
    await says(page, 'status', 'Locker 1 is closed. Thank you.');
    await person.type('1001');
    await door(page, '1').waitFor();
    walls.wall().close('pup-1-1');
    await says(page, 'status', 'There is something in it.');
    walls.wall().openWithKey('pup-1-1');
    walls.wall().moveItem('pup-1-1', false);
    walls.wall().close('pup-1-1');
  });

  test('an outcome goes back to the start in a few seconds, and later if somebody touches it', async () => {
    const { page } = await opened();
    const heading = () => page.locator('h1:visible').innerText();
    await withFinger(page).type('999');
    await expect.poll(heading).toBe('This code opens no door now.');
    await advanceClock(page, 14);
    await expect.poll(() => page.locator('#again-seconds').innerText()).toBe(' (1)');
    await page.mouse.click(5, 5);
    await advanceClock(page, 14);
    await expect.poll(() => page.locator('#again-seconds').innerText()).toBe(' (1)');
    expect(await heading()).toBe('This code opens no door now.');
    await advanceClock(page, 1);
    await expect.poll(heading).toBe('Enter your code');
  });

  test('what somebody has begun to type is gone when they are', async () => {
    const { page } = await opened();
    await withFinger(page).press('7');
    await advanceClock(page, 59);
    await expect.poll(() => page.locator('#again-seconds').textContent()).toBe(' (1)');
    expect(await page.locator('#code').inputValue()).toBe('7');
    await advanceClock(page, 2);
    await expect.poll(() => page.locator('#code').inputValue()).toBe('');
    await expect.poll(() => page.locator('h1:visible').innerText()).toBe('Enter your code');
  });

  test('after too many wrong codes there is a pause, counted down, in which nobody can type', async () => {
    const { page } = await opened('/walls/pup-1', { bypassCSP: true });
    const usual = peer.onCode;
    peer.onCode = ({ id }) => {
      const retryAt = new Date(Date.now() + 3_600_000).toISOString();
      peer.say({ type: 'codeAnswered', id, opens: null, error: 'RateLimitExceeded', retryAt });
    };
    await withFinger(page).type('999');
    await says(page, 'alert', 'Too many wrong codes were entered.');
    peer.onCode = usual;
    const minutesLeft = async () => Number(/in (\d+):\d\d\.$/.exec(await timer.innerText())?.[1]);
    const timer = page.getByRole('timer');
    // The answer was on its way for a while.
    const before = await minutesLeft();
    expect(before).toBeGreaterThan(30);
    expect(await foundByAxe(page)).toEqual([]);
    await page.keyboard.press('1');
    await page.mouse.click(5, 5);
    await advanceClock(page, 600);
    await expect.poll(minutesLeft).toBe(before - 10);
    expect(await page.locator('#typing').isVisible()).toBe(false);
    await advanceClock(page, 3_600);
    await expect.poll(() => page.locator('h1:visible').innerText()).toBe('Enter your code');
  });

  test('axe finds nothing in the kiosk', async () => {
    const { page } = await opened('/walls/pup-1', { bypassCSP: true });
    expect(await foundByAxe(page)).toEqual([]);
    await withFinger(page).type('999');
    await says(page, 'alert', 'Check the code and enter it again.');
    expect(await foundByAxe(page)).toEqual([]);
    for (const name of ['1', '2']) {
      await withFinger(page).type(`100${name}`);
      await door(page, name).waitFor();
      expect(await foundByAxe(page)).toEqual([]);
    }
    await page.locator('#again').tap();
    await expect.poll(() => page.locator('#open-doors li:visible').count()).toBe(2);
    expect(await foundByAxe(page)).toEqual([]);
    for (const uid of ['pup-1-1', 'pup-1-2']) walls.wall().close(uid);
  });

  test.each([
    ['the list of the walls', '/', 'Kiosk of Central'],
    ['the doors of a wall', '/walls/pup-1/doors', 'Open door 1 with a key'],
  ])('axe finds nothing in %s', async (_page, path, text) => {
    const { page, wrong } = await opened(path, { bypassCSP: true });
    await page.getByText(text).waitFor();
    expect(await foundByAxe(page)).toEqual([]);
    expect(wrong).toEqual([]);
  });

  test('on a small screen nothing is beside the edge, and every button is large enough for a finger', async () => {
    const { page } = await opened('/walls/pup-1', { viewport: { width: 320, height: 640 } });
    const fits = async () => {
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
      for (const button of await page.getByRole('button').all()) {
        const { width = 0, height = 0 } = (await button.boundingBox()) ?? {};
        expect(Math.min(width, height), await button.innerText()).toBeGreaterThanOrEqual(44);
      }
    };
    walls.wall().openWithKey('pup-1-1');
    await door(page, '1').waitFor();
    await fits();
    walls.wall().close('pup-1-1');
    await withFinger(page).type('999');
    await says(page, 'alert', 'This code opens no door now.');
    await fits();
    await withFinger(page).type('2002');
    await door(page, '2').waitFor();
    await fits();
    walls.wall().close('pup-1-2');
  });

  test('the page of the doors sets a fault, opens with a key, and pulls out the cable', async () => {
    const { page } = await opened('/walls/pup-1/doors');
    await page.getByLabel('Fault of locker 2').selectOption('Stuck');
    await expect.poll(() => walls.door('pup-1-2').fault).toBe('Stuck');
    await page.getByRole('button', { name: 'Open door 2 with a key' }).click();
    await page.getByRole('button', { name: 'Shut door 2' }).click();
    await expect.poll(() => walls.door('pup-1-2').door).toBe('closed');
    await page.getByRole('button', { name: 'Pull out the network cable' }).click();
    await says(page, 'status', 'Not connected to the service.');
    await page.getByRole('button', { name: 'Plug in the network cable' }).click();
    await says(page, 'status', 'Connected.');
    walls.wall().setFault('pup-1-2', 'None');
  });
});
