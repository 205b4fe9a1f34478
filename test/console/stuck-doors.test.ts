// Doors that stay shut or stand open, with everything real: entries of the inbox, and numbers on the list of walls.
import { randomUUID } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import type { Found } from '../../console/find/find-view.ts';
import type { ItemView } from '../../console/find/person-view.ts';
import type { DoorHistory } from '../../console/process/door-history.ts';
import type { ProcessDetails } from '../../console/process/process-view.ts';
import type { PickUpPointRow, WallView } from '../../console/walls/walls-view.ts';
import type { ActionForm } from '../../processes/action-forms/question-forms.ts';
import type { InboxView, WorkView } from '../../processes/inbox/inbox-entry.ts';
import type { ProcessPage } from '../../processes/views/process-list.ts';
import { ourService } from '../end-to-end/installation.ts';
import { sandboxAs } from '../support/sandbox.ts';
import { newWall } from '../support/walls/new-wall.ts';
import { TestWall } from '../support/walls/test-wall.ts';
import { issueRequest, readAs, useConsoleOf } from './console-world.ts';
import { useInstallationAlone } from './installation-alone.ts';

const installation = useInstallationAlone(ourService);
const server = useConsoleOf(installation, () => installation().temporalAddress);
const read = <View>(path: string) => readAs<View>(server(), 'bram', path);
type Locker = Readonly<Record<'lockerUid' | 'lockerName' | 'state', string>>;
const patience = { timeout: 60_000, interval: 100 };

test('a stuck door is an entry of the inbox, with its process, until its locker is out of order', async () => {
  const { people, flows, service } = installation();
  const doorsOf = async () => {
    const { entries, unread } = await read<InboxView>('/v1/inbox/entries');
    expect(unread).toEqual([]);
    return entries.filter((entry) => entry.kind === 'door' && entry.pupUid === pupUid);
  };
  const pupUid = `pup-${randomUUID()}`;
  await people.newPickUpPoint(pupUid, 2);
  const key = `order-${randomUUID()}`;
  const request = { ...issueRequest, pupUid };
  const handle = await flows.start('Issue', key, { request });
  const booked = await vi.waitUntil(async () => (await handle.progress()).shipments.issue, patience);
  expect(await doorsOf()).toEqual([]);

  const cookie = await server().cookieOf('bram');
  const { items } = await people.call('GetLockers', {
    pageNo: 1,
    pageSize: 9,
    pupUid,
    lockerState: ['Booked'],
  });
  const [{ lockerUid }] = items as [{ lockerUid: string }];
  await (await sandboxAs(service.address))('POST', 'faults', { lockerUid, fault: 'stuck' });
  const [entry, ...others] = await vi.waitUntil(async () => {
    const doors = await doorsOf();
    return doors.length > 0 && doors;
  }, patience);
  expect(others).toEqual([]);
  expect(entry).toMatchObject({
    title: `The door of locker ${booked.lockerName} of ${pupUid} stayed shut`,
    why: 'The last try to open it failed: the door is stuck.',
    key,
    shipmentUid: booked.shipmentUid,
    lockerName: booked.lockerName,
    // What opens for whoever brings the item counts as put in: to look comes first.
    actions: [
      { id: `look:${lockerUid}` },
      { id: `open:${booked.shipmentUid}` },
      { id: `byHand:${booked.shipmentUid}` },
      { id: 'outOfOrder' },
    ],
  });
  const { overview } = await read<{ overview: { wrong: string[]; todo: string | null } }>(
    `/v1/processes/${key}/details`,
  );
  expect(overview).toMatchObject({
    wrong: [`The door of locker ${booked.lockerName} stayed shut: the door is stuck.`],
    todo: expect.stringContaining('Let somebody go there, and open it again'),
    remedies: [
      { kind: 'act', id: `look:${lockerUid}` },
      { kind: 'act', id: `open:${booked.shipmentUid}` },
      { kind: 'act', id: `byHand:${booked.shipmentUid}` },
      { kind: 'move' },
      { kind: 'act', id: `outOfOrder:${lockerUid}` },
    ],
  });
  const walls = await read<{ pupUid: string; stuck: number }[]>('/api/walls');
  expect(walls.find((wall) => wall.pupUid === pupUid)).toMatchObject({ stuck: 1 });

  const action = entry?.actions.find(({ id }) => id === 'outOfOrder');
  const done = await server().post(action?.request.path ?? '', action?.request.body, { cookie });
  const { items: points } = await people.call('GetPickUpPoints', { pageNo: 1, pageSize: 1, pupUid });
  const [{ name }] = points as [{ name: string }];
  const locker = `Locker ${booked.lockerName} of ${name}`;
  expect(await done.json()).toEqual({ done: `${locker} is out of order, said by bram` });
  await vi.waitFor(async () => {
    const rows = await read<readonly PickUpPointRow[]>('/api/walls');
    expect(rows.find((wall) => wall.pupUid === pupUid)).toMatchObject({ outOfOrder: 1 });
    const { lockers } = await read<WallView>(`/api/walls/${pupUid}`);
    expect(lockers.map(({ outOfOrder, takenOut }) => [outOfOrder, takenOut?.by ?? null]).sort()).toEqual([
      [false, null],
      [true, 'bram'],
    ]);
  }, patience);
  expect(await people.call('GetLockers', { pageNo: 1, pageSize: 1, lockerUid })).toMatchObject({
    items: [{ outOfOrder: true, state: 'Booked' }],
  });
  // Somebody is told to bring an item to it.
  expect(await doorsOf()).toMatchObject([
    {
      id: `door:${lockerUid}`,
      title: `Locker ${booked.lockerName} of ${pupUid} is out of order, and an item is to be brought to it`,
      ifNothing: 'Whoever brings the item cannot put it in.',
      key,
      actions: [{ id: `byHand:${booked.shipmentUid}` }, { id: 'inOrder' }],
    },
  ]);
  const out = await read<ProcessDetails>(`/v1/processes/${key}/details`);
  expect(out.overview).toMatchObject({
    todo: expect.stringContaining('have it mended and put it in order again'),
    remedies: [
      { kind: 'act', id: `byHand:${booked.shipmentUid}` },
      { kind: 'move' },
      { kind: 'act', id: `inOrder:${lockerUid}` },
    ],
  });
  expect(out.actionForms.map(({ id }) => id)).toContain(`inOrder:${lockerUid}`);
});

test('a stuck door whose locker is out of order stays an entry while an item is inside', async () => {
  const { people, flows, service } = installation();
  const pupUid = `pup-${randomUUID()}`;
  await people.newPickUpPoint(pupUid, 2);
  const doorsOf = async () => {
    const { entries } = await read<InboxView>('/v1/inbox/entries');
    return entries.filter((entry) => entry.kind === 'door' && entry.pupUid === pupUid);
  };
  const key = `order-${randomUUID()}`;
  const handle = await flows.start('Issue', key, { request: { ...issueRequest, pupUid } });
  const booked = await vi.waitUntil(async () => (await handle.progress()).shipments.issue, patience);
  await people.dropOff(booked.shipmentUid);
  const lockerUidOf = async (shipmentUid: string) =>
    (await people.call('GetShipment', { shipmentUid })).lockerUid as string;
  const lockerUid = await lockerUidOf(booked.shipmentUid);
  const sandbox = await sandboxAs(service.address);
  await sandbox('POST', 'faults', { lockerUid, fault: 'stuck' });
  await people.call('SetLockerOutOfOrder', { lockerUid, outOfOrder: true });
  // Beside one that can be booked: they have the same reason, and not the same remedy.
  const { shipmentUids } = await people.call('CreateLocalShipmentAsIssue', { ...issueRequest, pupUid });
  const [otherUid = ''] = shipmentUids as readonly string[];
  await sandbox('POST', 'faults', { lockerUid: await lockerUidOf(otherUid), fault: 'stuck' });
  const lockedIn = async () => (await doorsOf()).find((entry) => entry.id === `door:${lockerUid}`);
  await expect.poll(lockedIn, patience).toMatchObject({
    title: `The door of locker ${booked.lockerName} of ${pupUid} stayed shut, with an item inside`,
    why: `The last try to open it failed: the door is stuck. Inside is the item of ${key}.`,
    ifNothing: 'The item stays locked in, and whoever comes for it cannot take it out.',
    toDo: 'The locker is out of order, and the item is still inside: have the door opened, then give it out, and say so.',
    key,
    shipmentUid: booked.shipmentUid,
    actions: [{ id: `open:${booked.shipmentUid}` }, { id: `byHand:${booked.shipmentUid}` }],
  });
  expect(await doorsOf()).toHaveLength(2);

  await handle.cancel();
  await expect.poll(lockedIn, patience).toMatchObject({
    key,
    shipmentUid: booked.shipmentUid,
    toDo: expect.stringContaining('then say that the locker is empty'),
    actions: [],
  });
  // The list of what has ended says where the item is.
  const itemLeft = async () =>
    (await read<ProcessPage>(`/v1/processes?state=all&find=${key}`)).items.map((row) => row.itemLeft);
  await expect.poll(itemLeft, patience).toEqual([{ lockerName: booked.lockerName, pupUid }]);
  await people.call('SetLockerEmptied', { lockerUid });
  await expect.poll(itemLeft, patience).toEqual([null]);
  await expect.poll(lockedIn, patience).toBeUndefined();
});

/** What a form of yes and no proposes. */
const suggestedBy = (form: ActionForm | undefined) =>
  Object.fromEntries(
    (form?.fields ?? []).flatMap(({ name, kind, suggested }) =>
      kind === 'yesNo' ? [[name, suggested === 'yes']] : [],
    ),
  );

test('an item that was handed out with the key ends its case, and the timeline says who said so', async () => {
  const { people, flows, service } = installation();
  const cookie = await server().cookieOf('bram');
  const does = async (form: ActionForm | undefined, why: string) =>
    server().post(form?.request.path ?? '', { ...form?.request.body, ...suggestedBy(form), why }, { cookie });
  const pupUid = `pup-${randomUUID()}`;
  await people.newPickUpPoint(pupUid, 1);
  const key = `order-${randomUUID()}`;
  const handle = await flows.start('Issue', key, { request: { ...issueRequest, pupUid } });
  const { shipmentUid, lockerName } = await vi.waitUntil(
    async () => (await handle.progress()).shipments.issue,
    patience,
  );
  // What the desk does there is a button of the case.
  const { overview, actionForms } = await read<ProcessDetails>(`/v1/processes/${key}/details`);
  expect(overview.remedies).toEqual([{ kind: 'act', id: `open:${shipmentUid}` }]);
  const putIn = actionForms.find(({ id }) => id === `open:${shipmentUid}`);
  expect(putIn?.label).toBe(`Open locker ${lockerName}: counts as put in`);
  expect((await does(putIn, 'brought it')).status).toBe(200);
  const { lockerUid } = await people.call('GetShipment', { shipmentUid });
  await (await sandboxAs(service.address))('POST', 'faults', { lockerUid, fault: 'stuck' });
  const entry = await vi.waitUntil(async () => {
    const { entries } = await read<InboxView>('/v1/inbox/entries');
    return entries.find((each) => each.kind === 'door' && each.pupUid === pupUid);
  }, patience);
  const [again, byHand] = entry.actions;
  expect((await does(again, 'another try')).status).toBe(502);
  expect((await does(byHand, ' ')).status).toBe(400);
  const done = await does(byHand, 'opened with the key');
  expect(await done.json()).toEqual({ done: 'Handed out by hand, said by bram' });
  // The next booking does not get a door that stays shut.
  expect(await people.call('GetLockers', { pageNo: 1, pageSize: 1, lockerUid })).toMatchObject({
    items: [{ state: 'OutOfOrder', shipments: [] }],
  });
  expect(await handle.result()).toMatchObject({ shipments: { issue: { stateCode: 'Completed' } } });
  const { items } = await read<DoorHistory>(`/v1/processes/${key}/doors`);
  expect(items.at(-1)).toMatchObject({
    words: `Bram says that the item was taken out of locker ${lockerName}, without a code.`,
    why: 'opened with the key',
  });
});

test('a wall that does not answer is one entry, however many lockers it has', async () => {
  const { people, service } = installation();
  const pupUid = `pup-${randomUUID()}`;
  await people.newPickUpPoint(pupUid, 3);
  const booking = { ...issueRequest, pupUid };
  for (let one = 0; one < 2; one++) await people.call('CreateLocalShipmentAsIssue', booking);
  const { shipmentUids } = await people.call('CreateLocalShipmentAsIssue', booking);
  const [insideUid = ''] = shipmentUids as readonly string[];
  await people.dropOff(insideUid);
  await (await sandboxAs(service.address))('POST', 'faults', { pupUid, fault: 'offline' });
  const { entries, unread } = await read<InboxView>('/v1/inbox/entries');
  expect(unread).toEqual([]);
  expect(entries.filter((entry) => entry.kind === 'door' && entry.pupUid === pupUid)).toMatchObject([
    { title: `${pupUid} is offline: one item cannot be reached`, lockerName: null, actions: [] },
  ]);
  const walls = await read<PickUpPointRow[]>('/api/walls');
  expect(walls.find((wall) => wall.pupUid === pupUid)).toMatchObject({
    isOffline: true,
    stuck: 0,
    free: 0,
    lockers: 3,
    sizes: [expect.objectContaining({ lockers: 3, free: 0 })],
  });
  expect(walls.find((wall) => wall.pupUid === 'pup-central')).toMatchObject({ isOffline: false });
  // No case follows what lies there: somebody calls whom it is for.
  const { emailAddress, phoneNumber } = await people.call('GetAccount', { userUid: 'user-anna' });
  const anna = { userUid: 'user-anna', name: 'Anna Jansen', emailAddress, phoneNumber };
  const path = `/api/walls/${pupUid}`;
  expect((await read<WallView>(path)).offline).toMatchObject({ many: null, strays: [{ person: anna }] });
  const { offline } = await readAs<WallView>(server(), 'anna', path);
  expect(offline?.strays).toMatchObject([{ item: null, person: null }]);
});

test('of a locker behind an offline wall nobody says that its door stayed shut', async () => {
  const { people, flows, service } = installation();
  const pupUid = `pup-${randomUUID()}`;
  await people.newPickUpPoint(pupUid, 1);
  const key = `order-${randomUUID()}`;
  const handle = await flows.start('Issue', key, { request: { ...issueRequest, pupUid } });
  const booked = await vi.waitUntil(async () => (await handle.progress()).shipments.issue, patience);
  await (await sandboxAs(service.address))('POST', 'faults', { pupUid, fault: 'offline' });
  const { items } = await people.call('GetPickUpPoints', { pageNo: 1, pageSize: 1, pupUid });
  const [{ name }] = items as [{ name: string }];
  const { overview } = await read<{ overview: { wrong: string[]; todo: string | null } }>(
    `/v1/processes/${key}/details`,
  );
  expect(overview).toMatchObject({
    wrong: [`${name} is offline: its doors cannot be opened.`],
    todo: expect.stringContaining('See that the wall has power and a network'),
  });
  const { entries } = await read<InboxView>('/v1/inbox/entries');
  const ofWall = entries.filter((entry) => entry.kind === 'door' && entry.pupUid === pupUid);
  expect(ofWall).toMatchObject([
    {
      many: { keys: [key], remedy: 'message', abouts: { [key]: { people: [{ name: 'Anna Jansen' }] } } },
      title: `${pupUid} is offline: its doors cannot be opened`,
      why: `${pupUid} is offline: its doors cannot be opened. This concerns locker ${booked.lockerName}.`,
      toDo: expect.stringContaining('See that the wall has power and a network'),
      key: null,
      actions: [],
    },
  ]);
  expect(await read<WallView>(`/api/walls/${pupUid}`)).toMatchObject({
    offline: { words: `${name} is offline: its doors cannot be opened.`, many: ofWall[0]?.many },
    lockers: [{ door: 'Unknown', doorFailure: null }],
  });
});

test('lockers that are out of order and empty are the last entries, until they are in order again', async () => {
  const { people, service } = installation();
  const pupUid = `pup-${randomUUID()}`;
  await people.newPickUpPoint(pupUid, 4);
  const { items } = await people.call('GetLockers', { pageNo: 1, pageSize: 9, pupUid });
  const [one, two, three] = items as Locker[];
  if (!one || !two || !three) throw new Error('the wall has four lockers, has it not?');
  const cookie = await server().cookieOf('bram');
  const brokenAt = async () => {
    const { entries, unread } = await read<WorkView>('/v1/inbox/entries');
    expect(unread).toEqual([]);
    return entries.filter((entry) => entry.kind === 'outOfOrder' && entry.pupUid === pupUid);
  };
  // One that is stuck, and has an item inside, is an entry of its own until the item is out.
  const { shipmentUids } = await people.call('CreateLocalShipmentAsIssue', { ...issueRequest, pupUid });
  const [shipmentUid = ''] = shipmentUids as readonly string[];
  await people.dropOff(shipmentUid);
  const { lockerUid: taken } = await people.call('GetShipment', { shipmentUid });
  const free = (items as Locker[]).map(({ lockerUid }) => lockerUid).filter((uid) => uid !== taken);
  const name = (uid: string | undefined) =>
    (items as Locker[]).find((each) => each.lockerUid === uid)?.lockerName;
  await people.call('SetLockerOutOfOrder', { lockerUid: taken, outOfOrder: true });
  await server().post(`/v1/lockers/${free[0]}/out-of-order`, { outOfOrder: true }, { cookie });

  await expect.poll(brokenAt, patience).toHaveLength(1);
  const [entry] = await brokenAt();
  expect(entry).toMatchObject({
    id: `outOfOrder:${free[0]}`,
    title: `Locker ${name(free[0])} of ${pupUid} is out of order`,
    why: 'bram took it out of order.',
    ifNothing: 'It stays empty: no booking gets it.',
    since: expect.stringMatching(/Z$/),
    lockerName: name(free[0]),
    key: null,
    group: 'later',
    priority: 0,
    actions: [{ id: 'inOrder' }],
  });

  const sandbox = await sandboxAs(service.address);
  await people.pickUp(shipmentUid);
  await sandbox('POST', 'faults', { lockerUid: free[1], fault: 'stuck' });
  await people.call('SetLockerOutOfOrder', { lockerUid: free[1], outOfOrder: true });
  await expect.poll(brokenAt, patience).toMatchObject([
    {
      title: `3 lockers of ${pupUid} are out of order`,
      why: 'They are empty, and nobody has put them in order again.',
      group: 'later',
      many: { keys: [], members: [{}, {}, {}] },
    },
  ]);

  const { request } = entry?.actions[0] ?? {};
  const done = await server().post(request?.path ?? '', request?.body, { cookie });
  expect(await done.json()).toEqual({ done: expect.stringMatching(/is in order again, said by bram$/) });
  const ids = async () => (await brokenAt()).map(({ id }) => id).sort();
  await expect.poll(ids, patience).toEqual([`outOfOrder:${taken}`, `outOfOrder:${free[1]}`].sort());
});

test('a door that stands open for minutes is an entry, until it is shut or nobody knows', async () => {
  const { people, flows, service } = installation();
  const pupUid = `pup-${randomUUID()}`;
  await people.newPickUpPoint(pupUid, 3);
  const key = `order-${randomUUID()}`;
  const handle = await flows.start('Issue', key, { request: { ...issueRequest, pupUid } });
  const booked = await vi.waitUntil(async () => (await handle.progress()).shipments.issue, patience);
  await people.dropOff(booked.shipmentUid);
  const { items } = await people.call('GetLockers', { pageNo: 1, pageSize: 9, pupUid });
  const lockers = items as Locker[];
  const filled = lockers.find(({ state }) => state === 'Booked')?.lockerUid ?? '';
  // Then it is no longer being put in.
  await people.call('OpenLocker', { lockerUid: filled, reason: 'is it inside?' });
  const [free, justOpened] = lockers.filter(({ state }) => state === 'Free');
  if (!free || !justOpened) throw new Error('two of three lockers are free, were they not?');
  const wall = await TestWall.connected({
    address: service.address,
    ...(await newWall(service.url, 'demo', pupUid)),
  });
  const openDoors = async () => {
    const { entries, unread } = await read<WorkView>('/v1/inbox/entries');
    expect(unread).toEqual([]);
    return entries.filter((entry) => entry.kind === 'openDoor' && entry.pupUid === pupUid);
  };
  const since = new Date(Date.now() - 6 * 60_000);
  // What lies in an open locker anybody can take: sooner than of an empty one.
  const withItemSince = new Date(Date.now() - 3 * 60_000);
  wall.write({ type: 'doorOpened', lockerUid: filled }, withItemSince);
  wall.write({ type: 'doorOpened', lockerUid: free.lockerUid }, since);
  wall.write({ type: 'doorOpened', lockerUid: justOpened.lockerUid }, withItemSince);
  await wall.settled();
  // Before it is an entry, the walls say so.
  const rows = await read<readonly PickUpPointRow[]>('/api/walls');
  const open = rows.find((row) => row.pupUid === pupUid)?.open;
  expect(open?.map(({ lockerName, isInside }) => [lockerName, isInside])).toEqual([
    [free.lockerName, false],
    expect.anything(),
    expect.anything(),
  ]);
  const ofCase = open?.find((door) => door.isInside);
  expect(ofCase).toMatchObject({
    lockerUid: filled,
    key,
    about: { people: ['Anna Jansen'] },
    since: expect.stringMatching(/Z$/),
  });
  expect(open?.some(({ lockerUid }) => lockerUid === justOpened.lockerUid)).toBe(true);
  const found = async () => {
    const text = `locker ${free.lockerName}`;
    const { lockers: all } = await read<Found>(`/v1/search?${new URLSearchParams({ text, most: '50' })}`);
    return all.find(({ lockerUid }) => lockerUid === free.lockerUid);
  };
  const { since: emptySince } = open?.find(({ lockerUid }) => lockerUid === free.lockerUid) ?? {};
  await expect.poll(found, patience).toMatchObject({ state: 'Free', doorOpenSince: emptySince });
  await expect.poll(openDoors, patience).toHaveLength(2);
  const [withItem, empty] = await openDoors();
  expect(withItem).toMatchObject({
    title: `The door of locker ${booked.lockerName} of ${pupUid} stands open`,
    why: `It stands open since ${withItem?.since}, and an item is inside.`,
    ifNothing: 'Anybody can take out what is inside.',
    key,
    shipmentUid: booked.shipmentUid,
    group: 'urgent',
  });
  // By the clock of the service, which knows that of the wall by the time that a message takes.
  expect(Math.abs(Date.parse(withItem?.since ?? '') - withItemSince.getTime())).toBeLessThan(1_000);
  expect(empty).toMatchObject({
    lockerName: free.lockerName,
    ifNothing: 'Anybody can put something in, and no booking gets this locker until it is shut.',
    toDo: expect.stringContaining('shut the door: then this ends. If it does not stay shut'),
    key: null,
    group: 'later',
    actions: [{ id: 'outOfOrder' }],
  });
  // Its case says so, too; and a locker is not given out while its door stands open.
  const { overview } = await read<ProcessDetails>(`/v1/processes/${key}/details`);
  expect(overview).toMatchObject({
    wrong: [`The door of locker ${booked.lockerName} stands open since ${withItem?.since}.`],
    todo: expect.stringContaining('shut the door'),
  });
  const emptied = await server().post(
    `/v1/items-left/${free.lockerUid}/emptied`,
    {},
    { cookie: await server().cookieOf('bram') },
  );
  expect([emptied.status, await emptied.json()]).toMatchObject([409, { code: 'DoorOpen' }]);
  await people.call('SetLockerOutOfOrder', { lockerUid: free.lockerUid, outOfOrder: true });
  await expect
    .poll(async () => (await openDoors())[1], patience)
    .toMatchObject({ ifNothing: 'Anybody can put something in.', actions: [] });
  wall.write({ type: 'doorClosed', lockerUid: free.lockerUid });
  await expect.poll(openDoors, patience).toMatchObject([{ shipmentUid: booked.shipmentUid }]);
  // Of a wall that is cut off the doors are unknown, and offline is another entry.
  wall.cut();
  await expect.poll(openDoors, patience).toEqual([]);
});

test('what is brought for the desk is not for it to take out before the door is shut', async () => {
  const { people, flows, service } = installation();
  const pupUid = `pup-${randomUUID()}`;
  await people.newPickUpPoint(pupUid, 1);
  const { items } = await people.call('GetLockers', { pageNo: 1, pageSize: 1, pupUid });
  const [{ lockerUid }] = items as [Locker];
  const key = `return-${randomUUID()}`;
  const { toUserUid: fromUserUid, ...place } = issueRequest;
  const handle = await flows.start('Intake', key, { request: { ...place, pupUid, fromUserUid } });
  const { shipmentUid } = await vi.waitUntil(
    async () => (await handle.progress()).shipments.intake,
    patience,
  );
  const wall = await TestWall.connected({
    address: service.address,
    ...(await newWall(service.url, 'demo', pupUid)),
  });
  await people.call('UnlockShipmentLocker', { shipmentUid, unlockGoal: 'DropOff' });
  await vi.waitUntil(async () => {
    const { items: rows } = await read<ProcessPage>(`/v1/processes?find=${key}`);
    return rows[0]?.summary?.next?.step === 'deskTakesOut';
  }, patience);
  const onTile = async () => {
    const { lockers, abouts } = await read<WallView>(`/api/walls/${pupUid}`);
    return [lockers[0]?.shipments[0]?.words, abouts[shipmentUid]?.isForDesk];
  };
  await expect.poll(onTile, patience).toEqual(['being put in', false]);
  wall.shut(lockerUid);
  await expect.poll(onTile, patience).toEqual(['to be picked up', true]);
});

test('an item whose door stands open since it counts as put in is said to be put in, until the door is shut', async () => {
  const { people, flows, service } = installation();
  const pupUid = `pup-${randomUUID()}`;
  await people.newPickUpPoint(pupUid, 1);
  const { items } = await people.call('GetLockers', { pageNo: 1, pageSize: 1, pupUid });
  const [{ lockerUid }] = items as [Locker];
  const referenceNo = `item-${randomUUID()}`;
  const key = `order-${randomUUID()}`;
  const request = { ...issueRequest, pupUid, details: { referenceNo } };
  const handle = await flows.start('Issue', key, { request });
  const { shipmentUid, lockerName } = await vi.waitUntil(
    async () => (await handle.progress()).shipments.issue,
    patience,
  );
  const wall = await TestWall.connected({
    address: service.address,
    ...(await newWall(service.url, 'demo', pupUid)),
  });
  await people.call('UnlockShipmentLocker', { shipmentUid, unlockGoal: 'DropOff' });
  await vi.waitUntil(
    async () => (await handle.progress()).shipments.issue?.stateCode === 'ReadyForPickup',
    patience,
  );
  const said = async () => {
    const { overview } = await read<ProcessDetails>(`/v1/processes/${key}/details`);
    const { now } = await read<ItemView>(`/v1/items/${referenceNo}`);
    const view = await read<WallView>(`/api/walls/${pupUid}`);
    const points = await read<readonly PickUpPointRow[]>('/api/walls');
    return {
      ofCase: overview.where.map(({ words }) => words),
      ofItem: now?.words,
      onTile: view.lockers.flatMap(({ shipments }) => shipments.map((held) => [held.words, held.isInside])),
      open: points.find((row) => row.pupUid === pupUid)?.open.map(({ isInside }) => isInside),
    };
  };
  const words = `Being put into locker ${lockerName}: its door is open`;
  await expect
    .poll(said, patience)
    .toEqual({ ofCase: [words], ofItem: words, onTile: [['being put in', false]], open: [false] });
  wall.shut(lockerUid);
  const inside = `In locker ${lockerName}`;
  await expect
    .poll(said, patience)
    .toEqual({ ofCase: [inside], ofItem: inside, onTile: [['to be picked up', true]], open: [] });
});

test('a cancelled process says where its item is, until somebody has fetched it', async () => {
  const { people, flows } = installation();
  const pupUid = `pup-${randomUUID()}`;
  await people.newPickUpPoint(pupUid, 1);
  const key = `order-${randomUUID()}`;
  const handle = await flows.start('Issue', key, { request: { ...issueRequest, pupUid } });
  const booked = await vi.waitUntil(async () => (await handle.progress()).shipments.issue, patience);
  await people.dropOff(booked.shipmentUid);
  await vi.waitUntil(
    async () => (await handle.progress()).shipments.issue?.stateCode === 'ReadyForPickup',
    patience,
  );
  await handle.cancel();
  const shown = () =>
    read<{ status: string; overview: { where: { words: string }[]; todo: string | null } }>(
      `/v1/processes/${key}/details`,
    );
  await vi.waitUntil(async () => (await shown()).status === 'Cancelled', patience);
  expect((await shown()).overview).toMatchObject({
    where: [{ words: `Left in locker ${booked.lockerName}` }],
    todo: expect.stringContaining('Fetch the item'),
  });
  const { items } = await people.call('GetLockers', { pageNo: 1, pageSize: 1, pupUid });
  const [{ lockerUid }] = items as [{ lockerUid: string }];
  await people.call('SetLockerEmptied', { lockerUid });
  await expect.poll(async () => (await shown()).overview.todo).toBeNull();
});
