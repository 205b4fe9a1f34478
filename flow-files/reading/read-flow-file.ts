// Reads a text into a flow file that can run, or reports everything that is wrong with it. Not for the workflow sandbox.
import type { FlowFile } from '../flow-file.ts';
import { checkBounds } from './bounds.ts';
import type { Finding, FindingCode } from './finding.ts';
import type { KnownNames } from './names.ts';
import { checkReferences } from './references.ts';
import { Report } from './report.ts';
import { checkShape } from './shape.ts';
import { checkStateKinds } from './state-kinds.ts';
import { parsedText } from './yaml.ts';

export type ReadFlowFile =
  | { readonly file: FlowFile; readonly findings: readonly [] }
  | { readonly file: null; readonly findings: readonly Finding[] };

/** After one of these findings the data does not have the form of a file, and the later checks cannot read it. */
const shapeless: readonly FindingCode[] = [
  'TypeWrong',
  'FieldMissing',
  'ValueWrong',
  'ActionUnknown',
  'GuardUnknown',
];

/** The text is YAML or JSON. Gives all findings at once, as far as the text can be read. */
export function readFlowFile(text: string, names: KnownNames): ReadFlowFile {
  const { data, findings, lineOf } = parsedText(text);
  if (findings.length > 0) return { file: null, findings };
  const report = new Report(names, lineOf);
  checkShape(data, report);
  checkBounds(data, report);
  if (!report.findings.some(({ code }) => shapeless.includes(code))) {
    checkStateKinds(data as unknown as FlowFile, report);
    checkReferences(data as unknown as FlowFile, report);
  }
  if (report.findings.length > 0) return { file: null, findings: report.findings };
  return { file: data as unknown as FlowFile, findings: [] };
}
