// UploadAccountSuggestions (interface): reads the file, replaces the tenant's suggestions, reports the counts.
import { hash } from 'node:crypto';
import type { Request } from '../../../contract/index.ts';
import type { Context, Handler } from '../../handler.ts';
import { answerOnce } from '../../idempotency.ts';
import { Refusal } from '../../refusal.ts';
import { requireSupportedName } from './file-kind.ts';
import type { PickUpPointName } from './pick-up-points.ts';
import { replaceSuggestions } from './replace-suggestions.ts';

export const uploadAccountSuggestions: Handler<'UploadAccountSuggestions'> = async (request, context) => {
  const { data, file } = request;
  if (file.content.byteLength === 0)
    throw new Refusal('MissingFile', 'The part file is empty: send a file with rows in it');
  requireSupportedName(file.name);
  const pickUpPoints = await pickUpPointNames(context);
  const { suggestionFileReader, tenantId } = context;
  const reading = await suggestionFileReader.read(tenantId, file.content, pickUpPoints);
  // interface: "when absent the file name is used".
  const reference = data.reference ?? (file.name || null);
  return answerOnce(context, identityOf(request, context), async (transaction) => {
    const replaced = await replaceSuggestions(transaction, context.tenantId, reference, reading);
    return {
      reference,
      totalCount: reading.totalCount,
      importedCount: reading.importedCount,
      existedCount: replaced.existedCount,
      removedCount: replaced.removedCount,
      errorCount: reading.errorCount,
      dateTime: replaced.uploadedAt.toISOString(),
      errorLogs: [...reading.errorLogs],
    };
  });
};

/**
 * Two requests with one Idempotency-Key are the same if this is equal. A file of megabytes is hashed only for
 * that.
 */
function identityOf(
  { data, file }: Request<'UploadAccountSuggestions'>,
  { idempotencyKey }: Context,
): object {
  if (idempotencyKey === undefined) return {};
  return { data, name: file.name, sha256: hash('sha256', file.content) };
}

const pickUpPointNames = ({ database, tenantId }: Context): Promise<PickUpPointName[]> =>
  database
    .selectFrom('pick_up_points')
    .select(['pup_uid as pupUid', 'name'])
    .where('tenant_id', '=', tenantId)
    .execute();
