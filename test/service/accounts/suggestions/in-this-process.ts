// Uploaded files are read in the process of the test, by the code that the service's own process runs. That is for short
// forms: to start a process costs more than to read a file. bounds.test.ts reads in processes in every form.
import { afterAll, beforeAll, vi } from 'vitest';
import type { UploadLimits } from '../../../../service/accounts/suggestions/file-kind.ts';
import { readFile } from '../../../../service/accounts/suggestions/read-file.ts';
import { SuggestionFileReader } from '../../../../service/accounts/suggestions/suggestion-file-reader.ts';

/** For all tests of a file, or of a describe. The limits are those of the service that is asked. */
export function readFilesInThisProcess(limits: () => UploadLimits): void {
  beforeAll(() => {
    vi.spyOn(SuggestionFileReader.prototype, 'read').mockImplementation((_tenant, content, pickUpPoints) =>
      readFile({ content, pickUpPoints, limits: limits() }),
    );
  });
  afterAll(() => void vi.restoreAllMocks());
}
