// The row of the account search: what a person types while registering a parcel. interface: UploadAccountSuggestions,
// "appears as suggestions in account search". ASSUMPTION: assumptions: Operating; the interface has no operation for it.
import { z } from 'zod';
import { answerFlag, answerList, answerText, searchText } from '../wire/fields.ts';
import { operation } from './operation.ts';

// As many as a person reads before typing more.
const MAX_FOUND = 100;

export const accountSearch = {
  SearchAccounts: operation({
    meaning:
      'Finds accounts that the tenant manages, and active suggestions, by any part of name, e-mail address, remark or phone number',
    source: 'assumptions: Operating',
    effect: 'none',
    request: z.object({ searchText, most: z.number().int().min(1).max(MAX_FOUND) }),
    response: z.object({
      items: answerList(
        z.object({
          kind: answerText,
          userUid: answerText,
          firstName: answerText,
          lastName: answerText,
          emailAddress: answerText,
          phoneNumber: answerText,
          languageCode: answerText,
          pupUid: answerText,
          remarks: answerText,
        }),
      ),
      isComplete: answerFlag,
    }),
    errors: [],
  }),
};
