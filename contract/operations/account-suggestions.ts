// The row of the upload of account suggestions, the one multipart operation (interface: UploadAccountSuggestions).
import { z } from 'zod';
import { answerCount, answerList, answerText, filledText, optional, text } from '../wire/fields.ts';
import { operation } from './operation.ts';

/** interface: UploadAccountSuggestions, CSV header columns. */
export const suggestionColumns = [
  'EmailAddress',
  'PhoneNumber',
  'LanguageCode',
  'FirstName',
  'LastName',
  'Remarks',
  'PickUpPoint',
] as const;
export type SuggestionColumn = (typeof suggestionColumns)[number];

/** A part that is a file, not JSON. */
export const filePart = z.object(
  { name: text, content: z.instanceof(Uint8Array<ArrayBufferLike>) },
  'is required: send a part of this name with the file in it',
);

export const accountSuggestions = {
  UploadAccountSuggestions: operation({
    meaning: 'Replaces the suggestions that account search shows during registration of a parcel',
    source: 'interface: UploadAccountSuggestions',
    effect: 'repeatable',
    isMultipart: true,
    // Part data is a JSON object; part file is an .xls, .xlsx or ;-separated .csv file.
    request: z.object({ data: z.object({ reference: optional(filledText) }), file: filePart }),
    response: z.object({
      reference: answerText,
      totalCount: answerCount,
      importedCount: answerCount,
      existedCount: answerCount,
      removedCount: answerCount,
      errorCount: answerCount,
      dateTime: answerText,
      errorLogs: answerList(z.object({ id: answerText, message: answerText })).catch([]),
    }),
    errors: ['MissingFile', 'InvalidHeader', 'InvalidImportType', 'NoRequestData', 'NoRequestFile'],
    fieldErrors: { data: 'NoRequestData', file: 'NoRequestFile' },
  }),
};
