// Writes a flow file as YAML, as its author would: expressions in quotes, nothing folded, and no alias, which no file may have.
import { Document, visit } from 'yaml';
import type { FlowFile } from '../flow-file.ts';

export function yamlText(file: FlowFile): string {
  const document = new Document(file, { aliasDuplicateObjects: false });
  visit(document, {
    Scalar: (_, node) => {
      if (String(node.value).includes('${')) node.type = 'QUOTE_DOUBLE';
    },
  });
  return document.toString({ lineWidth: 0 });
}
