// The source map in a minified bundle has a name for each word of the code. A stack trace shows those of calls; all others are a
// seventh of the bundle, and each worker keeps them. Every place of the sources stays.
import { decode, encode, type SourceMapSegment } from '@jridgewell/sourcemap-codec';

const INLINE = '//# sourceMappingURL=data:application/json;charset=utf-8;base64,';

/** Behind a name: it is called, also as `a?.(b)` and as the tag of a template. */
const call = /[\w$#]*(?:\(|`|\?\.\()/y;

export function withNamesOfCalls(bundle: string): string {
  const at = bundle.lastIndexOf(INLINE);
  if (at < 0) throw new Error('the bundle of the workflows has no inline source map');
  const map = JSON.parse(Buffer.from(bundle.slice(at + INLINE.length), 'base64').toString()) as SourceMap;
  const lines = bundle.slice(0, at).split('\n');
  const names = new Map<string, number>();
  const numberOf = (name: string): number => {
    const number = names.get(name) ?? names.size;
    names.set(name, number);
    return number;
  };
  const shortened = (segment: SourceMapSegment, line = ''): SourceMapSegment => {
    if (segment.length !== 5) return segment;
    const [column, source, sourceLine, sourceColumn, name] = segment;
    call.lastIndex = column;
    return call.test(line)
      ? [column, source, sourceLine, sourceColumn, numberOf(map.names[name] ?? '')]
      : [column, source, sourceLine, sourceColumn];
  };
  const mappings = encode(
    decode(map.mappings).map((segments, line) => segments.map((segment) => shortened(segment, lines[line]))),
  );
  const lean = JSON.stringify({ ...map, mappings, names: [...names.keys()] });
  return `${bundle.slice(0, at)}${INLINE}${Buffer.from(lean).toString('base64')}`;
}

interface SourceMap {
  readonly mappings: string;
  readonly names: readonly string[];
}
