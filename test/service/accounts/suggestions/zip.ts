// Zip files for the tests of hostile uploads: real ones, and ones that lie of what they hold.
import { deflateRawSync } from 'node:zlib';

export interface ZipEntry {
  readonly name: string;
  readonly content: Uint8Array | string;
  /** The unzipped size that the zip tells, where it is not the true one. */
  readonly claimedSize?: number;
  readonly encrypted?: boolean;
  /** How often the directory lists this entry; all share its bytes. */
  readonly listed?: number;
}

export function zipOf(...entries: readonly ZipEntry[]): Uint8Array<ArrayBuffer> {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content, claimedSize, encrypted = false, listed = 1 } of entries) {
    const plain = Buffer.from(content);
    const packed = deflateRawSync(plain);
    const common = commonFields(packed.length, claimedSize ?? plain.length, name.length, encrypted);
    const local = Buffer.concat([Buffer.from('504b0304', 'hex'), common, Buffer.from(name), packed]);
    const listing = Buffer.alloc(46);
    listing.write('504b01021400', 'hex');
    common.copy(listing, 6);
    listing.writeUInt32LE(offset, 42);
    for (let time = 0; time < listed; time += 1) directory.push(listing, Buffer.from(name));
    files.push(local);
    offset += local.length;
  }
  const listings = Buffer.concat(directory);
  const count = entries.reduce((sum, { listed = 1 }) => sum + listed, 0);
  const end = Buffer.alloc(22);
  end.write('504b0506', 'hex');
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(listings.length, 12);
  end.writeUInt32LE(offset, 16);
  return new Uint8Array(Buffer.concat([...files, listings, end]));
}

/** From "version needed" to "extra field length", as both kinds of header have them. */
function commonFields(packedSize: number, size: number, nameLength: number, encrypted: boolean): Buffer {
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(20, 0);
  fields.writeUInt16LE(encrypted ? 1 : 0, 2);
  fields.writeUInt16LE(8, 4);
  fields.writeUInt32LE(packedSize, 14);
  fields.writeUInt32LE(size, 18);
  fields.writeUInt16LE(nameLength, 22);
  return fields;
}

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** The parts of a workbook around its one sheet. */
const frame: readonly ZipEntry[] = [
  {
    name: '[Content_Types].xml',
    content: `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
      <Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/>
      <Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPE}.worksheet+xml"/>
      <Override PartName="/xl/sharedStrings.xml" ContentType="${TYPE}.sharedStrings+xml"/></Types>`,
  },
  {
    name: 'xl/workbook.xml',
    content: `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets><sheet name="A" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  },
  {
    name: 'xl/_rels/workbook.xml.rels',
    content: `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
      <Relationship Id="rId1" Type="${RELATIONS}/worksheet" Target="worksheets/sheet1.xml"/>
      <Relationship Id="rId2" Type="${RELATIONS}/sharedStrings" Target="sharedStrings.xml"/></Relationships>`,
  },
];

/** An .xlsx file whose sheet has these rows as XML; the sheet's entry may lie. */
export const xlsxOf = (
  rows: string,
  sheet: Partial<ZipEntry> = {},
  ...more: readonly ZipEntry[]
): Uint8Array<ArrayBuffer> =>
  zipOf(...frame, ...more, {
    name: 'xl/worksheets/sheet1.xml',
    content: `<worksheet xmlns="${MAIN}"><sheetData>${rows}</sheetData></worksheet>`,
    ...sheet,
  });

/** The part with the texts that cells share, each with its pieces; the first one as `<c t="s"><v>0</v></c>`. */
export function sharedTexts(texts: readonly (readonly string[])[]): ZipEntry {
  const pieceOf = (text: string) => `<r><t>${text}</t></r>`;
  const items = texts.map(([first = '', ...more]) =>
    more.length === 0 ? `<si><t>${first}</t></si>` : `<si>${[first, ...more].map(pieceOf).join('')}</si>`,
  );
  return { name: 'xl/sharedStrings.xml', content: `<sst xmlns="${MAIN}">${items.join('')}</sst>` };
}

export const sharedText = (text: string): ZipEntry => sharedTexts([[text]]);

export const rowOf = (number: number, ...texts: readonly string[]): string =>
  `<row r="${number}">${texts.map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join('')}</row>`;

/** A workbook whose sheets are of these kinds, as Office names their parts; each worksheet has the rows as XML. */
export function workbookOf(kinds: readonly ('work' | 'chart' | 'dialog' | 'macro')[], rows: string) {
  const sheets = kinds.map((kind, index) => ({
    kind,
    path: `${kind}sheets/sheet${index + 1}.xml`,
    id: index + 1,
    root: { work: 'worksheet', chart: 'chartsheet', dialog: 'dialogsheet', macro: 'macrosheet' }[kind],
  }));
  const of = (part: (sheet: (typeof sheets)[number]) => string) => sheets.map(part).join('');
  return zipOf(
    {
      name: '[Content_Types].xml',
      content: `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
        <Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/>
        ${of(({ path, root }) => `<Override PartName="/xl/${path}" ContentType="${TYPE}.${root}+xml"/>`)}</Types>`,
    },
    {
      name: 'xl/workbook.xml',
      content: `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets>${of(({ id }) => `<sheet name="S${id}" sheetId="${id}" r:id="rId${id}"/>`)}</sheets></workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      content: `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
        ${of(({ id, path, root }) => `<Relationship Id="rId${id}" Type="${RELATIONS}/${root}" Target="${path}"/>`)}</Relationships>`,
    },
    ...sheets.map(({ kind, path, root }) => ({
      name: `xl/${path}`,
      content: `<${root} xmlns="${MAIN}">${kind === 'work' ? `<sheetData>${rows}</sheetData>` : ''}</${root}>`,
    })),
  );
}
