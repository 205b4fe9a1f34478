// Every view of the console in a real Chromium, with texts from others that are no mere texts: stored as the service and Temporal
// take them, and looked at by the policy of the page.
import type { Page } from 'playwright-core';
import { expect, test, vi } from 'vitest';
import { ensureLockers } from '../../../service/administration/lockers.ts';
import { ensurePickUpPoint } from '../../../service/administration/pick-up-points.ts';
import { tenantIdOf } from '../../../service/administration/tenants.ts';
import { inTransaction } from '../../../service/storage/transaction.ts';
import { issueRequest } from '../../console/console-world.ts';
import { describeInBrowser, type InBrowser, PAGE_MS } from '../../console/in-browser.ts';
import { hostileMarkdown, hostileTexts } from '../../support/hostile-texts.ts';
import { insides } from '../../support/new-pick-up-point.ts';

// As the service and Temporal take them: neither NUL nor half a character.
const texts = [...hostileTexts, ...hostileMarkdown, 'x'.repeat(1_900)].map((text) =>
  text.toWellFormed().replaceAll('\0', ''),
);
const ALL = texts.join(' ');
// In a file it is an expression.
const written = (text: string) => text.replaceAll('$\u007b', '$ \u007b');
const FLOW = 'HostileTexts';
const PUP_UID = 'pup-"><img src=x onerror=window.taken=1>\u202e';

const flowFile = {
  name: FLOW,
  title: texts[0],
  meaning: written(ALL),
  input: {
    type: 'object',
    properties: { item: { type: 'string', title: texts[1], description: written(ALL) } },
  },
  initial: 'asked',
  states: {
    asked: {
      title: texts[0],
      description: written(ALL),
      invoke: {
        id: 'asking',
        src: 'ask',
        input: {
          of: 'desk',
          question: '$\u007binput.item}',
          fields: {
            choice: { choice: texts.slice(0, 9).map(written), label: written(ALL).slice(0, 200) },
            note: { type: 'text', optional: true, label: texts[2] },
          },
        },
        onDone: 'over',
      },
    },
    over: { type: 'final', title: texts[0] },
  },
};

async function begin({ installation }: InBrowser): Promise<void> {
  const { people, flows } = installation;
  await inTransaction(people.database, async (transaction) => {
    const tenantId = await tenantIdOf(transaction, 'demo');
    await ensurePickUpPoint(transaction, tenantId, {
      pupUid: PUP_UID,
      name: ALL,
      timeZone: 'Europe/Amsterdam',
      city: ALL,
      countryCode: 'NL',
    });
    const lockers = texts.map((lockerName, index) => ({
      lockerUid: `${index} ${lockerName}`.slice(0, 200),
      lockerName,
    }));
    await ensureLockers(transaction, tenantId, PUP_UID, [{ size: texts[1] ?? '', ...insides.L, lockers }]);
  });
  await flows.publish([{ path: 'hostile.flow.json', text: JSON.stringify(flowFile) }]);
  for (const [index, text] of texts.entries()) {
    const { userUid } = await people.call('CreateAccount', {
      emailAddress: `hostile-${index}@example.com`,
      firstName: text,
      lastName: text,
      city: text,
      pickUpPointUid: PUP_UID,
    });
    const details = { referenceNo: text, referenceCaseNo: text.slice(0, 200), description: text };
    const who = { by: text.slice(0, 200), why: text };
    await flows.start(
      'Issue',
      keyOf('booked', text),
      {
        request: { ...issueRequest, pupUid: PUP_UID, toUserUid: String(userUid), details },
      },
      who,
    );
    await flows.startPublished(FLOW, keyOf('asked', text), { request: { item: text } }, who);
    const asked = flows.fileHandle(keyOf('asked', text));
    await vi.waitUntil(async () => (await asked.progress()).version > 0, { timeout: 60_000, interval: 50 });
    await asked.note({ ...who, text: text.slice(0, 500) });
    await flows.fileHandle(keyOf('asked', text)).sendEvent({
      type: text.slice(0, 100) || 'x',
      id: text.slice(0, 100),
      data: { [text.slice(0, 50)]: text },
    } as never);
  }
}

const keyOf = (kind: string, text: string): string => `${text.slice(0, 180)} ${kind}`;

describeInBrowser({ begin }, (at) => {
  test('every view shows them as texts', async () => {
    const page = await at.opened('/', 'olga', { bypassCSP: false });
    const wrong: string[] = [];
    // What is not there, or cannot be searched for, is refused in words.
    page.on(
      'response',
      (answer) => answer.status() >= 500 && wrong.push(`${answer.status()} ${answer.url()}`),
    );
    page.on('pageerror', ({ message }) => wrong.push(message));
    page.on(
      'console',
      (message) =>
        message.type() === 'error' &&
        !message.text().startsWith('Failed to load resource') &&
        wrong.push(message.text()),
    );
    page.on('dialog', (dialog) => wrong.push(dialog.message()));
    page.on('popup', (popup) => wrong.push(popup.url()));
    let count = 0;
    const seen = async (path: string, ready: string) => {
      await page.goto(at.tested.address + path);
      await page.locator(ready).first().waitFor({ timeout: PAGE_MS });
      expect.soft(await foundIn(page), path).toEqual(nothing);
      count += 1;
    };
    await seen('/', '.entries a');
    await seen('/inbox', '.inbox a');
    for (const entry of await page
      .locator('.inbox a')
      .evaluateAll((all) => all.map((each) => each.getAttribute('href') ?? '')))
      await seen(entry, 'section.entry');
    await seen('/processes', 'tr[data-key]');
    await seen(`/processes?find=${encodeURIComponent(ALL.slice(0, 150))}`, 'main h1');
    await seen('/flows', `tr[data-flow="${FLOW}"]`);
    await seen(`/flows/${FLOW}`, 'main h1');
    await seen('/desk', 'dl a');
    await seen(`/desk/start/${FLOW}`, 'form');
    await seen('/walls', '.wall-card a');
    await seen(`/walls/${encodeURIComponent(PUP_UID)}`, 'button.tile');
    for (const [index, text] of texts.entries()) {
      await seen(
        `/walls/${encodeURIComponent(PUP_UID)}?locker=${encodeURIComponent(`${index} ${text}`.slice(0, 200))}`,
        'button.tile',
      );
      for (const kind of ['booked', 'asked'])
        await seen(`/process/${encodeURIComponent(keyOf(kind, text))}?machine=open`, '.process-head');
      await seen(`/flows/${encodeURIComponent(text)}`, 'main');
      await seen(`/no-such-page/${encodeURIComponent(text)}`, 'main h1');
    }
    expect(count).toBeGreaterThan(texts.length * 6);
    expect(wrong).toEqual([]);
    for (const url of at.tested.asked) expect(new URL(url).origin).toBe(at.tested.address);
  });
});

const nothing = { taken: undefined, elements: [], handlers: [], links: [], obeyed: [], sticksOut: [] };

/** What a text has become that is no text. */
const foundIn = (page: Page): Promise<unknown> =>
  page.evaluate(`(() => {
    const all = [...document.body.querySelectorAll('*')];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const obeyed = new Set();
    for (let node = walker.nextNode(); node; node = walker.nextNode())
      if (/(?![\\t\\n\\r])\\p{Cc}|[\\u202a-\\u202e\\u2066-\\u2069]/u.test(node.data)) obeyed.add(node.parentElement.outerHTML.slice(0, 150));
    if (/\\p{Cc}|[\\u202a-\\u202e\\u2066-\\u2069]/u.test(document.title)) obeyed.add('title');
    return {
      taken: window.taken,
      elements: all.filter((each) => each.matches('script, style, iframe, base, svg:not([aria-hidden="true"][viewBox="0 0 16 16"]), img:not([src^="/v1/processes/"])'))
        .map((each) => each.outerHTML.slice(0, 200)),
      handlers: all.filter((each) => each.getAttributeNames().some((name) => name.startsWith('on')))
        .map((each) => each.outerHTML.slice(0, 200)),
      links: all.filter((each) => each.href && !each.href.startsWith(location.origin) && !each.href.startsWith('http://127.0.0.1:'))
        .map((each) => each.href),
      obeyed: [...obeyed].slice(0, 12),
      sticksOut: document.documentElement.scrollWidth <= innerWidth ? [] : all.filter((each) => each.getBoundingClientRect().right > innerWidth).map((each) => each.outerHTML.slice(0, 100)).slice(-3),
    };
  })()`);
