// A process that goes by the sandbox's clock, in a real browser with everything real: list, inbox, wall and steps count by that
// clock, and say what moved it. With SCREENSHOTS=<folder> it leaves pictures there.
import { randomUUID } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { SandboxClocks } from '../../../client/sandbox-clock.ts';
import { LockerApi } from '../../../shared/locker-api/index.ts';
import { issueRequest } from '../../console/console-world.ts';
import { describeInBrowser, PAGE_MS, says } from '../../console/in-browser.ts';
import { credentials } from '../../end-to-end/installation.ts';
import { picture } from '../../support/chromium.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const PUP = 'pup-console-clock';
// The page draws what is days away again each minute.
const AT_ONCE_MS = 30_000;

const asking = (name: string) => `
name: ${name}
meaning: Asks the desk.
initial: asked
states:
  asked:
    invoke:
      src: ask
      input: { of: desk, question: "Is it whole?", fields: { whole: { type: yesNo } } }
      onDone: over
  over: { type: final }
`;

describeInBrowser({}, (at) => {
  test('remaining time and age are counted by the clock of the process, and its steps say what moved the clock', async () => {
    const key = 'by-the-sandbox';
    const { flows, people, client, service } = at.installation;
    const { address } = service;
    await using api = new LockerApi({ apiUrl: address, authUrl: address, ...credentials });
    const clocks = new SandboxClocks(client, (change) => api.sandboxClock(change));
    await people.newPickUpPoint(PUP, 12);
    const handle = await flows.start('Issue', key, {
      clock: 'sandbox',
      deadlines: { issue: { dropOff: 'P3D' } },
      request: { ...issueRequest, pupUid: PUP },
    });
    const asks = `Asks${randomUUID().slice(0, 8)}`;
    await flows.publish([{ path: 'asks.flow.yaml', text: asking(asks) }]);
    const { shipmentUid } = await vi.waitUntil(async () => (await handle.progress()).shipments.issue, {
      timeout: PAGE_MS,
    });
    await vi.waitUntil(async () => (await handle.progress()).deadlines.length > 0, { timeout: PAGE_MS });

    const list = await at.opened(`/processes?pickUpPoint=${PUP}`);
    const row = `tr[data-key="${key}"]`;
    await says(list, row, /in 3 days/);
    await clocks.advance(2 * DAY);
    await says(list, row, /tomorrow, /);
    await picture(list, 'clock-list.png');

    await handle.extendDeadline({ role: 'issue', stage: 'dropOff', fromNow: 'P2D' });
    // At once, and not with the next minute of the page.
    await says(list, row, /in 2 days/, AT_ONCE_MS);
    await clocks.advance(3 * DAY);
    await says(list, row, /overdue/);
    await says(list, row, /1 d ago/);

    const steps = await at.opened(`/process/${key}`, 'bram', {
      viewport: { width: 1280, height: 1800 },
    });
    await says(steps, '.step-list', /The deadline for the delivery to be dropped off is extended: .* → /);
    await says(steps, '.step-list', /The sandbox's clock is moved: \d d \d+ h ahead of the real/);
    expect(await steps.locator('.step-list').innerText()).not.toContain('moveClock');
    await picture(steps.locator('.sides'), 'clock-steps.png');

    // Of the service: it goes by the same clock.
    await people.dropOff(shipmentUid);
    const wall = await at.opened(`/walls/${PUP}`);
    await wall.locator('.tile', { hasText: 'to be picked up' }).click({ timeout: PAGE_MS });
    await says(wall, '.held', /\(\d+ (s|min) ago\)/);
    await picture(wall, 'clock-wall.png');

    await vi.waitUntil(
      async () => (await handle.progress()).shipments.issue?.stateCode === 'ReadyForPickup',
      { timeout: PAGE_MS },
    );
    await handle.cancel();
    await handle.result().catch(() => undefined);
    await flows.startPublished(asks, `asked-${asks}`, { request: {}, clock: 'sandbox' });
    const inbox = await at.opened('/inbox');
    const own = [`li[data-kind="itemLeft"]:has-text("${PUP}")`, `li:has-text("asked-${asks}")`];
    for (const entry of own) await says(inbox, entry, /\b\d+ (s|min) ago/);
    await picture(inbox, 'clock-inbox.png');
  });
});
