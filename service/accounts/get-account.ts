// GetAccount (decisions §4): an account by uid, e-mail address or user name, or the tenant's main account.
import { sql } from 'kysely';
import type { Request, Response } from '../../contract/index.ts';
import type { Context, Handler } from '../handler.ts';
import { Refusal } from '../refusal.ts';

type Account = Response<'GetAccount'>;

const NOTHING: Account = {
  userUid: null,
  userName: null,
  canManageUser: null,
  firstName: null,
  lastName: null,
  emailAddress: null,
  phoneNumber: null,
  mainPupUid: null,
  mainPupName: null,
  languageCode: null,
  mailCode: null,
  streetName: null,
  streetNo: null,
  mailbox: null,
  city: null,
  countryCode: null,
  isExisting: null,
};

export const getAccount: Handler<'GetAccount'> = async (request, context) => {
  const account = await find(request, context);
  if (!account) {
    if (request.emailAddress != null) return { ...NOTHING, isExisting: false };
    throw new Refusal('InvalidUserUid', 'There is no such account that you may manage');
  }
  const { managed, ...fields } = account;
  if (managed) return { ...fields, isExisting: true, canManageUser: true };
  if (request.emailAddress == null)
    throw new Refusal('InvalidUserUid', 'There is no such account that you may manage');
  return { ...NOTHING, userUid: fields.userUid, isExisting: true, canManageUser: false };
};

/** A tenant manages the accounts linked to a pick up point of its own, and its main account. */
async function find({ userUid, emailAddress, userName }: Request<'GetAccount'>, context: Context) {
  const accounts = context.database
    .selectFrom('accounts as account')
    .innerJoin('tenants as tenant', (join) => join.on('tenant.tenant_id', '=', context.tenantId))
    .leftJoin('pick_up_points as pup', 'pup.pick_up_point_id', 'account.main_pick_up_point_id')
    .where('account.removed_at', 'is', null)
    .select([
      'account.user_uid as userUid',
      'account.user_name as userName',
      'account.first_name as firstName',
      'account.last_name as lastName',
      'account.email_address as emailAddress',
      'account.phone_number as phoneNumber',
      'account.language_code as languageCode',
      'account.street_name as streetName',
      'account.street_no as streetNo',
      'account.mailbox as mailbox',
      'account.city as city',
      'account.country_code as countryCode',
      'account.mail_code as mailCode',
      'pup.pup_uid as mainPupUid',
      'pup.name as mainPupName',
      sql<boolean>`coalesce(pup.tenant_id = tenant.tenant_id, false)
        or account.account_id = tenant.main_account_id`.as('managed'),
    ]);
  if (userUid != null) return accounts.where('account.user_uid', '=', userUid).executeTakeFirst();
  if (emailAddress != null)
    return accounts
      .where(sql`lower(account.email_address collate "C")`, '=', emailAddress.toLowerCase())
      .executeTakeFirst();
  if (userName != null)
    return accounts
      .where(sql`lower(account.user_name collate "C")`, '=', sql`lower(${userName} collate "C")`)
      .executeTakeFirst();
  return accounts.whereRef('account.account_id', '=', 'tenant.main_account_id').executeTakeFirst();
}
