// The limits of uploads in tests: low, so that files that are over them are small.
import type { UploadLimits } from '../../../../service/accounts/suggestions/file-kind.ts';

export const limits: UploadLimits = {
  fileBytes: 20_000_000,
  unzippedBytes: 10_000_000,
  rows: 1_000,
  seconds: 60,
  memoryMegabytes: 512,
  concurrent: 8,
};
