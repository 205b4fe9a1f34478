// Unzips the XML parts of an .xlsx file within limits, as the workbook reader's own zip, so that it copies nothing. The reader
// trusts the sizes and offsets in a zip, also for overlapping entries, so it never gets the uploaded one.

import { CFB } from '@e965/xlsx';
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';
import { Refusal } from '../../refusal.ts';
import { damagedWhenThrowing, overLimit } from './file-refusals.ts';

/** Parts of a workbook: one for each sheet, style and relation. A zip may claim 65,535 that share their bytes. */
const MAX_ENTRIES = 1_000;

/** The content type of a workbook's main part. Documents and slides are such zips too. */
const WORKBOOK_TYPE = /sheet(\.macroEnabled)?\.main\+xml/;

/**
 * Text between two tags, or one tag, bytes. A cell of a spreadsheet holds 32,767 characters, each of at most 10 bytes
 * (&#1114111;). The reader copies each text several times: one of 200 MB becomes more than a gigabyte.
 */
const LONGEST_TEXT = 400_000;

/** Data of add-ins, of any length, which the reader does not look at. */
const isOfAddIn = /^customXml\//i;

/** The library's zip, which its types call `any`. */
export interface Zip {
  readonly FullPaths: readonly string[];
}
interface ZipMaker {
  cfb_new(): Zip;
  cfb_add(zip: Zip, path: string, content: Uint8Array, options: { unsafe: boolean }): void;
}
const maker: ZipMaker = CFB.utils;

/** The XML parts of the workbook, uncompressed. */
export const unzipWorkbook = (content: Uint8Array, limit: number): Promise<Zip> =>
  damagedWhenThrowing('The .xlsx file is damaged or cut off: it cannot be unzipped', async () => {
    const buffer = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
    const zip = await fromBufferPromise(buffer, { lazyEntries: true, validateEntrySizes: true });
    if (zip.entryCount > MAX_ENTRIES) throw overLimit('holds too many parts', MAX_ENTRIES, 'parts');
    return await unzippedParts(zip, limit);
  });

async function unzippedParts(zip: ZipFile, limit: number): Promise<Zip> {
  const parts = maker.cfb_new();
  let isWorkbook = false;
  let bytes = 0;
  for await (const entry of zip.eachEntry()) {
    if (!/\.(xml|rels)$/i.test(entry.fileName) || isOfAddIn.test(entry.fileName)) continue;
    bytes += entry.uncompressedSize;
    if (bytes > limit) throw overLimit('is too large once unzipped', limit, 'bytes');
    const content = await unzipped(zip, entry);
    isWorkbook ||= entry.fileName === '[Content_Types].xml' && WORKBOOK_TYPE.test(content.toString());
    maker.cfb_add(parts, entry.fileName, content, { unsafe: true });
  }
  if (!isWorkbook) throw new Refusal('InvalidImportType', 'The file is a zip archive but no .xlsx workbook');
  return parts;
}

/** If an entry unzips to another size than it claims, the stream fails. So the checked sizes are the real ones. */
async function unzipped(zip: ZipFile, entry: Entry): Promise<Buffer> {
  if (entry.isEncrypted()) throw new Refusal('InvalidImportType', encryptedMessage);
  const content = Buffer.allocUnsafeSlow(entry.uncompressedSize);
  let end = 0;
  let tag = 0;
  for await (const chunk of await zip.openReadStreamPromise(entry)) {
    end += chunk.copy(content, end);
    // From tag to tag as far as a text may be long, not to each of them.
    for (; tag + LONGEST_TEXT < end; tag = nextTag(content, tag));
  }
  return content;
}

function nextTag(xml: Buffer, from: number): number {
  const next = xml.lastIndexOf('<', from + LONGEST_TEXT);
  if (next <= from) throw overLimit('has a text that is too long for a cell', LONGEST_TEXT, 'bytes');
  return next;
}

export const encryptedMessage = 'The workbook is encrypted; save it without a password';
