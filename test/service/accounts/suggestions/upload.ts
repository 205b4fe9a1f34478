// Uploads files over real HTTP as a tenant would, with the platform's own FormData.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { operationRow } from '../../../../contract/index.ts';
import type { Database } from '../../../../service/storage/database.ts';
import { accessToken, type Reply } from '../../../support/caller.ts';

export const HEADER = 'EmailAddress;PhoneNumber;LanguageCode;FirstName;LastName;Remarks;PickUpPoint';

export interface Upload {
  readonly content: string | Uint8Array<ArrayBuffer>;
  readonly fileName?: string;
  readonly data?: object;
  readonly headers?: Readonly<Record<string, string>>;
}
export type Uploader = (upload: Upload) => Promise<Reply>;

const path = operationRow('UploadAccountSuggestions').path;

export async function uploaderAs(address: string, clientId = 'demo'): Promise<Uploader> {
  const send = await formSenderAs(address, clientId);
  return ({ content, fileName = 'residents.csv', data = {}, headers = {} }) => {
    const form = new FormData();
    form.append('data', JSON.stringify(data));
    form.append('file', new File([content], fileName));
    return send(form, headers);
  };
}

export type FormSender = (
  body: FormData | string | Uint8Array<ArrayBuffer>,
  headers?: Readonly<Record<string, string>>,
) => Promise<Reply>;

/** Sends any body, a form or not. */
export async function formSenderAs(address: string, clientId = 'demo'): Promise<FormSender> {
  const token = await accessToken(address, clientId);
  return async (body, headers = {}) => {
    const response = await fetch(address + path, {
      method: 'POST',
      body,
      headers: { authorization: `Bearer ${token}`, ...headers },
    });
    const answer: unknown = await response.json();
    return { status: response.status, headers: response.headers, body: Object(answer) };
  };
}

/** The text of a CSV file with the interface's header. */
export const csv = (...rows: readonly string[]): string => [HEADER, ...rows, ''].join('\r\n');

/** So many rows of which only the e-mail address is given. */
export const people = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `p${index}@example.com;;;;;;`);

/** A file that another program made. */
export const fixture = async (name: string): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await readFile(join(import.meta.dirname, 'files', name)));

/** Those of all tenants. */
export const suggestionsIn = (database: Kysely<Database>) =>
  database
    .selectFrom('account_suggestions')
    .select([
      'email_address as emailAddress',
      'phone_number as phoneNumber',
      'language_code as languageCode',
      'first_name as firstName',
      'last_name as lastName',
      'remarks',
      'pup_uid as pupUid',
    ])
    .orderBy('email_address')
    .execute();
