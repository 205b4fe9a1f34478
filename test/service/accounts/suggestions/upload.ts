// Uploads files over real HTTP as a tenant would, with the platform's own FormData.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { afterAll, beforeAll, vi } from 'vitest';
import { operationRow } from '../../../../contract/index.ts';
import { readFile as readSuggestions } from '../../../../service/accounts/suggestions/read-file.ts';
import { SuggestionFileReader } from '../../../../service/accounts/suggestions/suggestion-file-reader.ts';
import type { Database } from '../../../../service/storage/database.ts';
import type { UploadLimits } from '../../../../service/upload-limits.ts';
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

/** Low, so that files that are over them are small. */
export const limits: UploadLimits = {
  fileBytes: 20_000_000,
  unzippedBytes: 10_000_000,
  rows: 1_000,
  seconds: 60,
  memoryMegabytes: 512,
  concurrent: 8,
};

/**
 * Uploaded files are read in the process of the test, for all tests of a file or of a describe: to start a process costs more
 * than to read a file. bounds.test.ts reads in processes in every form. The limits are those of the service that is asked.
 */
export function readFilesInThisProcess(limits: () => UploadLimits): void {
  beforeAll(() => {
    vi.spyOn(SuggestionFileReader.prototype, 'read').mockImplementation((_tenant, content, pickUpPoints) =>
      readSuggestions({ content, pickUpPoints, limits: limits() }),
    );
  });
  afterAll(() => void vi.restoreAllMocks());
}
