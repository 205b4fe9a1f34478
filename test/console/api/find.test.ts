// The search of everything, with everything real behind it: people by what their accounts have, items and cases by what an e-mail
// quotes, business data, lockers; open and ended; and nobody who may only look learns about people.
import { randomUUID } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import type { Found } from '../../../console/find/find-view.ts';
import type { ProcessPage } from '../../../processes/views/process-list.ts';
import { ourService } from '../../end-to-end/installation.ts';
import { useInstallation } from '../../end-to-end/use-installation.ts';
import { issueRequest, type Name, readAs, useConsoleOf } from '../console-world.ts';
import { codeOf, useProgram } from './program.ts';

const installation = useInstallation(ourService);
const server = useConsoleOf(installation);
const program = useProgram(server, installation);
const patience = { timeout: 60_000, interval: 100 };
const tag = randomUUID().slice(0, 8);
const pupUid = `pup-${tag}`;

const read = <View>(path: string, name: Name = 'bram') => readAs<View>(server(), name, path);
const find = (text: string, name?: Name) => read<Found>(`/v1/search?${new URLSearchParams({ text })}`, name);
const keysOf = ({ cases }: Pick<Found, 'cases'>) => cases.map(({ key }) => key);
const listed = async (wanted: Readonly<Record<string, string>>, name?: Name) =>
  (await read<ProcessPage>(`/v1/processes?${new URLSearchParams({ state: 'all', ...wanted })}`, name)).items;

const phone = `+3161${String(Math.floor(Math.random() * 1e7)).padStart(7, '0')}`;

test('a person is found by name, e-mail address and phone number, with the cases; and a case by all that it is about', async () => {
  const { flows, people } = installation();
  await people.newPickUpPoint(pupUid, 6);
  const emailAddress = `imke-${tag}@example.com`;
  const toUser = {
    emailAddress,
    firstName: 'Imke',
    lastName: `Vos${tag}`,
    phoneNumber: phone,
    pickUpPointUid: 'pup-central',
  };
  const { toUserUid: _, ...place } = issueRequest;
  const referenceNo = `3SLOCK${tag}`;
  const details = { referenceNo, description: `Drill ${tag}` };
  const open = await flows.start('Issue', `${tag}-open`, { request: { ...place, pupUid, toUser, details } });
  await vi.waitUntil(async () => (await open.progress()).shipments.issue, patience);
  const { userUid } = (
    await read<{ items: { userUid: string }[] }>(
      `/api/desk/people?${new URLSearchParams({ text: emailAddress })}`,
    )
  ).items[0] ?? { userUid: '' };
  const ended = await flows.start('Issue', `${tag}-ended`, {
    request: {
      ...place,
      pupUid,
      toUserUid: userUid,
      details: { referenceNo: `${referenceNo}-2`, description: `Lamp ${tag}` },
    },
  });
  await vi.waitUntil(async () => (await ended.progress()).shipments.issue, patience);
  await ended.cancel();
  await ended.result().catch(() => undefined);

  const both = [`${tag}-open`, `${tag}-ended`];
  const spaced = `0${phone.slice(3, 4)} ${phone.slice(4, 8)} ${phone.slice(8)}`;
  for (const text of [`vos${tag}`, emailAddress, phone, spaced]) {
    const found = await vi.waitUntil(async () => {
      const now = await find(text);
      return now.cases.length === 2 && now.cases[1]?.status !== 'Running' && now;
    }, patience);
    expect(found.people, text).toMatchObject([
      { userUid, name: `Imke Vos${tag}`, phoneNumber: phone, open: 1 },
    ]);
    expect(keysOf(found), text).toEqual(both);
  }
  const about = {
    people: [{ userUid, name: `Imke Vos${tag}` }],
    item: `Drill ${tag} (${referenceNo})`,
    reference: referenceNo,
  };
  const byNumber = await vi.waitUntil(async () => {
    const now = await find(referenceNo);
    return now.cases[0]?.about?.people[0]?.name && now;
  }, patience);
  expect(byNumber).toMatchObject({
    items: [{ title: `Drill ${tag}`, reference: referenceNo, pupUid, lockerName: null }],
    unread: [],
  });
  expect(keysOf(byNumber)).toEqual([`${tag}-open`]);
  expect(byNumber.cases[0]?.about).toEqual(about);
  // Quoted in an e-mail, of a case that has ended.
  expect(keysOf(await find(`${referenceNo}-2`))).toEqual([`${tag}-ended`]);
  expect(await find(`lamp ${tag}`)).toMatchObject({ items: [{ reference: `${referenceNo}-2` }] });
  expect(keysOf(await find(`${tag}-o`))).toEqual([`${tag}-open`]);
  expect(await find(`drill ${tag}`)).toMatchObject({ items: [{ reference: referenceNo }], people: [] });

  const person = { person: userUid };
  expect((await listed(person)).map(({ key }) => key)).toEqual(both);
  expect(await listed({ item: referenceNo })).toMatchObject([{ key: `${tag}-open`, about }]);

  // Who may only look finds the case by its number, and nothing about people.
  const looked = await find(referenceNo, 'anna');
  expect(looked).toMatchObject({ people: [], cases: [{ key: `${tag}-open`, about: null }] });
  expect(looked.items).toMatchObject([{ title: referenceNo, reference: referenceNo }]);
  expect(await find(`drill ${tag}`, 'anna')).toMatchObject({ items: [], cases: [] });
  const item = await fetch(`${server().address}/v1/items/${referenceNo}`, {
    headers: { cookie: await server().cookieOf('anna') },
  }).then((response) => response.text());
  expect(item).toContain(`"title":"${referenceNo}"`);
  expect(item).not.toContain('Drill');
  expect(await find(`vos${tag}`, 'anna')).toMatchObject({ people: [], cases: [] });
  expect(await listed({ item: referenceNo }, 'anna')).toMatchObject([{ about: null }]);
  const refused = await fetch(`${server().address}/v1/processes?${new URLSearchParams(person)}`, {
    headers: { cookie: await server().cookieOf('anna') },
  });
  expect(refused.status).toBe(403);
});

test('the case whose key is typed comes first, before the later ones that begin so, and what a flow numbers itself is no item', async () => {
  const { flows, people } = installation();
  const key = `${tag}-exact`;
  const { toUserUid } = issueRequest;
  const flow = 'IssueFromStockAndSubsequentIntakeAndCircularStock';
  const request = { toUserUid, priorShipmentUid: await people.newStock({ referenceNo: `kite-${tag}` }) };
  const first = await flows.start(flow, key, { request });
  await vi.waitUntil(async () => (await first.progress()).shipments.intake, patience);
  const others = [1, 2, 3, 4, 5, 6, 7, 8].map((each) => `${key}-${each}`);
  for (const other of others)
    await flows.start('Issue', other, { request: { ...issueRequest, pupUid: 'pup-central' } });
  const found = await vi.waitUntil(async () => {
    const now = await find(key);
    return now.cases.length >= 6 && now;
  }, patience);
  expect(keysOf(found)[0]).toBe(key);
  expect(found.items).toEqual([]);
  const own = await find(`${key}/intake`);
  expect([own.items, keysOf(own)]).toEqual([[], [key]]);
  expect((await find(`kite-${tag}`)).items).toMatchObject([{ reference: `kite-${tag}` }]);
});

test('an item is in a locker only while it is there', async () => {
  const { flows, people } = installation();
  const referenceNo = `kettle-${tag}`;
  const request = { ...issueRequest, pupUid, details: { referenceNo } };
  const handle = await flows.start('Issue', `${tag}-kettle`, { request });
  const { issue } = await vi.waitUntil(async () => {
    const { shipments } = await handle.progress();
    return shipments.issue && shipments;
  }, patience);
  const { shipmentUid = '', lockerName } = issue ?? {};
  const shown = async () => (await find(referenceNo)).items[0]?.lockerName;
  expect(await shown()).toBeNull();
  await people.dropOff(shipmentUid);
  expect(await shown()).toBe(lockerName);
  await people.pickUp(shipmentUid);
  expect(await shown()).toBeNull();
});

test('who is called so comes before who has more open cases, and whose name only has it within', async () => {
  const { flows, people } = installation();
  // It has letters alone, as names do.
  const name = `Anna${tag.replaceAll(/[^a-z]/g, 'x')}`;
  for (const firstName of [`H${name}`, name])
    await people.call('CreateOrGetAccount', {
      emailAddress: `${firstName}@example.com`,
      firstName,
      lastName: 'Smit',
      pickUpPointUid: 'pup-central',
    });
  const { userUid } = await people.call('GetAccount', { emailAddress: `H${name}@example.com` });
  const handle = await flows.start('Issue', `${tag}-within`, {
    request: { ...issueRequest, pupUid, toUserUid: String(userUid) },
  });
  await vi.waitUntil(async () => (await handle.progress()).shipments.issue, patience);
  const found = await vi.waitUntil(async () => {
    const now = await find(name.toLowerCase());
    return now.people.some(({ open }) => open === 1) && now;
  }, patience);
  expect(found.people.map((each) => each.name)).toEqual([`${name} Smit`, `H${name} Smit`]);
});

test('a case of a flow file is found by its business data, by the person and the item that its input marks, also once it has ended', async () => {
  const { flows } = installation();
  const flow = `Repair${tag}`;
  const text = `name: ${flow}
meaning: A device is repaired.
input:
  type: object
  properties: { device: { type: string, item: true }, owner: { type: string, format: account } }
correlate: { device: "\${input.device}" }
initial: waiting
states:
  waiting: { on: { device.repaired: over } }
  over: { type: final }
`;
  await flows.publish([{ path: 'repair.flow.yaml', text }]);
  const device = `laptop-${tag}`;
  const handle = await flows.startPublished(flow, `${tag}-repair`, {
    request: { device, owner: 'user-anna' },
  });
  const isFound = async (wanted: Readonly<Record<string, string>>) =>
    (await listed(wanted)).some(({ key }) => key === `${tag}-repair`);
  const ways = [{ 'key.device': device }, { item: device }, { person: 'user-anna', flow }];
  for (const way of ways) await vi.waitUntil(() => isFound(way), patience);
  await flows.sendEvent({ type: 'device.repaired', where: { device } });
  await handle.result();
  for (const way of ways) expect(await isFound(way)).toBe(true);
  // Alone, and as it stands in an event.
  expect(keysOf(await find(device))).toEqual([`${tag}-repair`]);
  expect(keysOf(await find(`device=${device}`))).toEqual([`${tag}-repair`]);
  expect(keysOf(await find(`device=${device}`, 'anna'))).toEqual([]);
});

test('a locker is found by its number, with the place or without', async () => {
  const { lockers } = await find('Central 3');
  expect(lockers).toMatchObject([{ pupUid: 'pup-central', lockerName: '3', isInside: false }]);
  expect((await find('locker 3')).lockers.length).toBeGreaterThan(1);
  expect((await find('Nowhere 3')).lockers).toEqual([]);
  // One that is booked has an item in it, or not yet.
  const place = `Attic${tag}`;
  await installation().people.newStock({}, place);
  const booked = async () => {
    const found = await Promise.all([1, 2, 3].map((number) => find(`${place} ${number}`)));
    return found.flatMap(({ lockers: all }) => all).filter(({ state }) => state === 'Booked');
  };
  await expect.poll(booked, patience).toMatchObject([{ pupName: place, isInside: true }]);
});

test('what cannot be searched for is refused or finds nothing, and says so', async () => {
  expect(codeOf(await program().get('/v1/search?text='))).toBe('400 InvalidRequest');
  expect(codeOf(await program().get('/v1/processes?key.device'))).toBe('400 InvalidRequest');
  expect(codeOf(await program().get('/v1/processes?keys.device=1'))).toBe('400 InvalidRequest');
  expect(await find('"quoted" \\ text')).toMatchObject({ people: [], items: [], cases: [] });
});
