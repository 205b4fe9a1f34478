// Accounts in flows with everything real: onboarded, and created or found in place of a uid; nothing personal is shown.
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { OnboardResult } from '../../contract/flow-result.ts';
import type { OnboardInput } from '../../workflows/accounts/onboarding.ts';
import { booking, bookingOf, stories } from '../workflows/stories.ts';
import { does, stored } from './acting.ts';
import { bareVendor, isBooked, ours, startFlow, untilProgress, useStack } from './stack.ts';

const person = (name: string) => ({
  emailAddress: `${name}@personal.example`,
  firstName: 'Personal',
  lastName: 'Name',
});

describe.each([ours, bareVendor])('with $name', (peer) => {
  const stack = useStack(peer);
  const onboarded = async (input: OnboardInput): Promise<OnboardResult> => {
    const handle = await stack.flows.start('OnboardAccount', `account-${randomUUID()}`, input);
    return await handle.result();
  };

  test('an account is created for the receiver, and found the second time', async () => {
    const story = stories.find(({ flow }) => flow === 'Issue');
    if (!story) throw new TypeError('there is no story of Issue');
    const { toUserUid, ...request } = bookingOf(story);
    expect(toUserUid).toBeDefined();
    const receivers: (string | null | undefined)[] = [];
    for (let time = 0; time < 2; time++) {
      const handle = await startFlow(stack, 'Issue', { request: { ...request, toUser: person('receiver') } });
      const progress = await untilProgress(handle, isBooked);
      expect(JSON.stringify(progress)).not.toMatch(/personal/i);
      receivers.push((await stored(stack, handle)).get('issue')?.toUserUid);
      await does(stack, handle, ['issue', 'ItemDroppedOff']);
      await does(stack, handle, ['issue', 'ItemPickedUp']);
      await handle.result();
    }
    expect(receivers[0]).toBeTruthy();
    expect(receivers[1]).toBe(receivers[0]);
  });

  test('a new account is onboarded; an existing one is brought to the wanted pick up point and configuration', async () => {
    const request = { ...person('onboarded'), pickUpPointUid: 'pup-central' };
    const first = await onboarded({ request });
    expect(first).toEqual({
      outcome: 'Done',
      userUid: expect.any(String),
      isExisting: false,
      canManageUser: true,
    });
    const mutationConfig = { canChangeFirstName: false };
    const again = await onboarded({ request: { ...request, pickUpPointUid: 'pup-station', mutationConfig } });
    expect(again).toEqual({ ...first, isExisting: true });
    const { userUid } = first;
    expect(await stack.api.call('GetAccount', { userUid })).toMatchObject({ mainPupUid: 'pup-station' });
    const flags = await stack.api.call('GetAccountMutationConfig', { userUid });
    expect(flags).toMatchObject({ canChangeFirstName: false });
  });

  test('input that is wrong is refused before anything is booked', async () => {
    const request = { ...booking, toUser: { emailAddress: 'no address' } };
    await expect(startFlow(stack, 'Issue', { request })).rejects.toThrow(/emailAddress/);
  });
});
