// Unzips an .xlsx file within a limit, and gives the workbook reader a new zip. The reader trusts the sizes and offsets
// in a zip, also for overlapping entries, so it never gets the uploaded one.

import { CFB } from '@e965/xlsx';
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';
import { Refusal } from '../../refusal.ts';
import { damagedWhenThrowing, overLimit } from './file-refusals.ts';

/** Parts of a workbook: one for each sheet, style and relation. A zip may claim 65,535 that share their bytes. */
const MOST_ENTRIES = 1_000;

/** The content type of a workbook's main part. Documents and slides are such zips too. */
const WORKBOOK_TYPE = /sheet(\.macroEnabled)?\.main\+xml/;

/** The library's zip writer, which its types call `any`. */
interface ZipWriter {
  readonly utils: {
    cfb_new(): object;
    cfb_add(zip: object, path: string, content: Uint8Array, options: { unsafe: boolean }): void;
  };
  write(zip: object, options: { fileType: 'zip'; type: 'buffer' }): Buffer;
}
const writer = CFB as ZipWriter;

/** The XML parts of the workbook, uncompressed, as a new zip. */
export const unzipWorkbook = (content: Uint8Array, limit: number): Promise<Buffer> =>
  damagedWhenThrowing('The .xlsx file is damaged or cut off: it cannot be unzipped', async () => {
    const buffer = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
    const zip = await fromBufferPromise(buffer, { lazyEntries: true, validateEntrySizes: true });
    if (zip.entryCount > MOST_ENTRIES) throw overLimit('holds too many parts', MOST_ENTRIES, 'parts');
    return await copied(zip, limit);
  });

async function copied(zip: ZipFile, limit: number): Promise<Buffer> {
  const copy = writer.utils.cfb_new();
  let isWorkbook = false;
  let bytes = 0;
  for await (const entry of zip.eachEntry()) {
    if (!/\.(xml|rels)$/i.test(entry.fileName)) continue;
    bytes += entry.uncompressedSize;
    if (bytes > limit) throw overLimit('is too large once unzipped', limit, 'bytes');
    const content = await unzipped(zip, entry);
    isWorkbook ||= entry.fileName === '[Content_Types].xml' && WORKBOOK_TYPE.test(content.toString());
    writer.utils.cfb_add(copy, entry.fileName, content, { unsafe: true });
  }
  if (!isWorkbook) throw new Refusal('InvalidImportType', 'The file is a zip archive but no .xlsx workbook');
  return writer.write(copy, { fileType: 'zip', type: 'buffer' });
}

/** If an entry unzips to more than it claims, the stream fails. So the checked sizes are the real ones. */
async function unzipped(zip: ZipFile, entry: Entry): Promise<Buffer> {
  if (entry.isEncrypted()) throw new Refusal('InvalidImportType', encryptedMessage);
  const chunks: Buffer[] = [];
  for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

export const encryptedMessage = 'The workbook is encrypted; save it without a password';
