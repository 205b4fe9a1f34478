// Accounts in flows with everything real: onboarded, and created or found in place of a uid; nothing personal is shown.
import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import { afterAll, describe, expect, test } from 'vitest';
import type { InputOf } from '../../client/flow-contract.ts';
import type { OnboardResult } from '../../contract/flows/onboard-answers.ts';
import { expectAsDescribed, recordExamples } from '../contract/flow-schemas/said-by-flows.ts';
import { eachSampled } from '../support/suite.ts';
import { basicService, ourService } from './installation.ts';
import { Play } from './play.ts';
import { storyOf } from './stories.ts';
import { useInstallation } from './use-installation.ts';

const person = (name: string) => ({
  emailAddress: `${name}@personal.example`,
  firstName: 'Personal',
  lastName: 'Name',
});

async function versionOf(client: Client, workflowId: string): Promise<unknown> {
  const { searchAttributes } = await client.workflow.getHandle(workflowId).describe();
  return searchAttributes.LockerFlowVersion;
}

afterAll(recordExamples);

eachSampled(
  describe,
  [ourService, basicService],
  2,
)('with $name', (vendor) => {
  const installation = useInstallation(vendor);
  const onboarded = async (input: InputOf<'OnboardAccount'>): Promise<OnboardResult> => {
    const handle = await installation().flows.start('OnboardAccount', `account-${randomUUID()}`, input);
    expectAsDescribed('OnboardAccount.input', input);
    const result = await handle.result();
    expectAsDescribed('OnboardAccount.result', result);
    expectAsDescribed('OnboardAccount.progress', await handle.progress());
    return result;
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
      differingDetails: [],
      unknownDetails: [],
    });
    const mutationConfig = { canChangeFirstName: false };
    const again = await onboarded({
      request: { ...request, pickUpPointUid: 'pup-station', mutationConfig },
    });
    expect(again).toEqual({ ...first, isExisting: true });
    const { userUid } = first;
    expect(await people.call('GetAccount', { userUid })).toMatchObject({ mainPupUid: 'pup-station' });
    const flags = await people.call('GetAccountMutationConfig', { userUid });
    expect(flags).toMatchObject({ canChangeFirstName: false });
  });

  // assumptions: Accounts and upload, AccessDenied or behaviour 3
  test("another tenant's account is found and left as it is, with and without a configuration", async () => {
    const { people } = installation();
    const request = {
      ...person('ignored'),
      emailAddress: 'OLGA@example.com',
      pickUpPointUid: 'pup-central',
    };
    const mutationConfig = { canChangeFirstName: false };
    for (const changes of [{}, { mutationConfig }, { phoneNumber: '+31612345678', mutationConfig }])
      expect(await onboarded({ request: { ...request, ...changes }, applyDetails: true })).toEqual({
        outcome: 'Done',
        userUid: 'user-olga',
        isExisting: true,
        canManageUser: false,
        differingDetails: [],
        unknownDetails: [],
      });
    const story = { ...storyOf('Issue'), request: { toUser: { ...request, mutationConfig } } };
    const play = await Play.begin({ installation: installation(), story });
    expect((await play.untilBooked()).get('issue')?.toUserUid).toBe('user-olga');
    await play.doAll();
    await play.expectDone();
    // What a caller does with AccessDenied: the uid, by the name that it gave.
    const { userUid } = await people.call('GetAccount', { userName: 'olga@example.com' });
    expect(userUid).toBe('user-olga');
  });

  // assumptions: Accounts and upload, Details of an existing account in OnboardAccount
  test('different details are listed by name, and changed if the caller asks for it', async () => {
    const { people, client } = installation();
    const before = {
      ...person(`details-${vendor.settings.LOCKER_CAPABILITIES?.length}`),
      pickUpPointUid: 'pup-central',
      phoneNumber: '+31 6 1234 5678',
      languageCode: 'nl',
    };
    const { userUid } = await onboarded({ request: before });
    // The same number, in the ways in which people write it.
    for (const phoneNumber of ['0031612345678', '+31 (0)6 1234-5678', '0031 (0) 6.12.34.56.78']) {
      const same = await onboarded({ request: { ...before, phoneNumber } });
      expect(same).toMatchObject({ isExisting: true, differingDetails: [], unknownDetails: [] });
    }

    const address = { streetName: 'Dam', streetNo: '1', mailbox: '', city: 'Amsterdam', countryCode: 'NL' };
    const wanted = { ...before, ...address, lastName: 'Renamed', phoneNumber: '+31687654321' };
    const key = `account-${randomUUID()}`;
    const told = await (
      await installation().flows.start('OnboardAccount', key, { request: wanted })
    ).result();
    const differing = ['lastName', 'phoneNumber', 'streetName', 'streetNo', 'city', 'countryCode'];
    expect(told).toMatchObject({ userUid, differingDetails: differing, unknownDetails: [] });
    expect(await people.call('GetAccount', { userUid })).toMatchObject({ lastName: 'Name', city: null });
    expect(await versionOf(client, key)).toEqual(['OnboardAccount@1']);

    const applied = await onboarded({ request: wanted, applyDetails: true });
    expect(applied).toMatchObject({ userUid, differingDetails: [], unknownDetails: [] });
    const { emailAddress: _, pickUpPointUid: __, ...details } = wanted;
    expect(await people.call('GetAccount', { userUid })).toMatchObject(details);
  });

  test('an address that is to be applied must be whole', async () => {
    const request = { ...person('partial'), pickUpPointUid: 'pup-central', city: 'Utrecht' };
    await expect(onboarded({ request, applyDetails: true })).rejects.toThrow(
      /request\.streetName.*request\.mailbox/,
    );
    await expect(onboarded({ request })).resolves.toMatchObject({ isExisting: false });
  });

  test('input that is wrong is refused before anything is booked', async () => {
    const story = { ...storyOf('Issue'), request: { toUser: { emailAddress: 'no address' } } };
    await expect(Play.begin({ installation: installation(), story })).rejects.toThrow(/emailAddress/);
  });
});
