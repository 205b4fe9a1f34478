// The accounts of several tenants and the shipments between them: the model of random account commands, written from
// the interface (Account management) and assumptions: Accounts and upload, which knows what the service must say to each.

import { expect } from 'vitest';
import type { OperationName } from '../../contract/index.ts';
import { type ErrorCode, errors } from '../../contract/wire/errors.ts';
import { type MutationFlagName, mutationFlagNames } from '../../contract/wire/fields.ts';
import type { Caller, Reply } from '../support/caller.ts';
import type { AccountChange, AccountCommand, Flags, Registration } from './random-account-command.ts';

export interface AccountTenant {
  readonly call: Caller;
  /** The first is where it books. */
  readonly pupUids: readonly string[];
}

interface ModelAccount {
  readonly userUid: string;
  readonly userName: string;
  emailAddress: string;
  lastName: string;
  pupUid: string;
  mailCode: unknown;
  readonly flags: Record<MutationFlagName, boolean | null>;
  isRemoved: boolean;
}

interface ModelShipment {
  readonly shipmentUid: string;
  readonly tenant: AccountTenant;
  readonly parties: readonly ModelAccount[];
}

const FIRST_NAME = 'Anna';
/** Fewer than the lockers where they are booked. */
const MOST_SHIPMENTS = 8;
const alike = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();
const inSmallAscii = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
/** assumptions: Accounts and upload: with a capital letter beyond ASCII it is kept in small letters. */
const kept = (emailAddress: string) =>
  inSmallAscii(emailAddress) === emailAddress.toLowerCase() ? emailAddress : emailAddress.toLowerCase();

export class AccountWorld {
  readonly #tenants: readonly AccountTenant[];
  readonly #accounts: ModelAccount[] = [];
  #shipments: readonly ModelShipment[] = [];

  constructor(tenants: readonly AccountTenant[]) {
    this.#tenants = tenants;
  }

  /** Carries the command out, and fails where the service does anything else than the model. */
  async do(command: AccountCommand): Promise<void> {
    const tenant = at(this.#tenants, command.tenant);
    if (command.type === 'create') return this.#create(tenant, command);
    if (command.type === 'createOrGet') return this.#createOrGet(tenant, command);
    if (this.#accounts.length === 0) return;
    if (command.type === 'book') return this.#book(tenant, command);
    if (command.type === 'cancel') return this.#cancel(command.shipment);
    const account = at(this.#accounts, command.account);
    await this.#change(tenant, account, command);
    await this.#compare(account);
  }

  async #create(tenant: AccountTenant, command: Registration): Promise<void> {
    const request = this.#registration(command);
    const { byEmailAddress, byUserName } = this.#registered(command);
    const reply = await tenant.call('CreateAccount', request);
    if (!tenant.pupUids.includes(request.pickUpPointUid)) return refused(reply, 'InvalidPupUid');
    if (byEmailAddress) {
      const isOwn = manages(tenant, byEmailAddress);
      return refused(reply, isOwn ? 'EmailAlreadyRegistered' : 'AccessDenied');
    }
    if (byUserName)
      return refused(reply, manages(tenant, byUserName) ? 'UserNameAlreadyRegistered' : 'AccessDenied');
    await this.#compare(this.#learn(command, reply));
  }

  async #createOrGet(tenant: AccountTenant, command: Registration): Promise<void> {
    const request = this.#registration(command);
    const { byEmailAddress, byUserName } = this.#registered(command);
    const reply = await tenant.call('CreateOrGetAccount', request);
    if (!tenant.pupUids.includes(request.pickUpPointUid)) return refused(reply, 'InvalidPupUid');
    if (!byEmailAddress && !byUserName) {
      expect(reply.body).toMatchObject({ success: true, isExisting: false });
      return this.#compare(this.#learn(command, reply));
    }
    const isSame = byEmailAddress === byUserName || command.userName === null;
    if (byEmailAddress && (isSame || (!byUserName && !manages(tenant, byEmailAddress))))
      return this.#configured(tenant, command, reply, byEmailAddress);
    if (byUserName && !manages(tenant, byUserName)) return refused(reply, 'AccessDenied');
    // Somebody else has the e-mail address; or, as the name that a new account would have, the user name.
    if (byEmailAddress || command.userName === null || !byUserName)
      return refused(reply, 'EmailAlreadyRegistered');
    // interface: the code says so "when the e-mail of that user cannot be changed".
    if (byUserName.flags.canChangeEmailAddress === false) return refused(reply, 'EmailAlreadyRegistered');
    byUserName.emailAddress = kept(command.emailAddress);
    await this.#configured(tenant, command, reply, byUserName);
  }

  /** An existing account: the caller's gets the flags, another's is told of by its uid alone, and no flag is lost in silence. */
  async #configured(
    tenant: AccountTenant,
    { mutationConfig }: Registration,
    reply: Reply,
    account: ModelAccount,
  ): Promise<void> {
    const isAsked = Object.values(mutationConfig ?? {}).some((flag) => flag !== null);
    if (isAsked && !manages(tenant, account)) {
      expect(reply.body.userUid).toBe(account.userUid);
      return refused(reply, 'MutationConfigFailed');
    }
    setFlags(account, mutationConfig ?? {});
    expectGiven(tenant, reply, account);
    await this.#compare(account);
  }

  async #change(tenant: AccountTenant, account: ModelAccount, command: AccountChange): Promise<void> {
    const { name, body } = this.#changing(account.userUid, command);
    const reply = await tenant.call(name, body);
    if (!manages(tenant, account)) return refused(reply, 'InvalidUserUid');
    switch (command.type) {
      case 'setDetails': {
        const { emailAddress, lastName } = command;
        const holder = this.#withEmailAddress(emailAddress);
        if (holder && holder !== account) return refused(reply, 'EmailAlreadyRegistered');
        account.emailAddress = emailAddress === null ? account.emailAddress : kept(emailAddress);
        account.lastName = lastName ?? account.lastName;
        return expectSucceeded(reply);
      }
      case 'setPickUpPoint': {
        const pupUid = this.#pupUidAt(command.pickUpPoint);
        if (!tenant.pupUids.includes(pupUid)) return refused(reply, 'InvalidPupUid');
        const pickUpPointChanged = account.pupUid !== pupUid;
        // A new one, which only looking it up tells.
        if (pickUpPointChanged) account.mailCode = expect.any(String);
        account.pupUid = pupUid;
        return expect(reply.body).toMatchObject({ success: true, pupUid, pickUpPointChanged });
      }
      case 'setMutationConfig':
        setFlags(account, command.flags);
        return expectSucceeded(reply);
      case 'remove':
        if (this.#shipments.some((each) => each.tenant === tenant && each.parties.includes(account)))
          return refused(reply, 'AccountInUse');
        account.isRemoved = true;
        return expectSucceeded(reply);
    }
  }

  #changing(userUid: string, command: AccountChange): { name: OperationName; body: object } {
    switch (command.type) {
      case 'setDetails': {
        const { emailAddress, lastName } = command;
        const names = lastName !== null && { firstName: FIRST_NAME, lastName };
        return { name: 'SetAccountDetails', body: { userUid, emailAddress, ...names } };
      }
      case 'setPickUpPoint': {
        const pickUpPointUid = this.#pupUidAt(command.pickUpPoint);
        return { name: 'SetAccountPickUpPoint', body: { userUid, pickUpPointUid } };
      }
      case 'setMutationConfig':
        return { name: 'SetAccountMutationConfig', body: { userUid, ...command.flags } };
      case 'remove':
        return { name: 'RemoveAccount', body: { userUid } };
    }
  }

  /** Anybody's accounts may be its parties; removed ones are nobody's. */
  async #book(tenant: AccountTenant, command: Extract<AccountCommand, { type: 'book' }>): Promise<void> {
    if (this.#shipments.length >= MOST_SHIPMENTS) await this.#cancel(0);
    const parties = [at(this.#accounts, command.from), at(this.#accounts, command.to)];
    const [from, to] = parties;
    const reply = await tenant.call('CreateLocalShipment', {
      pupUid: at(tenant.pupUids, 0),
      dimension: { width: 1, height: 1, length: 1 },
      allowLargerLockers: true,
      allowOverflowLockers: false,
      fromUserUid: from?.userUid,
      toUserUid: to?.userUid,
    });
    if (parties.some(({ isRemoved }) => isRemoved)) return refused(reply, 'InvalidUserUid');
    expectSucceeded(reply);
    const shipmentUid = String(reply.body.shipmentUid);
    this.#shipments = [...this.#shipments, { shipmentUid, tenant, parties }];
  }

  async #cancel(number: number): Promise<void> {
    if (this.#shipments.length === 0) return;
    const cancelled = at(this.#shipments, number);
    const { shipmentUid, tenant } = cancelled;
    expectSucceeded(await tenant.call('CancelShipment', { shipmentUid }));
    this.#shipments = this.#shipments.filter((shipment) => shipment !== cancelled);
  }

  #registration({ pickUpPoint, ...given }: Registration) {
    const { emailAddress, userName, lastName, mutationConfig } = given;
    const pickUpPointUid = this.#pupUidAt(pickUpPoint);
    return { emailAddress, userName, firstName: FIRST_NAME, lastName, pickUpPointUid, mutationConfig };
  }

  #registered({ emailAddress, userName }: Registration) {
    return {
      byEmailAddress: this.#withEmailAddress(emailAddress),
      byUserName: this.#withUserName(userName ?? kept(emailAddress)),
    };
  }

  #withUserName(userName: string): ModelAccount | undefined {
    return this.#accounts.find(
      (each) => !each.isRemoved && inSmallAscii(each.userName) === inSmallAscii(userName),
    );
  }

  #withEmailAddress(emailAddress: string | null): ModelAccount | undefined {
    return this.#accounts.find(
      (each) => emailAddress !== null && !each.isRemoved && alike(each.emailAddress, emailAddress),
    );
  }

  #pupUidAt(number: number): string {
    return at(
      this.#tenants.flatMap(({ pupUids }) => pupUids),
      number,
    );
  }

  #learn(command: Registration, reply: Reply): ModelAccount {
    const { emailAddress, userName, lastName, pickUpPoint, mutationConfig } = command;
    expectSucceeded(reply);
    const account: ModelAccount = {
      userUid: String(reply.body.userUid),
      userName: userName ?? kept(emailAddress),
      emailAddress: kept(emailAddress),
      lastName,
      pupUid: this.#pupUidAt(pickUpPoint),
      mailCode: reply.body.mailCode,
      flags: noFlags(),
      isRemoved: false,
    };
    setFlags(account, mutationConfig ?? {});
    expect(this.#accounts.map(({ userUid }) => userUid)).not.toContain(account.userUid);
    this.#accounts.push(account);
    return account;
  }

  /** As each tenant sees it. */
  async #compare(account: ModelAccount): Promise<void> {
    const { userUid, emailAddress, userName } = account;
    for (const tenant of this.#tenants) {
      const byUid = await tenant.call('GetAccount', { userUid });
      const flags = await tenant.call('GetAccountMutationConfig', { userUid });
      if (!manages(tenant, account)) {
        refused(byUid, 'InvalidUserUid');
        refused(flags, 'InvalidUserUid');
      } else {
        expect(byUid.body).toMatchObject({ ...seen(account), isExisting: true, success: true });
        account.mailCode = byUid.body.mailCode;
        expect(flags.body).toMatchObject({ ...account.flags, success: true });
      }
      const holder = this.#withEmailAddress(emailAddress);
      const byEmailAddress = await tenant.call('GetAccount', { emailAddress });
      if (holder) expectGiven(tenant, byEmailAddress, holder);
      else expect(byEmailAddress.body).toMatchObject({ success: true, isExisting: false, userUid: null });
      const named = this.#withUserName(userName);
      const byUserName = await tenant.call('GetAccount', { userName });
      if (named) expectGiven(tenant, byUserName, named);
      else refused(byUserName, 'InvalidUserUid');
    }
  }
}

function at<Each>(all: readonly Each[], number: number): Each {
  const each = all[number % all.length];
  if (each === undefined) throw new TypeError('expected at least one to pick from');
  return each;
}

/** interface: "Only flags with a non-null value change". */
function setFlags({ flags }: ModelAccount, changes: Flags): void {
  for (const flag of mutationFlagNames) flags[flag] = changes[flag] ?? flags[flag];
}

/** interface: a tenant manages the accounts linked to a pick up point of its own. */
const manages = ({ pupUids }: AccountTenant, { isRemoved, pupUid }: ModelAccount) =>
  !isRemoved && pupUids.includes(pupUid);

const seen = ({ userUid, userName, emailAddress, lastName, pupUid, mailCode }: ModelAccount) => ({
  userUid,
  userName,
  emailAddress,
  firstName: FIRST_NAME,
  lastName,
  mainPupUid: pupUid,
  mailCode,
  canManageUser: true,
});

const noFlags = () =>
  Object.fromEntries(mutationFlagNames.map((flag) => [flag, null])) as ModelAccount['flags'];

const hidden = {
  userName: null,
  emailAddress: null,
  firstName: null,
  lastName: null,
  phoneNumber: null,
  mainPupUid: null,
  mainPupName: null,
  languageCode: null,
  mailCode: null,
  canManageUser: false,
};

/** interface, behaviour 3: of an account that the caller cannot manage only the uid is told. */
function expectGiven(tenant: AccountTenant, { body }: Reply, account: ModelAccount): void {
  const fields = manages(tenant, account) ? seen(account) : { ...hidden, userUid: account.userUid };
  expect(body).toMatchObject({ ...fields, isExisting: true, success: true });
}

const expectSucceeded = ({ body }: Reply) => expect(body).toMatchObject({ success: true, error: null });

const refused = ({ status, body }: Reply, error: ErrorCode) =>
  expect({ status, error: body.error }).toEqual({ status: errors[error].status, error });
