// The flagship flow with everything real, played at the kiosk alone: a device comes into stock, Anna takes it, brings it back,
// and it is stock again. Once with a finger alone, once with the keyboard alone, in a real Chromium; the wall speaks to the
// service by the wall protocol, and nothing else opens a door.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Installation, ourService, startInstallation } from '../../../end-to-end/installation.ts';
import { foundByAxe } from '../../../service/simulated-wall/axe.ts';
import {
  openWithoutHaste,
  type PersonAtKiosk,
  says,
  withFinger,
  withKeyboard,
} from '../../../service/simulated-wall/person-at-kiosk.ts';
import { newTestWalls, type TestWalls } from '../../../service/simulated-wall/start-walls.ts';
import { chromiumPath, launchChromium, noChromium } from '../../../support/chromium.ts';
import { newWall } from '../../../support/walls/new-wall.ts';

const executablePath = chromiumPath();
const people = { finger: withFinger, keyboard: withKeyboard };
const PUP = 'pup-central';
// Everything, and a browser, on two cores that other tests keep busy.
const PATIENCE_MS = 300_000;

describe.skipIf(!executablePath)(`in a browser (${executablePath ?? noChromium})`, () => {
  const stack = new AsyncDisposableStack();
  let installation: Installation;
  let walls: TestWalls;
  let browser: Browser;

  beforeAll(async () => {
    installation = stack.use(await startInstallation(ourService));
    walls = stack.use(await newTestWalls(installation.service.address));
    const credentials = await newWall(installation.service.url, 'demo', PUP);
    await walls.start([credentials]);
    browser = await launchChromium(executablePath ?? '');
    stack.defer(() => browser.close());
  }, PATIENCE_MS);
  afterAll(() => stack.disposeAsync());

  async function openedKiosk(): Promise<Page> {
    await expect.poll(() => walls.wall(PUP).view().isConnected).toBe(true);
    const context = await browser.newContext({ hasTouch: true, bypassCSP: true });
    context.setDefaultTimeout(120_000);
    onTestFinished(() => context.close());
    const page = await context.newPage();
    await openWithoutHaste(page, `${walls.address}/walls/${PUP}`);
    return page;
  }

  async function atTheKiosk(
    person: PersonAtKiosk,
    shipmentUid: string,
    code: 'deliveryCode' | 'pickUpCode',
  ): Promise<void> {
    const codes = await installation.people.call('GetShipmentAccessCode', { shipmentUid });
    await person.type(String(codes[code]));
    const { lockerName } = await lockerOf(shipmentUid);
    await says(person.page, 'status', `Locker ${lockerName} is open`);
    const [now, button, inside] =
      code === 'deliveryCode'
        ? (['Put your item in.', /^Put it in/, 'There is something in it.'] as const)
        : (['Take your item out.', /^Take it out/, 'The locker is empty.'] as const);
    const card = () => person.page.locator('#open-doors').innerText();
    await expect.poll(card).toContain(now);
    await person.press(button);
    await expect.poll(card).toContain(inside);
    await person.press(/^Close the door/);
    await says(person.page, 'status', `Locker ${lockerName} is closed`);
  }

  async function lockerOf(shipmentUid: string) {
    const { items } = await installation.people.call('GetShipments', { shipmentUid, pageNo: 1, pageSize: 1 });
    const [{ lockerName } = { lockerName: '' }] = items as readonly { readonly lockerName: string }[];
    const locker = walls
      .wall(PUP)
      .view()
      .lockers.find((each) => each.lockerName === lockerName);
    return { lockerName, ...locker };
  }

  test.each(['finger', 'keyboard'] as const)(
    'the flagship flow is played with the %s alone',
    async (kind) => {
      const page = await openedKiosk();
      const person = people[kind](page);
      const { shipmentUids } = await installation.people.call('CreateLocalShipmentAsStock', {
        pupUid: PUP,
        allowLargerLockers: true,
        allowOverflowLockers: false,
        dimension: { width: 10, height: 10, length: 10 },
      });
      const [device = ''] = shipmentUids as readonly string[];
      await atTheKiosk(person, device, 'deliveryCode');
      const flow = await installation.flows.start(
        'IssueFromStockAndSubsequentIntakeAndCircularStock',
        `at-the-kiosk-${kind}`,
        { request: { priorShipmentUid: device, toUserUid: 'user-anna' } },
      );
      for await (const { shipments } of flow.follow({ everyMs: 200 })) {
        const { issue, intake } = shipments;
        if (issue?.stateCode === 'ReadyForPickup' && (await lockerOf(device)).item)
          await atTheKiosk(person, device, 'pickUpCode');
        if (intake?.stateCode === 'ReadyForDropoff' && !(await lockerOf(device)).item)
          await atTheKiosk(person, intake.shipmentUid, 'deliveryCode');
      }
      expect(await flow.result()).toMatchObject({
        outcome: 'Done',
        shipments: {
          issue: { stateCode: 'Completed' },
          intake: { stateCode: 'Completed' },
          circularStock: { stateCode: 'ReadyForPickup' },
        },
      });
      // It lies in the locker that it was taken from.
      expect(await lockerOf(device)).toMatchObject({ item: true, door: 'closed', contact: 'closed' });
      expect(await foundByAxe(page)).toEqual([]);
    },
    PATIENCE_MS,
  );

  test('a code that opens nothing now is refused at the kiosk, in words', async () => {
    const page = await openedKiosk();
    await withFinger(page).type('000000');
    await says(page, 'alert', 'This code opens no door now.');
  });
});
