// Accounts in flows with everything real: onboarded, and created or found in place of a uid; nothing personal is shown.
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { InputOf } from '../../client/flow-contract.ts';
import type { OnboardResult } from '../../contract/flows/flow-result.ts';
import { bareVendor, ourService } from './installation.ts';
import { Play } from './play.ts';
import { storyOf } from './stories.ts';
import { useInstallation } from './use-installation.ts';

const person = (name: string) => ({
  emailAddress: `${name}@personal.example`,
  firstName: 'Personal',
  lastName: 'Name',
});

describe.each([ourService, bareVendor])('with $name', (vendor) => {
  const installation = useInstallation(vendor);
  const onboarded = async (input: InputOf<'OnboardAccount'>): Promise<OnboardResult> => {
    const handle = await installation().flows.start('OnboardAccount', `account-${randomUUID()}`, input);
    return await handle.result();
  };

  test('an account is created for the receiver, and found the second time', async () => {
    const story = { ...storyOf('Issue'), request: { toUser: person('receiver') } };
    const receivers: (string | null | undefined)[] = [];
    for (let time = 0; time < 2; time++) {
      const play = await Play.begin({ installation: installation(), story });
      expect(JSON.stringify(await play.untilFollowed())).not.toMatch(/personal/i);
      receivers.push((await play.untilBooked()).get('issue')?.toUserUid);
      await play.doAll();
      await play.expectDone();
    }
    expect(receivers[0]).toBeTruthy();
    expect(receivers[1]).toBe(receivers[0]);
  });

  test('a new account is onboarded; an existing one is brought to the wanted pick up point and configuration', async () => {
    const { people } = installation();
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
    expect(await people.call('GetAccount', { userUid })).toMatchObject({ mainPupUid: 'pup-station' });
    const flags = await people.call('GetAccountMutationConfig', { userUid });
    expect(flags).toMatchObject({ canChangeFirstName: false });
  });

  test('input that is wrong is refused before anything is booked', async () => {
    const story = { ...storyOf('Issue'), request: { toUser: { emailAddress: 'no address' } } };
    await expect(Play.begin({ installation: installation(), story })).rejects.toThrow(/emailAddress/);
  });
});
