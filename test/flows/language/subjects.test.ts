// What a process is about, as searches find it: the people, the items, and the keys.
import { expect, test } from 'vitest';
import {
  markedFields,
  peopleInLists,
  subjectsOfInput,
  subjectsOfRequest,
} from '../../../flows/language/subjects.ts';

test('person and item of a flow file are those that its input marks, whatever their names are', () => {
  const properties = {
    user: { type: 'string' },
    item: { type: 'string' },
    x: { type: 'string', format: 'account' },
    visit: { type: 'object', properties: { hostUid: { type: 'string', format: 'account', title: 'Host' } } },
    y: { type: 'string', item: true },
    z: { type: 'string', format: 'account' },
  };
  const request = { user: 'U', item: 'I', x: 'user-anna', visit: { hostUid: 'user-bram' }, y: 'Laptop 12' };
  const schema = { type: 'object', properties };
  expect([...markedFields(schema, request)]).toEqual([
    { name: 'x', title: undefined, value: 'user-anna', isPerson: true, isItem: false },
    { name: 'hostUid', title: 'Host', value: 'user-bram', isPerson: true, isItem: false },
    { name: 'y', title: undefined, value: 'Laptop 12', isPerson: false, isItem: true },
  ]);
  expect(subjectsOfInput(schema, request)).toEqual([
    'person:user-anna',
    'person:user-bram',
    'item:Laptop 12',
  ]);
});

test('a booking is about its sender, its receiver, and the reference of each leg', () => {
  const request = {
    toUserUid: 'user-anna',
    fromUserUid: null,
    pupUid: 'pup-central',
    issue: { referenceNo: 'laptop-7', description: 'Laptop 7' },
    intake: { referenceNo: '' },
    referenceNo: 'ORDER-1',
  };
  expect(subjectsOfRequest(request)).toEqual(['person:user-anna', 'item:ORDER-1', 'item:laptop-7']);
  for (const nothing of [null, undefined, 'text', ['person']]) expect(subjectsOfRequest(nothing)).toEqual([]);
});

test('the people of a list are those that its items name, in fields or themselves', () => {
  const account = { type: 'string', format: 'account' };
  const device = { type: 'object', properties: { number: { type: 'string' }, user: account } };
  const properties = {
    devices: { type: 'array', items: device },
    watchers: { type: 'array', items: account },
    owner: account,
  };
  const input = {
    devices: [{ number: 'laptop-1', user: 'user-anna' }, { number: 'laptop-2' }, null],
    watchers: ['user-bram', 7],
    owner: 'user-olga',
  };
  expect([...peopleInLists({ type: 'object', properties }, input)]).toEqual(['user-anna', 'user-bram']);
});
