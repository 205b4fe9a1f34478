// UploadAccountSuggestions (interface): reads the file, replaces the tenant's suggestions, tells what came of it.
import type { Handler } from '../../handler.ts';
import { Refusal } from '../../refusal.ts';
import { inTransaction } from '../../storage/transaction.ts';
import type { PickUpPointName } from './pick-up-points.ts';
import { replaceSuggestions } from './replace-suggestions.ts';

export const uploadAccountSuggestions: Handler<'UploadAccountSuggestions'> = async (
  { data, file },
  context,
) => {
  if (file.content.byteLength === 0) throw new Refusal('MissingFile', 'The part file is empty');
  const reading = await context.suggestionFileReader.read(file.content, await pickUpPointNames(context));
  // interface: "when absent the file name is used".
  const reference = data.reference ?? (file.name || null);
  const replaced = await inTransaction(context.database, (transaction) =>
    replaceSuggestions(transaction, context.tenantId, reference, reading.suggestions),
  );
  return {
    reference,
    totalCount: reading.totalCount,
    importedCount: reading.importedCount,
    existedCount: replaced.existedCount,
    removedCount: replaced.removedCount,
    errorCount: reading.errorLogs.length,
    dateTime: replaced.uploadedAt.toISOString(),
    errorLogs: [...reading.errorLogs],
  };
};

const pickUpPointNames = ({
  database,
  tenantId,
}: Parameters<typeof uploadAccountSuggestions>[1]): Promise<PickUpPointName[]> =>
  database
    .selectFrom('pick_up_points')
    .select(['pup_uid as pupUid', 'name'])
    .where('tenant_id', '=', tenantId)
    .execute();
