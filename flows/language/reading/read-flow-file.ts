// Parses and validates the text of a flow file, and reports all findings. Not for the workflow sandbox.
import type { FlowFile, Json } from '../flow-file.ts';
import { checkBounds } from './bounds.ts';
import { withOffsets } from './calendars.ts';
import { type At, type Finding, firstFindings, type TextPlace } from './finding.ts';
import { checkReferences } from './references.ts';
import { isMap, type KnownNames, Report } from './report.ts';
import { checkShape } from './shape.ts';
import { checkStateKinds } from './state-kinds.ts';
import { parsedText } from './yaml.ts';

export type ReadFlowFile =
  | {
      readonly file: FlowFile;
      readonly findings: readonly [];
      readonly placeOf: (at: At) => TextPlace | undefined;
    }
  | { readonly file: null; readonly findings: readonly Finding[] };

/** The text is YAML or JSON. Returns all findings at once, up to a limit, as far as the text can be parsed. */
export function readFlowFile(text: string, names: KnownNames): ReadFlowFile {
  const { data, findings, placeOf } = parsedText(text);
  if (findings.length > 0) return { file: null, findings: firstFindings(findings) };
  const report = new Report(names, placeOf);
  checkShape(data, report);
  checkBounds(data, report);
  const shaped = report.misshapen.reduce((left, at) => without(left, at), data) as unknown as FlowFile;
  if (isMap(data)) {
    checkStateKinds(shaped, report);
    checkReferences(shaped, report);
  }
  if (report.findings.length > 0) return { file: null, findings: firstFindings(report.findings) };
  return { file: withOffsets(data as unknown as FlowFile), findings: [], placeOf };
}

/** The data without the value at a path. States and list items become an empty map, so that references still resolve. */
function without(data: Json, [step, ...rest]: At, inStates = false): Json {
  if (step === undefined) return {};
  if (Array.isArray(data)) {
    const items = data as readonly Json[];
    return items.map((item, index) => (index === step ? without(item, rest) : item));
  }
  if (!isMap(data) || !Object.hasOwn(data, step)) return data;
  const { [String(step)]: inner = null, ...others } = data;
  // A misshapen item in a list of targets would be reported again as an unknown state.
  if ((rest.length === 0 && !inStates) || step === 'target') return others;
  return { ...data, [String(step)]: without(inner, rest, step === 'states' && isStates(rest)) };
}

const isStates = (rest: At): boolean => rest.length === 1;
